import type { WireToken } from '@chainboard/contract'
import { Icon } from '../ui/Icon.tsx'
import { listWarnings, nameWarnings } from './describeWarnings.ts'

/** Says beside a token's name that something is wrong with it; what, is in its details. */
export function WarningMark({ token }: { readonly token: WireToken }) {
  const name = nameWarnings(token)
  if (!name) return null
  return (
    <span role="img" aria-label={name} title={name} className="shrink-0 text-warn">
      <Icon name="warning" size={15} />
    </span>
  )
}

/** What is wrong with a token, a sentence each with its evidence. */
export function WarningLines({ token }: { readonly token: WireToken }) {
  const texts = listWarnings(token)
  if (texts.length === 0) return null
  return (
    <ul aria-label="Warnings" className="flex flex-col gap-2 border-line border-t py-3">
      {texts.map((text) => (
        <li key={text} className="flex gap-2 text-13 text-warn">
          <span className="mt-0.5">
            <Icon name="warning" size={15} />
          </span>
          <span className="min-w-0 wrap-anywhere">{text}</span>
        </li>
      ))}
    </ul>
  )
}
