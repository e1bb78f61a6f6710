/** Plain `?a=b` in both directions: a token named `1e3` or `true` stays text. */
export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** {@link parseSearchText} the other way: what is undefined or empty is left out. */
export function toSearchText(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) if (value !== undefined && value !== '') query.set(key, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
