import { type ReactNode, useId } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { FormErrors, KeyEditForm, NewKeyForm } from './keyForm.ts'

type FieldProps = { readonly label: string; readonly hint?: string; readonly children: (id: string) => ReactNode }

/** A field that is no line of text, under its label, like `TextField`. */
function FormField({ label, hint, children }: FieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-13 font-strong text-ink">
        {label}
      </label>
      {children(id)}
      <p className="min-h-5 pt-1 text-12 text-ink-2">{hint}</p>
    </div>
  )
}

/** Of a field that is no `TextField`. */
const fieldLook =
  'w-full rounded-8 border border-line-strong bg-ground px-3 text-16 text-ink outline-offset-0 placeholder:text-ink-3 hover:border-ink-3 disabled:text-ink-3'

const noteLengthMax = 500

/** What operators want to remember of a key. */
export function NoteField({ value, onChange }: { readonly value: string; readonly onChange: (note: string) => void }) {
  return (
    <FormField label="Note" hint="Optional. Only operators see it">
      {(id) => (
        <textarea
          id={id}
          rows={2}
          maxLength={noteLengthMax}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${fieldLook} block min-h-16 resize-y py-2`}
        />
      )}
    </FormField>
  )
}

type Limits = Pick<KeyEditForm, 'requestsPerDay' | 'expiresAt'>

type LimitProps = {
  readonly form: Limits
  readonly errors: FormErrors
  readonly onChange: (change: Partial<Limits>) => void
  readonly limitHint: string
  /** What an empty day means; undefined for a key that does not expire. */
  readonly emptyDay: string | undefined
}

/** How much a key may ask in a day, and until when. */
export function KeyLimitFields({ form, errors, onChange, limitHint, emptyDay }: LimitProps) {
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

type Tier = NewKeyForm['tier']

const tiers: readonly { readonly value: Tier; readonly text: string; readonly hint: string }[] = [
  { value: 'basic', text: 'Basic', hint: '$15 a month' },
  { value: 'custom', text: 'Custom', hint: 'As agreed' },
  { value: 'forever', text: 'Forever', hint: 'Free, does not expire' },
]

/** What a new key is paid by. */
export function TierField({ tier, onChange }: { readonly tier: Tier; readonly onChange: (tier: Tier) => void }) {
  return (
    <FormField label="Tier" hint={tiers.find(({ value }) => value === tier)?.hint ?? ''}>
      {(id) => (
        <span className="relative flex items-center">
          <select
            id={id}
            value={tier}
            onChange={(event) => {
              const chosen = tiers.find(({ value }) => value === event.target.value)
              if (chosen) onChange(chosen.value)
            }}
            className={`${fieldLook} h-11 appearance-none pr-9`}
          >
            {tiers.map(({ value, text }) => (
              <option key={value} value={value} className="bg-surface-1 text-ink">
                {text}
              </option>
            ))}
          </select>
          <span className="pointer-events-none absolute right-3 text-ink-2">
            <Icon name="down" size={14} />
          </span>
        </span>
      )}
    </FormField>
  )
}
