import { type Address, parseAddress } from '@chainboard/core'

/** What each page reads of its address (web/app/homeSearch.ts, web/slices/trades/feedView.ts): two that differ in other things are one page. */
const homeNames = [
  ...['q', 'sort', 'page', 'category', 'verified', 'liquidityMin', 'newDays', 'move', 'warned', 'columns', 'rows'],
  ...['token', 'chart', 'range', 'view', 'swaps', 'boost'],
]
const feedNames = ['side', 'over', 'wallet', 'before']
const valueCharsMax = 64

const ofAddress = /^\/(token|pool|wallet)\/([^/]+)(\/receipt)?\/?$/

/**
 * The path that a page is drawn under, without what changes nothing; undefined for a page that browsers draw alone.
 * @param isListed tells whether the site has a token
 */
export function toDrawnPath(url: string, isListed: (token: Address) => boolean): string | undefined {
  const [asked = '', query = ''] = url.split('?')
  const page = findPage(asked, isListed)
  if (!page) return undefined
  const given = new URLSearchParams(query)
  const kept = new URLSearchParams()
  for (const name of page.names) {
    const value = given.getAll(name).at(-1)?.slice(0, valueCharsMax)
    if (value) kept.set(name, value)
  }
  return kept.size === 0 ? page.path : `${page.path}?${kept}`
}

type Page = { readonly path: string; readonly names: readonly string[] }

function findPage(asked: string, isListed: (token: Address) => boolean): Page | undefined {
  if (asked === '/') return { path: asked, names: homeNames }
  if (asked === '/pools') return { path: asked, names: ['q', 'sort', 'page'] }
  if (asked === '/swaps') return { path: asked, names: feedNames }
  const [, kind, text = '', receipt] = ofAddress.exec(asked) ?? []
  const address = parseAddress(text)
  if (!kind || !address) return undefined
  if (kind === 'token') {
    if (!isListed(address)) return undefined
    return { path: `/token/${address}${receipt ?? ''}`, names: receipt ? [] : ['tab', ...feedNames] }
  }
  return receipt ? undefined : { path: `/${kind}/${address}`, names: feedNames }
}
