import type { WireConfig, WireOperatorSession } from '@chainboard/contract'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { adminUrls } from '../../lib/adminUrls.ts'
import { sendJson } from '../../lib/fetchJson.ts'
import { type SignText, signProof } from '../../lib/signProof.ts'
import { filledControl } from '../../ui/buttonStyles.ts'
import { startAdminSession, useTurnFocus } from './adminSession.ts'
import { toFailureText } from './callAdmin.ts'

type Props = {
  readonly config: WireConfig | undefined
  /** Checksummed; undefined while no wallet is connected. */
  readonly wallet: string | undefined
  /** Connects a wallet, and shows and disconnects the one that is. */
  readonly walletControl: ReactNode
  readonly sign: SignText
  /** Why the last session ended. */
  readonly ended: string | undefined
}

/** The door of the operators' panel. */
export function AdminLogin({ config, wallet, walletControl, sign, ended }: Props) {
  const { busy, error, logIn } = useAdminLogin(config, sign)
  const problem = error ?? (busy ? undefined : ended)
  const heading = useTurnFocus()
  const { button, noteFocus } = useNextFocus(wallet, heading)
  return (
    <section
      aria-labelledby="admin-access"
      onFocus={noteFocus}
      className="mx-auto mt-6 w-full max-w-96 rounded-14 border border-line bg-surface-1 px-5 py-6 tablet:mt-14 tablet:px-7 tablet:py-7"
    >
      <h1 ref={heading} tabIndex={-1} id="admin-access" className="text-20 font-strong tracking-tight outline-none">
        Admin Access
      </h1>
      <p className="mt-1 mb-5 text-13 text-ink-2">Connect your admin wallet to continue</p>
      {walletControl}
      {wallet && (
        <button
          ref={button}
          type="button"
          aria-busy={busy}
          onClick={() => void logIn(wallet)}
          className={`${filledControl} mt-4 h-11 w-full`}
        >
          {busy ? 'Verifying...' : 'Sign Message to Login'}
        </button>
      )}
      <p role="alert" className="min-h-5 pt-2 text-13 text-down wrap-anywhere">
        {problem}
      </p>
      <p className="mt-3 border-line border-t pt-4 text-12 text-ink-2">
        Only authorized wallet addresses can access the admin panel.
      </p>
    </section>
  )
}

/**
 * Choosing a wallet, and disconnecting it, takes away the control that was pressed: the focus goes to the next step. A wallet that is
 * remembered comes by itself and moves nothing.
 */
function useNextFocus(wallet: string | undefined, heading: RefObject<HTMLHeadingElement | null>) {
  const button = useRef<HTMLButtonElement>(null)
  const used = useRef(false)
  const before = useRef(wallet)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (used.current && isLost && wallet !== before.current) (wallet ? button : heading).current?.focus()
    before.current = wallet
  }, [wallet, heading])
  const noteFocus = () => {
    used.current = true
  }
  return { button, noteFocus }
}

type State = { readonly busy: boolean; readonly error?: string }

/** Signing in with a wallet that may. */
function useAdminLogin(config: WireConfig | undefined, sign: SignText) {
  const [state, setState] = useState<State>({ busy: false })
  const logIn = async (wallet: string) => {
    if (!config || state.busy) return
    setState({ busy: true })
    const signed = await signProof({ purpose: 'Admin Session', wallet, config }, sign)
    if ('error' in signed) return setState({ busy: false, error: signed.error })
    try {
      const { session } = await sendJson<{ session: WireOperatorSession }>('POST', adminUrls.session, signed.proof)
      startAdminSession(signed.proof, session)
    } catch (error) {
      setState({ busy: false, error: toFailureText(error, 'Failed to authenticate. Please try again.') })
    }
  }
  return { ...state, logIn }
}
