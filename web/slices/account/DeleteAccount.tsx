import { outlinedControl } from '../../ui/buttonStyles.ts'
import { PinBox } from './PinBox.tsx'
import { usePinQuestion } from './usePinQuestion.ts'

type Props = {
  readonly username: string
  /** Deletes the account and leaves the page. @throws RequestError */
  readonly onDelete: (pin: string) => Promise<void>
}

/** The way out: the account with all that is kept of it, after the PIN. */
export function DeleteAccount({ username, onDelete }: Props) {
  const { question, opener, ask, cancel, confirm } = usePinQuestion(onDelete, 'Failed to delete the account')
  return (
    <section aria-labelledby="delete-account">
      <h3 id="delete-account" className="text-14 font-strong">
        Delete account
      </h3>
      <p className="mt-1 mb-3 max-w-120 text-13 text-ink-2 desk:min-h-10">
        Deletes <bdi className="wrap-anywhere font-strong text-ink">{username}</bdi> with its wallet list and watchlist. Your
        wallets aren't affected.
      </p>
      {question ? (
        <PinBox
          danger
          confirmText="Delete"
          busy={question.busy}
          error={question.error}
          onConfirm={(pin) => void confirm(pin)}
          onCancel={cancel}
        >
          This cannot be undone. Enter your PIN to delete the account.
        </PinBox>
      ) : (
        <button ref={opener} type="button" onClick={ask} className={`${outlinedControl} text-down! touch:h-11`}>
          Delete My Account
        </button>
      )}
    </section>
  )
}
