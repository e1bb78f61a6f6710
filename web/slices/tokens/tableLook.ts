/** Columns that the table can have besides those of the specification, from the left, and the width of each in px. */
export const extraWidths = {
  ...{ m5: 76, h1: 76, h6: 76 },
  ...{ d7: 80, spark: 112, liquidity: 88 },
  ...{ organic: 88, age: 56, confidence: 80 },
} as const

export type ExtraKey = keyof typeof extraWidths

export const isExtra = (text: string): text is ExtraKey => Object.hasOwn(extraWidths, text)

/** What is written for no further column. */
const none = 'none'

/** Columns of an address, each once: `h1.d7`. Those that the table does not know are left out; undefined when nothing is left. */
export function readColumns(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined
  if (raw === none) return none
  return [...new Set(raw.split('.').filter(isExtra))].join('.') || undefined
}

/** `['h1', 'd7']` -> `h1.d7` */
export function writeColumns(keys: readonly ExtraKey[]): string {
  return keys.join('.') || none
}

/** A window with room for more columns, which are there unless others are chosen. */
export const wideQuery = '(min-width: 1840px)'
const onWide = 'h1.h6.d7.spark.liquidity.organic.age'
/** Which columns a window has by itself. */
export const defaultColumns = (isWide: boolean): string => (isWide ? onWide : none)

/** Beside the other columns and a name of 190 px, in windows of less than 1000 px, from that, from 1232 px and wide ones. */
const rooms = [0, 140, 370, 920] as const

/** How many px a window has for further columns. @param step how many of these widths it reaches */
export function roomOf(step: number): number {
  return rooms[step] ?? 0
}

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

/** The first of these columns, as many as there is room for, in the order of the table. */
export function fitColumns(columns: string, room: number): readonly ExtraKey[] {
  let left = room
  const chosen = columns.split('.').filter(isExtra)
  const fitting = chosen.filter((key) => {
    left -= extraWidths[key]
    return left >= 0
  })
  return Object.keys(extraWidths)
    .filter(isExtra)
    .filter((key) => fitting.includes(key))
}
