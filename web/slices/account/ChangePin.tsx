import { describePinFlaw, findPinFlaw } from '@chainboard/core'
import { type FormEvent, useId, useRef, useState } from 'react'
import { RequestError } from '../../lib/fetchJson.ts'
import { notify } from '../../lib/notice.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { FormButtons } from './FormButtons.tsx'
import { PinInput, pinLength } from './PinInput.tsx'

type Props = {
  readonly username: string
  /** The PIN that this visit logged in with, if it is still known. */
  readonly rememberedPin: () => string | undefined
  /** @throws RequestError */
  readonly onChange: (pin: string, newPin: string) => Promise<void>
}

/** A new PIN for the old one. */
export function ChangePin({ username, rememberedPin, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  const known = rememberedPin()
  const isEasy = known !== undefined && findPinFlaw(known, username) !== undefined
  return (
    <section aria-labelledby="change-pin">
      <h3 id="change-pin" className="scroll-mt-20 text-14 font-strong">
        PIN
      </h3>
      <p className={`mt-1 mb-3 max-w-120 text-13 desk:min-h-10 ${isEasy && !open ? 'text-warn' : 'text-ink-2'}`}>
        {isEasy && !open
          ? 'Your PIN is easy to guess. Change it before someone else guesses it.'
          : 'Change it if anyone may have seen it. All other devices are logged out.'}
      </p>
      {open ? (
        <ChangeForm username={username} onChange={onChange} onClose={close} />
      ) : (
        <button ref={opener} type="button" onClick={() => setOpen(true)} className={`${outlinedControl} touch:h-11`}>
          Change PIN
        </button>
      )}
    </section>
  )
}

type FormProps = Pick<Props, 'username' | 'onChange'> & { readonly onClose: () => void }
type Problem = { readonly field: 'pin' | 'newPin'; readonly text: string }

function ChangeForm({ username, onChange, onClose }: FormProps) {
  const [values, setValues] = useState({ pin: '', newPin: '' })
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const id = useId()
  const flaw = values.newPin.length === pinLength ? findPinFlaw(values.newPin, username) : undefined
  const shown: Problem | undefined = problem ?? (flaw && { field: 'newPin', text: describePinFlaw(flaw) })
  const ready = values.pin.length === pinLength && values.newPin.length === pinLength && !flaw
  const change = (field: Problem['field']) => (text: string) => {
    setValues({ ...values, [field]: text })
    setProblem(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !ready) return
    setBusy(true)
    try {
      await onChange(values.pin, values.newPin)
      notify('PIN changed')
      onClose()
    } catch (error) {
      const text = (error instanceof RequestError ? error.serverText : undefined) ?? 'Failed to change the PIN'
      setProblem({ field: text.startsWith('PIN is easy') ? 'newPin' : 'pin', text })
      setBusy(false)
    }
  }
  return (
    <form
      data-like-dialog=""
      aria-labelledby="change-pin"
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) onClose()
      }}
      className="appear scroll-my-16 rounded-14 border border-line-strong bg-surface-1 px-4 py-3.5"
    >
      <div className="flex flex-wrap items-end gap-2">
        <PinInput
          label="Current PIN"
          value={values.pin}
          onChange={change('pin')}
          invalid={shown?.field === 'pin'}
          describedBy={id}
          autoComplete="current-password"
          focused
        />
        <PinInput
          label="New PIN"
          value={values.newPin}
          onChange={change('newPin')}
          invalid={shown?.field === 'newPin'}
          describedBy={id}
          autoComplete="new-password"
        />
        <FormButtons submitText="Save" busyText="Saving…" ready={ready} busy={busy} onCancel={onClose} />
      </div>
      <p id={id} role="alert" className="text-13 text-down not-empty:mt-2">
        {shown?.text}
      </p>
    </form>
  )
}
