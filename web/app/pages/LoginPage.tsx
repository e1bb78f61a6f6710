import { toPageTitle } from '@chainboard/core'
import { useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { portfolioPath } from '../../lib/urls.ts'
import { useTitle } from '../../lib/useTitle.ts'
import { SignInWays } from '../../slices/account/methods/SignInWays.tsx'
import { useConfig } from '../../slices/config/useConfig.ts'
import { LoginPanel, loginCard } from '../../slices/session/LoginPanel.tsx'
import { RecoverPanel } from '../../slices/session/RecoverPanel.tsx'
import { SignedInNote } from '../../slices/session/SignedInNote.tsx'
import { signInBy } from '../../slices/session/signInBy.ts'
import type { LoginStage } from '../../slices/session/useLoginForm.ts'
import { useSession } from '../../slices/session/useSession.ts'
import { InlineWallet } from '../../slices/wallet/InlineWallet.tsx'
import { useSignText } from '../../slices/wallet/signText.ts'
import { Spinner } from '../../ui/Spinner.tsx'

/** Logging in and registering. Leads on to the portfolio whoever is signed in already, as by another tab. */
export default function LoginPage() {
  const config = useConfig()
  const session = useSession()
  const [, navigate] = useLocation()
  const signer = useSignText()
  const [stage, setStage] = useState<LoginStage>('form')
  const [forgot, setForgot] = useState(false)
  useTitle(config && toPageTitle('Login', config.siteName))

  if (stage === 'login' || stage === 'register')
    return <SignedInNote mode={stage} onOver={() => navigate(portfolioPath, { replace: true })} />
  if (session.kind === 'signedIn' && stage === 'form') return <Redirect to={portfolioPath} replace />
  if (session.kind === 'loading')
    return (
      <div className={`${loginCard} flex min-h-60 items-center justify-center`}>
        <Spinner label="Checking whether you are logged in" />
      </div>
    )
  if (forgot) return <RecoverPanel stage={stage} onStage={setStage} onBack={() => setForgot(false)} />
  return (
    <LoginPanel
      stage={stage}
      onStage={setStage}
      onForgot={() => setForgot(true)}
      otherWays={
        <SignInWays
          signer={signer}
          walletControl={<InlineWallet />}
          busy={stage === 'sending'}
          onSignIn={async (ask) => {
            setStage('sending')
            const failure = await signInBy(ask)
            setStage(failure ? 'form' : 'login')
            return failure?.text
          }}
        />
      }
    />
  )
}
