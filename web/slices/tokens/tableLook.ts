import { type ExtraKey, isExtra } from './extraColumns.tsx'

/** What is written for no further column. */
export const noColumns = 'none'

/** Columns of an address, each once: `h1.d7`. Those that the table does not know are left out; undefined when nothing is left. */
export function readColumns(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined
  if (raw === noColumns) return noColumns
  return [...new Set(raw.split('.').filter(isExtra))].join('.') || undefined
}

/** `['h1', 'd7']` -> `h1.d7` */
export function writeColumns(keys: readonly ExtraKey[]): string {
  return keys.join('.') || noColumns
}

/** A window with room for more columns, which are there unless others are chosen. */
export const wideQuery = '(min-width: 1840px)'
const onWide = 'h1.h6.d7.spark.liquidity.organic.age'
/** Which columns a window has by itself. */
export const defaultColumns = (isWide: boolean): string => (isWide ? onWide : noColumns)

const storageKey = 'tableLook'

export type TableLook = { readonly columns?: string | undefined; readonly rows?: 'dense' | 'comfortable' | undefined }

let stored = restore()

function restore(): TableLook {
  try {
    const kept = new URLSearchParams(localStorage.getItem(storageKey) ?? '')
    return { columns: readColumns(kept.get('columns')), rows: kept.get('rows') === 'dense' ? 'dense' : undefined }
  } catch {
    return {} // storage is blocked: the choice lives in the address
  }
}

/** What was chosen last, for an address that says nothing of it. */
export const readStoredLook = (): TableLook => stored

/** Keeps a choice for the next visit. */
export function storeLook({ columns, rows }: TableLook): void {
  stored = { columns, rows }
  try {
    localStorage.setItem(storageKey, new URLSearchParams({ columns: columns ?? '', rows: rows ?? '' }).toString())
  } catch {
    // as above
  }
}
