import { createHash } from 'node:crypto'

/**
 * SHA-256, in hexadecimal, of a value's canonical text: JSON without blanks, the fields of each object in the order of their
 * names by code units, numbers and texts as `JSON.stringify` writes them.
 */
export function toChecksum(value: unknown): string {
  return createHash('sha256').update(toCanonicalText(value)).digest('hex')
}

/** JSON with the fields of every object in the order of their names, and without spaces: equal values give equal texts. */
export function toCanonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toCanonicalText(field)}`).join(',')}}`
}
