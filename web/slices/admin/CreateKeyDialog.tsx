import type { WireApiKey } from '@chainboard/contract'
import { useState } from 'react'
import { adminUrls } from '../../lib/adminUrls.ts'
import { TextField } from '../../ui/TextField.tsx'
import type { AdminSession } from './adminSession.ts'
import { callAdmin, useAct } from './callAdmin.ts'
import { FormDialog } from './FormDialog.tsx'
import { KeyLimitFields, NoteField, TierField } from './KeyFields.tsx'
import { checkForm, emptyForm, type FormErrors, type NewKeyForm, toNewKey } from './keyForm.ts'

type Props = {
  readonly session: AdminSession
  readonly onCreated: (key: WireApiKey) => void
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

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
        <TierField tier={form.tier} onChange={(tier) => set({ tier })} />
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
