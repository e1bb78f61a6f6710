import { toPageTitle } from '@chainboard/core'
import { useTitle } from '../../lib/useTitle.ts'
import { AdminLogin } from '../../slices/admin/AdminLogin.tsx'
import { AdminPanel } from '../../slices/admin/AdminPanel.tsx'
import { useAdminSession } from '../../slices/admin/adminSession.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { FeaturedCards } from '../../slices/tokens/FeaturedGrid.tsx'
import type { TokenOpeners } from '../../slices/tokens/TokenActions.tsx'
import { InlineWallet } from '../../slices/wallet/InlineWallet.tsx'
import { useSignText } from '../../slices/wallet/signText.ts'

/** Of cards that are only looked at. */
const inertOpeners: TokenOpeners = {
  onDetails: () => undefined,
  onChart: () => undefined,
  onSwaps: () => undefined,
  onStar: () => undefined,
  isStarred: () => false,
  onIntent: () => undefined,
}

/** The operators' panel, behind its door. */
export default function AdminPage() {
  const config = useConfig()
  const { session, ended } = useAdminSession()
  const { address, sign } = useSignText()
  useTitle(config && toPageTitle('Admin', config.siteName))
  return (
    <div className="min-h-[calc(100dvh-3.5rem)]">
      {session ? (
        <AdminPanel
          key={session.id}
          session={session}
          config={config}
          featuredPreview={(tokens) => <FeaturedCards tokens={tokens} openers={inertOpeners} />}
        />
      ) : (
        <AdminLogin config={config} wallet={address} walletControl={<InlineWallet />} sign={sign} ended={ended} />
      )}
    </div>
  )
}
