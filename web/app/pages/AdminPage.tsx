import { toPageTitle } from '@chainboard/core'
import { useTitle } from '../../lib/useTitle.ts'
import { AdminLogin } from '../../slices/admin/AdminLogin.tsx'
import { AdminPanel } from '../../slices/admin/AdminPanel.tsx'
import { useAdminSession } from '../../slices/admin/adminSession.ts'
import type { FeaturedPreview } from '../../slices/admin/useFeaturedTokens.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { InlineWallet } from '../../slices/wallet/InlineWallet.tsx'
import { useSignText } from '../../slices/wallet/signText.ts'

/**
 * The operators' panel, behind its door.
 * @param featuredPreview from the home page, whose code is there already
 */
export default function AdminPage({ featuredPreview }: { readonly featuredPreview: FeaturedPreview }) {
  const config = useConfig()
  const { session, ended } = useAdminSession()
  const { address, sign } = useSignText()
  useTitle(config && toPageTitle('Admin', config.siteName))
  return (
    <div className="min-h-[calc(100dvh-3.5rem)]">
      {session ? (
        <AdminPanel key={session.id} session={session} config={config} featuredPreview={featuredPreview} />
      ) : (
        <AdminLogin config={config} wallet={address} walletControl={<InlineWallet />} sign={sign} ended={ended} />
      )}
    </div>
  )
}
