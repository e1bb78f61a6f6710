import { TextField } from '../../ui/TextField.tsx'
import type { FormErrors, KeyEditForm } from './keyForm.ts'

type Limits = Pick<KeyEditForm, 'requestsPerDay' | 'expiresAt'>

type Props = {
  readonly form: Limits
  readonly errors: FormErrors
  readonly onChange: (change: Partial<Limits>) => void
  readonly limitHint: string
  /** What an empty day means; undefined for a key that does not expire. */
  readonly emptyDay: string | undefined
}

/** How much a key may ask in a day, and until when. */
export function KeyLimitFields({ form, errors, onChange, limitHint, emptyDay }: Props) {
  const ends = emptyDay !== undefined
  return (
    <>
      <TextField
        label="Daily limit *"
        inputMode="numeric"
        autoComplete="off"
        value={form.requestsPerDay}
        onChange={(event) => onChange({ requestsPerDay: event.target.value })}
        error={errors.requestsPerDay}
        hint={limitHint}
      />
      <TextField
        label="Expiry date"
        type="date"
        disabled={!ends}
        value={ends ? form.expiresAt : ''}
        onChange={(event) => onChange({ expiresAt: event.target.value })}
        error={errors.expiresAt}
        hint={ends ? `UTC. Empty: ${emptyDay}` : 'Keys of this tier do not expire'}
      />
    </>
  )
}
