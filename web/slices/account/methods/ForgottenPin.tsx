import type { WireSignInMethods } from '@chainboard/contract'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { RequestError } from '../../../lib/fetchJson.ts'
import { notify } from '../../../lib/notice.ts'
import { outlinedControl } from '../../../ui/buttonStyles.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { FormButtons } from '../FormButtons.tsx'
import { pinLength } from '../PinInput.tsx'
import { canUsePasskeys } from './canUsePasskeys.ts'
import { resetPin, type Signer } from './methodCalls.ts'
import { findLinkedWallet } from './OtherProofs.tsx'

type Props = {
  readonly username: string
  readonly signer: Signer
  readonly methods: WireSignInMethods
  readonly walletControl: ReactNode
}

/** A new PIN without the old one, confirmed by what is linked. */
export function ForgottenPin({ username, signer, methods, walletControl }: Props) {
  const [open, setOpen] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const close = () => {
    setOpen(false)
    heading.current?.focus()
  }
  return (
    <section aria-labelledby="forgotten-pin">
      <h3 ref={heading} id="forgotten-pin" tabIndex={-1} className="rounded-6 text-14 font-strong outline-none">
        Forgot your PIN?
      </h3>
      <p className="mt-1 mb-3 max-w-120 text-13 text-ink-2 desk:min-h-10">
        Set a new one with a linked passkey or wallet. This logs out all your other devices.
      </p>
      {open ? (
        <NewPinForm {...{ username, signer, methods, walletControl }} onClose={close} />
      ) : (
        <button type="button" onClick={() => setOpen(true)} className={`${outlinedControl} touch:h-11`}>
          Set a New PIN
        </button>
      )}
    </section>
  )
}

function NewPinForm({ username, signer, methods, walletControl, onClose }: Props & { readonly onClose: () => void }) {
  const [pin, setPin] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const byPasskey = methods.passkeys.length > 0 && canUsePasskeys(window)
  const way = byPasskey ? 'passkey' : findLinkedWallet(methods, signer) ? 'wallet' : undefined
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!way || busy) return
    setBusy(true)
    setError(undefined)
    try {
      await resetPin({ username, signer }, pin, way)
      notify('PIN changed')
      onClose()
    } catch (cause) {
      const serverText = cause instanceof RequestError ? cause.serverText : undefined
      setError(serverText ?? 'Failed to set a new PIN')
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="max-w-80">
      <TextField
        label="New 4-Digit PIN"
        name="new-pin"
        type="password"
        inputMode="numeric"
        autoComplete="new-password"
        autoFocus
        value={pin}
        onChange={(event) => setPin(event.target.value.replaceAll(/\D/g, '').slice(0, pinLength))}
        error={error}
      />
      {way === undefined && (
        <div className="mt-2">
          <p className="mb-2 text-13 text-ink-2">Connect a wallet that is linked to your account.</p>
          {walletControl}
        </div>
      )}
      <div className="mt-2 flex gap-2">
        <FormButtons
          submitText={way === 'wallet' ? 'Confirm with your wallet' : 'Confirm with a passkey'}
          busyText="Confirming…"
          ready={pin.length === pinLength && way !== undefined}
          busy={busy}
          onCancel={onClose}
        />
      </div>
    </form>
  )
}
