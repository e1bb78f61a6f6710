import type { Schema } from '../schema.ts'

const forms = ['number', 'address', 'hash'] as const

/**
 * How a column of the big tables is stored in SQLite. `number`: a whole number of any size, as a short integer or as bytes · `address`: the
 * id of a row of `addresses` · `hash`: bytes.
 */
export type Form = (typeof forms)[number]

/**
 * Each form as the type of a column. The database thereby says itself how a value that it hands out is stored, whatever a query
 * calls the column. SQLite knows none of these names, but takes the affinity from them: `int` in a name is that of integers, `blob`
 * takes values as they are, anything else is that of numbers, which leaves bytes as they are.
 */
export const columnTypes: Readonly<Record<Form, string>> = { number: 'exact_number', address: 'address_int', hash: 'hash_blob' }

/** Follows the type of a number that is null where it equals another column of its row, which is named after it. */
const sameMark = ' unless_as_'

/** What a column's type says. `sameAs`: null stands for the value of that column. */
export type ColumnForm = { readonly form: Form; readonly sameAs?: string }

const formOfType: ReadonlyMap<string, Form> = new Map(forms.map((form) => [columnTypes[form], form]))

/** Undefined for a column that is stored as it is read, and for what has no type, as an expression. */
export function parseType(type: string | null): ColumnForm | undefined {
  const [name = '', sameAs] = (type ?? '').split(sameMark)
  const form = formOfType.get(name)
  return form && { form, ...(sameAs !== undefined && { sameAs }) }
}

/** Tables with packed columns: those that grow with every swap. */
export const packedTables = [
  'swaps',
  'pool_events',
  'pool_hours',
  'pool_days',
  'token_hours',
  'token_days',
] as const satisfies readonly (keyof Schema)[]
const packed: ReadonlySet<string> = new Set(packedTables)

const addresses: ReadonlySet<string> = new Set(['pool', 'token', 'sender', 'recipient', 'owner'])
const hashes: ReadonlySet<string> = new Set(['tx_hash'])
const plain: ReadonlySet<string> = new Set([
  ...['block_number', 'log_index', 'timestamp', 'start', 'kind', 'tick', 'tick_lower', 'tick_upper'],
  ...['tx_count', 'swap_count', 'event_count', 'trust'],
])

/** The form of a column; undefined for one that is stored as it is read. */
export function findForm(table: string, column: string): Form | undefined {
  if (!packed.has(table) || plain.has(column)) return undefined
  return addresses.has(column) ? 'address' : hashes.has(column) ? 'hash' : 'number'
}

/** Most periods have few events: their prices equal the one at the end. */
const closes: Readonly<Record<string, string>> = { pool_hours: 'sqrt_price_x96', pool_days: 'sqrt_price_x96' }
const prices: ReadonlySet<string> = new Set(['open', 'high', 'low'])

/** The type of a packed column; undefined for one that is stored as it is read. */
export function typeOf(table: string, column: string): (ColumnForm & { readonly sqlType: string }) | undefined {
  const form = findForm(table, column)
  if (!form) return undefined
  if (!prices.has(column)) return { form, sqlType: columnTypes[form] }
  const sameAs = closes[table] ?? 'price_usd'
  return { form, sameAs, sqlType: `${columnTypes[form]}${sameMark}${sameAs}` }
}
