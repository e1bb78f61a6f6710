import { toDisplayText } from '@chainboard/core'
import { useState } from 'react'
import { findIgnored } from './findIgnored.ts'

/** Names what the address asked of the table and the table does not know. Of the address that the page was opened with. */
export function IgnoredNote() {
  const [ignored] = useState(() => findIgnored(new URLSearchParams(location.search)))
  if (ignored.length === 0) return null
  return (
    <ul role="status" className="pt-2 text-13 text-warn">
      {ignored.map(({ name, value, expected }) => (
        <li key={name}>
          Ignored “{name}={toDisplayText(value, '?', 32)}” in the URL: expected {expected}.
        </li>
      ))}
    </ul>
  )
}
