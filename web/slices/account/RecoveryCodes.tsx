import { useEffect, useRef, useState } from 'react'
import { copyText } from '../../lib/copyText.ts'
import { notify } from '../../lib/notice.ts'
import { saveTextFile } from '../../lib/saveTextFile.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { PinBox } from './PinBox.tsx'
import { makeRecoveryCodes } from './securityCommands.ts'
import { usePinQuestion } from './usePinQuestion.ts'
import { useSecurity } from './useSecurity.ts'

/** Fewer are worth new ones. */
const fewCodes = 2

/** Codes that set a new PIN when it is forgotten. */
export function RecoveryCodes({ username }: { readonly username: string }) {
  const left = useSecurity(username).data?.recoveryCodes
  const [codes, setCodes] = useState<readonly string[]>()
  const make = async (pin: string) => setCodes((await makeRecoveryCodes(username, pin)).codes)
  const { question, opener, ask, cancel, confirm } = usePinQuestion(make, 'Failed to create recovery codes')
  return (
    <section aria-labelledby="recovery-codes">
      <div className="flex items-baseline gap-2">
        <h3 id="recovery-codes" className="text-14 font-strong">
          Recovery codes
        </h3>
        {left !== undefined && left > 0 && (
          <span className={`text-12 ${left <= fewCodes ? 'text-warn' : 'text-ink-2'}`}>{left} left</span>
        )}
      </div>
      <p className="mt-1 mb-3 max-w-120 text-13 text-ink-2 desk:min-h-10">
        Nobody can look up a forgotten PIN. Use one of these codes to set a new one, from anywhere.
      </p>
      {question ? (
        <PinBox
          confirmText="Create"
          busy={question.busy}
          error={question.error}
          onConfirm={(pin) => void confirm(pin)}
          onCancel={cancel}
        >
          {left ? 'Enter your PIN to create new codes. The old ones stop working.' : 'Enter your PIN to create codes.'}
        </PinBox>
      ) : codes ? (
        <MadeCodes codes={codes} username={username} onDone={() => setCodes(undefined)} />
      ) : (
        <button ref={opener} type="button" onClick={ask} className={`${outlinedControl} touch:h-11`}>
          {left ? 'Replace Codes' : 'Get Codes'}
        </button>
      )}
    </section>
  )
}

type MadeProps = { readonly codes: readonly string[]; readonly username: string; readonly onDone: () => void }

/** The codes, this once. */
function MadeCodes({ codes, username, onDone }: MadeProps) {
  const list = useRef<HTMLOListElement>(null)
  // The box that had the focus is gone, and this is what was asked for.
  useEffect(() => list.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  const copy = async () => {
    if (await copyText(text)) notify('Codes copied to clipboard')
    else notify('Your browser blocked copying the codes', 'note')
  }
  const save = () => saveTextFile(`recovery-codes-${username}.txt`, 'text/plain', text)
  return (
    <div className="appear rounded-14 border border-line-strong bg-surface-1 px-4 py-3.5">
      <p className="text-13 text-ink-2">Save them now: they are shown once. Each works once.</p>
      <ol
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-14 outline-none"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <button type="button" onClick={() => void copy()} className={`${outlinedControl} touch:h-11`}>
          Copy
        </button>
        <button type="button" onClick={save} className={`${outlinedControl} touch:h-11`}>
          Download
        </button>
        <button type="button" onClick={onDone} className={`${outlinedControl} touch:h-11`}>
          Done
        </button>
      </div>
    </div>
  )
}
