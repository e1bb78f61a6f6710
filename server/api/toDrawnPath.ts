/** What the page reads of the home page's address (web/app/homeSearch.ts); two addresses that differ in other things are one page. */
const homeNames = [
  ...['q', 'sort', 'page', 'category', 'verified', 'liquidityMin', 'newDays', 'move', 'warned', 'columns', 'rows'],
  ...['token', 'chart', 'range', 'view', 'swaps', 'boost'],
]
const valueCharsMax = 64

/** The path that a page is drawn under, without what changes nothing; undefined for a page that browsers draw alone. */
export function toDrawnPath(url: string): string | undefined {
  const [path = '', query = ''] = url.split('?')
  if (path !== '/') return undefined
  const asked = new URLSearchParams(query)
  const kept = new URLSearchParams()
  for (const name of homeNames) {
    const value = asked.getAll(name).at(-1)?.slice(0, valueCharsMax)
    if (value) kept.set(name, value)
  }
  return kept.size === 0 ? path : `${path}?${kept}`
}
