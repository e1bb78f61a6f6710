import { useState } from 'react'
import { keyUpdateUrl } from '../../lib/adminUrls.ts'
import { notify } from '../../lib/notice.ts'
import { callAdmin, useAct } from './callAdmin.ts'
import { describeOwner, tierTexts } from './describeKey.ts'
import { FormDialog } from './FormDialog.tsx'
import { KeyLimitFields, NoteField } from './KeyFields.tsx'
import type { KeyDialogProps } from './keyDialogProps.ts'
import { canExpire, checkForm, type FormErrors, type KeyEditForm, toEditForm, toKeyEdit } from './keyForm.ts'

/** Changes what a key may. */
export function EditKeyDialog({ session, apiKey, onDone, ...dialog }: KeyDialogProps) {
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
        <KeyLimitFields
          form={form}
          errors={errors}
          onChange={set}
          limitHint="Requests per UTC day, from now on"
          emptyDay={canExpire(apiKey.tier) ? 'no expiration' : undefined}
        />
      </div>
      <NoteField value={form.note} onChange={(note) => set({ note })} />
    </FormDialog>
  )
}
