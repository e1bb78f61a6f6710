import { toPageTitle } from '@chainboard/core'
import { useLocation } from 'wouter'
import { homePath } from '../../lib/urls.ts'
import { useTitle } from '../../lib/useTitle.ts'
import { ChangePin } from '../../slices/account/ChangePin.tsx'
import { DeleteAccount } from '../../slices/account/DeleteAccount.tsx'
import { DeviceList } from '../../slices/account/DeviceList.tsx'
import { RecoveryCodes } from '../../slices/account/RecoveryCodes.tsx'
import { SecurityNotices } from '../../slices/account/SecurityNotices.tsx'
import { SignInCode } from '../../slices/account/SignInCode.tsx'
import { changePin } from '../../slices/account/securityCommands.ts'
import { WalletsSection } from '../../slices/account/WalletsSection.tsx'
import { useConfig } from '../../slices/config/useConfig.ts'
import { PortfolioClosed } from '../../slices/portfolio/PortfolioClosed.tsx'
import { PortfolioPanel } from '../../slices/portfolio/PortfolioPanel.tsx'
import { PortfolioSkeleton } from '../../slices/portfolio/PortfolioSkeleton.tsx'
import { deleteAccount, makeSignInCode } from '../../slices/session/sessionCommands.ts'
import { readPin, rememberPin, replaceUser } from '../../slices/session/sessionStore.ts'
import { useSession } from '../../slices/session/useSession.ts'

/** The signed-in user's wallets. */
export default function PortfolioPage() {
  const config = useConfig()
  const session = useSession()
  const [, navigate] = useLocation()
  useTitle(config && toPageTitle('Portfolio', config.siteName))
  const leave = async (pin: string) => {
    await deleteAccount(pin)
    navigate(homePath)
  }
  return (
    <div className="min-h-[calc(100dvh-3.5rem)]">
      {session.kind === 'signedOut' && <PortfolioClosed />}
      {session.kind === 'loading' && <PortfolioSkeleton />}
      {session.kind === 'signedIn' && <SecurityNotices key={`${session.username} notices`} username={session.username} />}
      {session.kind === 'signedIn' && (
        <PortfolioPanel
          // Another user begins with nothing typed and nothing pending.
          key={session.username}
          wallets={session.wallets}
          config={config}
          walletsSection={
            <WalletsSection
              username={session.username}
              rememberedPin={readPin}
              wallets={session.wallets}
              explorer={config?.explorer}
              onUser={replaceUser}
            />
          }
          accountSection={
            <>
              <ChangePin
                username={session.username}
                rememberedPin={readPin}
                onChange={async (pin, newPin) => {
                  await changePin(session.username, pin, newPin)
                  rememberPin(newPin)
                }}
              />
              <RecoveryCodes username={session.username} />
              <DeviceList username={session.username} />
              <SignInCode onMake={makeSignInCode} />
              <DeleteAccount username={session.username} onDelete={leave} />
            </>
          }
        />
      )}
    </div>
  )
}
