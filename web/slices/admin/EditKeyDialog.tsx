import type { WireApiKey } from '@chainboard/core'
import { useState } from 'react'
import { notify } from '../../lib/notice.ts'
import { keyUpdateUrl } from '../../lib/urls.ts'
import { TextField } from '../../ui/TextField.tsx'
import type { AdminSession } from './adminSession.ts'
import { callAdmin } from './callAdmin.ts'
import { describeOwner, tierTexts } from './describeKey.ts'
import { FormDialog } from './FormDialog.tsx'
import { canExpire, checkForm, type FormErrors, type KeyEditForm, toEditForm, toKeyEdit } from './keyForm.ts'
import { NoteField } from './NoteField.tsx'
import { useAct } from './useAct.ts'

type Props = {
  readonly session: AdminSession
  readonly apiKey: WireApiKey
  readonly onDone: () => void
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

/** Changes what a key may. */
export function EditKeyDialog({ session, apiKey, onDone, ...dialog }: Props) {
  const [form, setForm] = useState(() => toEditForm(apiKey))
  const [errors, setErrors] = useState<FormErrors>({})
  const { busy, error, run } = useAct()
  const set = (change: Partial<KeyEditForm>) => {
    setForm({ ...form, ...change })
    setErrors({})
  }
  const submit = async () => {
    const before = toEditForm(apiKey)
    // A day that stays as it was may be over: only a new one is looked at.
    const checked = form.expiresAt === before.expiresAt ? { ...form, expiresAt: '' } : form
    const found = checkForm(checked, new Date().toISOString().slice(0, 10))
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const done = await run(
      () => callAdmin<object>(session, keyUpdateUrl(apiKey.fullId), toKeyEdit(apiKey, form)),
      'Failed to update key',
    )
    if (!done) return
    notify('Key updated successfully!')
    onDone()
  }
  return (
    <FormDialog
      {...dialog}
      title="Edit API Key"
      subtitle={
        <>
          <bdi>{describeOwner(apiKey)}</bdi> · <span className="font-mono">{apiKey.id}</span> · {tierTexts[apiKey.tier]}
        </>
      }
      submitText="Save Changes"
      busyText="Saving…"
      busy={busy}
      error={error}
      onSubmit={() => void submit()}
    >
      <div className="grid gap-x-4 gap-y-2 tablet:grid-cols-2">
        <TextField
          label="Daily limit *"
          inputMode="numeric"
          autoComplete="off"
          value={form.requestsPerDay}
          onChange={(event) => set({ requestsPerDay: event.target.value })}
          error={errors.requestsPerDay}
          hint="Requests in a UTC day, from now on"
        />
        <TextField
          label="Expiry date"
          type="date"
          disabled={!canExpire(apiKey.tier)}
          value={form.expiresAt}
          onChange={(event) => set({ expiresAt: event.target.value })}
          error={errors.expiresAt}
          hint={canExpire(apiKey.tier) ? 'UTC. Empty: no expiration' : 'A key of this tier does not expire'}
        />
      </div>
      <NoteField value={form.note} onChange={(note) => set({ note })} />
    </FormDialog>
  )
}
