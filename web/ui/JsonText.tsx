import { Fragment, type ReactNode } from 'react'

// A name with its colon, a text, a number or a word of JSON.
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g

/** JSON with its names quiet and its figures loud. Anybody's words in it are text, nothing else. */
export function JsonText({ value }: { readonly value: unknown }) {
  const text = JSON.stringify(value, undefined, 2)
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [all, quoted, colon] = match
    parts.push(text.slice(end, match.index))
    end = match.index + all.length
    const look = quoted ? (colon ? 'text-ink-2' : 'text-up') : match[3] ? 'text-ink font-strong' : 'text-verified'
    parts.push(
      <Fragment key={match.index}>
        <span className={look}>{quoted ?? all}</span>
        {colon}
      </Fragment>,
    )
  }
  return [...parts, text.slice(end)]
}
