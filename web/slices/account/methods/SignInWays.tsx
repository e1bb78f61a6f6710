import type { WireUser } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import { type ReactNode, useState } from 'react'
import { outlinedControl } from '../../../ui/buttonStyles.ts'
import { Icon, type IconName } from '../../../ui/Icon.tsx'
import { canUsePasskeys } from './canUsePasskeys.ts'
import { type Signer, signInByPasskey, signInByWallet } from './methodCalls.ts'

type Props = {
  readonly signer: Signer
  /** Connects a wallet, and shows the one that is. */
  readonly walletControl: ReactNode
  /** Something is being asked already. */
  readonly busy: boolean
  /** Signs in with what `ask` answers. @returns why not; undefined when it worked */
  readonly onSignIn: (ask: () => Promise<WireUser>) => Promise<string | undefined>
}

type Way = 'passkey' | 'wallet'

/** The ways in beside the PIN, which nobody who tries PINs can close. */
export function SignInWays({ signer, walletControl, busy, onSignIn }: Props) {
  const [problem, setProblem] = useState<string>()
  const [asked, setAsked] = useState<Way>()
  const [walletShown, setWalletShown] = useState(false)
  const signIn = async (way: Way, ask: () => Promise<WireUser>) => {
    setProblem(undefined)
    setAsked(way)
    setProblem(await onSignIn(ask))
    setAsked(undefined)
  }
  return (
    <div className="mt-4">
      <p className="mb-4 flex items-center gap-3 text-12 text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <div className="flex flex-col gap-2">
        {canUsePasskeys(window) && (
          <WayButton
            icon="key"
            text={asked === 'passkey' ? 'Waiting for your passkey…' : 'Sign in with a passkey'}
            disabled={busy}
            onPress={() => void signIn('passkey', signInByPasskey)}
          />
        )}
        {walletShown ? (
          <div className="appear flex flex-col gap-3 rounded-8 border border-line-strong p-3">
            {walletControl}
            {signer.address && (
              <WayButton
                icon="wallet"
                text={asked === 'wallet' ? 'Confirm in your wallet' : `Sign in as ${shortenAddress(signer.address)}`}
                disabled={busy}
                onPress={() => void signIn('wallet', () => signInByWallet(signer))}
              />
            )}
          </div>
        ) : (
          <WayButton icon="wallet" text="Sign in with Ethereum" disabled={busy} onPress={() => setWalletShown(true)} />
        )}
      </div>
      {problem !== undefined && (
        <p role="alert" className="mt-3 text-13 text-down wrap-anywhere">
          {problem}
        </p>
      )}
    </div>
  )
}

type ButtonProps = {
  readonly icon: IconName
  readonly text: string
  readonly disabled: boolean
  readonly onPress: () => void
}

function WayButton({ icon, text, disabled, onPress }: ButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onPress}
      className={`${outlinedControl} h-11! w-full text-14! disabled:text-ink-2`}
    >
      <Icon name={icon} size={16} />
      {text}
    </button>
  )
}
