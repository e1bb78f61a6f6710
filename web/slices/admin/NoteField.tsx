import { FormField, fieldLook } from './FormField.tsx'

const noteLengthMax = 500

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
