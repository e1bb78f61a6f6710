import { toPageTitle } from '@chainboard/core'
import { useTitle } from '../../lib/useTitle.ts'
import { SecurityNotices } from '../../slices/account/SecurityNotices.tsx'
import { useSecurity } from '../../slices/account/useSecurity.ts'
import { WalletsSection } from '../../slices/account/WalletsSection.tsx'
import { useConfig } from '../../slices/config/useConfig.ts'
import { PortfolioClosed } from '../../slices/portfolio/PortfolioClosed.tsx'
import { PortfolioPanel } from '../../slices/portfolio/PortfolioPanel.tsx'
import { PortfolioSkeleton } from '../../slices/portfolio/PortfolioSkeleton.tsx'
import { readPin, replaceUser } from '../../slices/session/sessionStore.ts'
import { useSession } from '../../slices/session/useSession.ts'
import { AccountSections } from '../AccountSections.tsx'

/** The signed-in user's wallets. */
export default function PortfolioPage() {
  const config = useConfig()
  const session = useSession()
  useTitle(config && toPageTitle('Portfolio', config.siteName))
  return (
    <div className="min-h-[calc(100dvh-3.5rem)]">
      {session.kind === 'signedOut' && <PortfolioClosed />}
      {session.kind === 'loading' && <PortfolioSkeleton />}
      {session.kind === 'signedIn' && (
        // Another user begins with nothing typed and nothing pending.
        <OwnPortfolio key={session.username} username={session.username} wallets={session.wallets} config={config} />
      )}
    </div>
  )
}

type Props = {
  readonly username: string
  readonly wallets: readonly string[]
  readonly config: ReturnType<typeof useConfig>
}

function OwnPortfolio({ username, wallets, config }: Props) {
  const { isPending, failureCount } = useSecurity(username)
  // Notices stand above all else: what is below them would move when they come.
  if (isPending && failureCount === 0) return <PortfolioSkeleton />
  return (
    <>
      <SecurityNotices username={username} />
      <PortfolioPanel
        wallets={wallets}
        config={config}
        walletsSection={
          <WalletsSection
            username={username}
            rememberedPin={readPin}
            wallets={wallets}
            explorer={config?.explorer}
            onUser={replaceUser}
          />
        }
        accountSection={<AccountSections username={username} />}
      />
    </>
  )
}
