import { useState } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { looksLikeKey, toExampleKey } from './apiExamples.ts'

type Props = { readonly value: string; readonly onChange: (key: string) => void }

function toHint(key: string): string {
  if (key === '') return 'Paste your key to use it in the examples. It stays on this page.'
  if (toExampleKey(key) === '') return 'A key has only letters and digits, so the examples don’t use this one.'
  return looksLikeKey(key)
    ? 'Used in every example below.'
    : 'This doesn’t look like a key. A key is cb_ and 38 letters and digits.'
}

/** The reader's own key, for the examples. */
export function ApiKeyField({ value, onChange }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <div className="max-w-130">
      <TextField
        label="Your API key"
        hint={toHint(value)}
        error={undefined}
        type={shown ? 'text' : 'password'}
        placeholder="cb_…"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
      >
        <IconButton
          icon={shown ? 'eyeOff' : 'eye'}
          label={shown ? 'Hide the key' : 'Show the key'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      </TextField>
    </div>
  )
}
