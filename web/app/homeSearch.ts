import { type ChartRange, newDaysMax, type TokenSort, tokenMoves, tokenSorts } from '@chainboard/core'
import { isChartRange } from '../lib/chartRange.ts'
import type { FilterQuery } from '../lib/urls.ts'
import { readColumns } from '../slices/tokens/tableLook.ts'

/** What of the home page lives in its address. Defaults are left out, so that the plain page is `/`. */
export type HomeSearch = FilterQuery & {
  readonly q?: string
  readonly sort?: TokenSort
  readonly page?: number
  /** Further columns of the table; `none` for those of the specification alone. */
  readonly columns?: string
  readonly rows?: 'dense' | 'comfortable'
  /** Token whose details are open. */
  readonly token?: string
  /** Token whose chart is open. */
  readonly chart?: string
  readonly range?: ChartRange
  readonly view?: 'candles'
  /** Token whose swaps are open. */
  readonly swaps?: string
  /** Token that is about to be boosted. */
  readonly boost?: string
}

/** The token of the one modal that is open. */
export type ModalSearch = { [kind in ModalKind]: Pick<HomeSearch, kind> }[ModalKind]

const modalKinds = ['token', 'chart', 'swaps', 'boost'] as const
export type ModalKind = (typeof modalKinds)[number]

/** Which modal an address asks for, and of which token. */
export function findModal(search: HomeSearch): { readonly kind: ModalKind; readonly address: string } | undefined {
  for (const kind of modalKinds) {
    const address = search[kind]
    if (address !== undefined) return { kind, address }
  }
  return undefined
}

const textCharsMax = 64
const pageMax = 100_000

function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim().slice(0, textCharsMax) : ''
  return text === '' ? undefined : text
}

/** Without a modal. */
export const noModal = {
  ...{ token: undefined, chart: undefined, range: undefined },
  ...{ view: undefined, swaps: undefined, boost: undefined },
} as const

const liquidityMax = 1e15
const yesOrNo = ['0', '1'] as const
const rowKinds = ['dense', 'comfortable'] as const

/** What of an address restricts the table. */
export function readFilter(raw: Record<string, unknown>): FilterQuery {
  const category = readText(raw.category)
  const liquidityMin = Number(raw.liquidityMin)
  const newDays = Number(raw.newDays)
  const verified = yesOrNo.find((known) => known === raw.verified)
  const warned = yesOrNo.find((known) => known === raw.warned)
  const move = tokenMoves.find((known) => known === raw.move)
  return {
    ...(category && { category }),
    ...(verified && { verified }),
    ...(liquidityMin > 0 && liquidityMin <= liquidityMax && { liquidityMin }),
    ...(Number.isInteger(newDays) && newDays > 0 && newDays <= newDaysMax && { newDays }),
    ...(move && { move }),
    ...(warned && { warned }),
  }
}

/** Keeps what the page understands of an address somebody typed, drops the rest. */
export function readHomeSearch(raw: Record<string, unknown>): HomeSearch {
  const q = readText(raw.q)
  const sort = tokenSorts.find((known) => known === raw.sort && known !== tokenSorts[0])
  const page = Number(raw.page)
  const columns = readColumns(raw.columns)
  const rows = rowKinds.find((known) => known === raw.rows)
  const token = readText(raw.token)
  const chart = token ? undefined : readText(raw.chart)
  const range = isChartRange(raw.range) && raw.range !== '1d' ? raw.range : undefined
  const swaps = token || chart ? undefined : readText(raw.swaps)
  const boost = token || chart || swaps ? undefined : readText(raw.boost)
  return {
    ...(q && { q }),
    ...(sort && { sort }),
    ...(Number.isInteger(page) && page > 1 && page <= pageMax && { page }),
    ...readFilter(raw),
    ...(columns && { columns }),
    ...(rows && { rows }),
    ...(token && { token }),
    ...(chart && { chart }),
    ...(chart && range && { range }),
    ...(chart && raw.view === 'candles' && { view: 'candles' as const }),
    ...(swaps && { swaps }),
    ...(boost && { boost }),
  }
}
