import type { WireApiKey } from '@chainboard/contract'
import { useState } from 'react'
import { adminUrls } from '../../lib/urls.ts'
import { Icon } from '../../ui/Icon.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { AdminSession } from './adminSession.ts'
import { callAdmin } from './callAdmin.ts'
import { FormDialog } from './FormDialog.tsx'
import { FormField, fieldLook } from './FormField.tsx'
import { KeyLimitFields } from './KeyLimitFields.tsx'
import { checkForm, emptyForm, type FormErrors, type NewKeyForm, toNewKey } from './keyForm.ts'
import { NoteField } from './NoteField.tsx'
import { useAct } from './useAct.ts'

type Props = {
  readonly session: AdminSession
  readonly onCreated: (key: WireApiKey) => void
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

const tiers: readonly { readonly value: NewKeyForm['tier']; readonly text: string; readonly hint: string }[] = [
  { value: 'basic', text: 'Basic', hint: '$15 a month' },
  { value: 'custom', text: 'Custom', hint: 'As agreed' },
  { value: 'forever', text: 'Forever', hint: 'Free, does not expire' },
]

const emptyDays = { basic: '30 days from now', custom: 'never', forever: undefined } as const

/** Makes a key for somebody. */
export function CreateKeyDialog({ session, onCreated, ...dialog }: Props) {
  const [form, setForm] = useState(emptyForm)
  const [errors, setErrors] = useState<FormErrors>({})
  const { busy, error, run } = useAct()
  const set = (change: Partial<NewKeyForm>) => {
    setForm({ ...form, ...change })
    setErrors({})
  }
  const submit = async () => {
    const found = checkForm(form, new Date().toISOString().slice(0, 10))
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const answer = await run(
      () => callAdmin<{ key: WireApiKey }>(session, adminUrls.create, toNewKey(form)),
      'Failed to create API key',
    )
    if (answer) onCreated(answer.key)
  }
  return (
    <FormDialog
      {...dialog}
      title="Create New API Key"
      submitText="Create Key"
      busyText="Creating…"
      blocked={form.email.trim() === ''}
      busy={busy}
      error={error}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Email *"
        type="email"
        autoComplete="off"
        maxLength={254}
        value={form.email}
        onChange={(event) => set({ email: event.target.value })}
        error={errors.email}
        hint="Who the key is for"
      />
      <div className="grid gap-x-4 gap-y-2 tablet:grid-cols-2">
        <FormField label="Tier" hint={tiers.find(({ value }) => value === form.tier)?.hint ?? ''}>
          {(id) => (
            <span className="relative flex items-center">
              <select
                id={id}
                value={form.tier}
                onChange={(event) => set({ tier: event.target.value as NewKeyForm['tier'] })}
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
        <KeyLimitFields
          form={form}
          errors={errors}
          onChange={set}
          limitHint="Requests per UTC day"
          emptyDay={emptyDays[form.tier]}
        />
        <TextField
          label="Transaction hash"
          autoComplete="off"
          spellCheck={false}
          placeholder="0x…"
          value={form.txHash}
          onChange={(event) => set({ txHash: event.target.value })}
          error={errors.txHash}
          hint="Optional. Checked on the chain"
        />
      </div>
      <NoteField value={form.note} onChange={(note) => set({ note })} />
    </FormDialog>
  )
}
