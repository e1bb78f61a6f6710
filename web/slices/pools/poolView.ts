import type { PoolsQuery } from '../../lib/marketUrls.ts'

/** The orders that a visitor chooses from, the usual one first. */
export const poolSorts = [
  { value: 'liquidity', text: 'Liquidity' },
  { value: 'volume', text: '24h Volume' },
  { value: 'new', text: 'Newest' },
] as const
export const poolPageSize = 25
export const searchCharsMax = 64
const pageMax = 100_000

/** Which of all pools are shown, as the address says. `text`: the search as it was typed. */
export type PoolView = {
  readonly sort: (typeof poolSorts)[number]['value']
  readonly text: string
  readonly page: number
}

/** Keeps what the list understands of an address that somebody typed, drops the rest. */
export function readPoolView(search: URLSearchParams): PoolView {
  const asked = Number(search.get('page') ?? '1')
  return {
    sort: poolSorts.find(({ value }) => value === search.get('sort'))?.value ?? 'liquidity',
    text: (search.get('q') ?? '').slice(0, searchCharsMax),
    page: Number.isInteger(asked) && asked >= 1 && asked <= pageMax ? asked : 1,
  }
}

/** A page of the list, as its address asks for it. */
export function toPoolsQuery({ sort, text, page }: PoolView): PoolsQuery {
  const search = text.trim()
  return { sort, page, pageSize: poolPageSize, ...(search && { search }) }
}
