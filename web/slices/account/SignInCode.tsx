import type { WireSignInCode } from '@chainboard/contract'
import { useEffect, useRef, useState } from 'react'
import { copyText } from '../../lib/copyText.ts'
import { notify } from '../../lib/notice.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { PinBox } from './PinBox.tsx'
import { usePinQuestion } from './usePinQuestion.ts'

type Props = {
  /** @throws RequestError */
  readonly onMake: (pin: string) => Promise<WireSignInCode>
}

/** A code that lets the user in on another device while somebody else is guessing at the PIN. */
export function SignInCode({ onMake }: Props) {
  const [made, setMade] = useState<WireSignInCode>()
  const make = async (pin: string) => setMade(await onMake(pin))
  const { question, opener, ask, cancel, confirm } = usePinQuestion(make, 'Failed to create a sign-in code')
  return (
    <section aria-labelledby="sign-in-code">
      <h3 id="sign-in-code" className="text-14 font-strong">
        Sign-in code
      </h3>
      <p className="mt-1 mb-3 max-w-120 text-13 text-ink-2 desk:min-h-10">
        If someone is guessing your PIN, new devices have to wait. With this code and your PIN you log in at once.
      </p>
      {question ? (
        <PinBox
          confirmText="Confirm"
          busy={question.busy}
          error={question.error}
          onConfirm={(pin) => void confirm(pin)}
          onCancel={cancel}
        >
          Enter your PIN to create a code.
        </PinBox>
      ) : made ? (
        <MadeCode made={made} />
      ) : (
        <button ref={opener} type="button" onClick={ask} className={`${outlinedControl} touch:h-11`}>
          Create Code
        </button>
      )}
    </section>
  )
}

function MadeCode({ made: { code, expiresAt } }: { readonly made: WireSignInCode }) {
  const line = useRef<HTMLParagraphElement>(null)
  // The box that had the focus is gone, and this is what was asked for.
  useEffect(() => line.current?.focus(), [])
  const until = new Date(expiresAt * 1_000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const copy = async () => {
    if (await copyText(code)) notify('Code copied to clipboard')
    else notify('Your browser blocked copying the code', 'note')
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <p ref={line} tabIndex={-1} className="flex items-center gap-1 rounded-8 font-mono text-16 outline-none">
        {code}
        <IconButton icon="copy" iconSize={16} label="Copy the code" onClick={() => void copy()} />
      </p>
      <p className="text-13 text-ink-2">Works once, until {until}.</p>
    </div>
  )
}
