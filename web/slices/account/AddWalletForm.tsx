import { useId } from 'react'
import { filledControl } from '../../ui/buttonStyles.ts'

type Props = {
  readonly text: string
  readonly onText: (text: string) => void
  /** Why the text cannot be added. */
  readonly error: string | undefined
  /** The PIN box is open, or something is under way. */
  readonly blocked: boolean
  readonly onSubmit: () => void
}

/** The address of a wallet to watch. */
export function AddWalletForm({ text, onText, error, blocked, onSubmit }: Props) {
  const id = useId()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="flex gap-2">
        <input
          aria-label="Wallet address"
          placeholder="0x…"
          value={text}
          onChange={(event) => onText(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          aria-invalid={error !== undefined}
          aria-describedby={id}
          className="h-10 w-full min-w-0 max-w-110 rounded-8 border border-line-strong bg-surface-1 px-3 font-mono text-13 text-ink placeholder:text-ink-3 hover:border-ink-3 aria-invalid:border-down touch:h-11 touch:text-16"
        />
        <button
          type="submit"
          disabled={text.trim() === '' || blocked}
          className={`${filledControl} shrink-0 disabled:bg-surface-3 disabled:text-ink-3 disabled:hover:shadow-none touch:h-11`}
        >
          Add Wallet
        </button>
      </div>
      <p id={id} className={`mt-2 min-h-5 text-13 ${error ? 'text-down' : 'text-ink-2'}`}>
        {error ? <span role="alert">{error}</span> : 'Watch-only. Nobody can move funds from here.'}
      </p>
    </form>
  )
}
