import { Failure } from '@chainboard/core'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { pipeline } from './pipelined.ts'
import type { Schema } from './schema.ts'
import type { Tx } from './store.ts'

/** Values by their columns. */
type Row = Readonly<Record<string, unknown>>

/** Rows of one statement that is written each time. */
const rowsPerInsert = 100
/**
 * Longer slices of rows have one of these lengths, so that few statements are made, and all of them can be kept. 500 rows x 30 columns stay below
 * SQLite's 32,766 parameters.
 */
const insertLengths = [500, rowsPerInsert, 50, 20]

/**
 * After every block and every time that there is. A search that has no end of its own gets this one: PostgreSQL takes a search open at
 * one end for a third of a table that it has no statistics of yet, as after a restore, and reads all of it.
 */
export const noEnd = Number.MAX_SAFE_INTEGER

/**
 * Runs `insert` for slices of `rows` that one statement can carry; not at all for none. Each is begun while the one before is under
 * way, so that its SQL is made meanwhile: a transaction runs them in this order. When it ends, none is left under way.
 */
export async function inSlices<T>(
  rows: readonly T[],
  insert: (slice: T[]) => Promise<unknown>,
  lengths: readonly number[] = [rowsPerInsert],
): Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  for (const slice of slicesOf(rows, lengths)) {
    const next = insert(slice)
    const ended = next.catch(() => undefined)
    await last.catch(async (error: unknown) => {
      await ended
      throw error
    })
    last = next
  }
  await last
}

/** For reads: the answers of all slices in one list. */
export async function collectSlices<K, R>(keys: readonly K[], read: (slice: K[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = []
  for (const slice of slicesOf(keys, [rowsPerInsert])) rows.push(...(await read(slice)))
  return rows
}

/** Of the first of these lengths that there are rows for; the last slice has what is left. */
function* slicesOf<T>(rows: readonly T[], lengths: readonly number[]): Generator<T[]> {
  for (let from = 0; from < rows.length; ) {
    const left = rows.length - from
    const length = lengths.find((each) => each <= left) ?? left
    yield rows.slice(from, from + length)
    from += length
  }
}

type Column<T extends keyof Schema> = keyof Schema[T] & string

/** `key`: what tells rows apart; absent: none of them is there. `replace`: what a row that is there takes over of the new one. */
type InsertShape<T extends keyof Schema> = {
  readonly table: T
  readonly key?: readonly Column<T>[]
  readonly replace?: readonly Column<T>[]
}

/**
 * Makes what adds rows to a table. Each statement is written once for each number of rows: writing one of 100 rows takes longer than
 * to run it. All rows have the same columns.
 */
export function createInsert<T extends keyof Schema>({ table, key, replace }: InsertShape<T>) {
  /** Of all rows: in this order the first one had them. */
  let columns: readonly string[] | undefined
  /** Statements by their number of rows, and by what writes SQL, as the databases differ in it. */
  const texts = new WeakMap<object, Map<number, string>>()
  const onConflict = replace ? sql`do update set ${sql.join(replace.map(takeOver))}` : sql`do nothing`
  const write = (tx: Tx, slice: readonly Row[], inOrder: readonly string[]): string => {
    const insert = writeInsert(table, inOrder, slice)
    return (key ? sql`${insert} on conflict (${joinNames(key)}) ${onConflict}` : insert).compile(tx).sql
  }
  return async (tx: Tx, rows: readonly Insertable<Schema[T]>[]): Promise<void> => {
    const [first] = rows
    if (!first) return
    columns ??= Object.keys(first)
    const inOrder = columns
    if (Object.keys(first).length !== inOrder.length)
      throw new TypeError(`Rows of ${table} have the columns ${inOrder.join(', ')}`)
    const { adapter } = tx.getExecutor()
    const known = texts.get(adapter) ?? new Map<number, string>()
    texts.set(adapter, known)
    const insert = (slice: Row[]) => {
      const text = known.get(slice.length) ?? write(tx, slice, inOrder)
      known.set(slice.length, text)
      const values = slice.flatMap((row) => inOrder.map((column) => row[column]))
      return tx.executeQuery(pipeline(text, values))
    }
    await inSlices<Row>(rows, insert, insertLengths)
  }
}

/** An INSERT of rows that all have these columns. */
export function writeInsert(table: string, columns: readonly string[], rows: readonly Row[]): RawBuilder<unknown> {
  const lines = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  return sql`insert into ${sql.table(table)} (${joinNames(columns)}) values ${sql.join(lines)}`
}

const joinNames = (columns: readonly string[]) => sql.join(columns.map((column) => sql.id(column)))

/** A row that is there takes the value of the one that could not be inserted. */
const takeOver = (column: string) => sql`${sql.id(column)} = ${sql.id('excluded', column)}`

/**
 * A value that rows of its kind have.
 * @throws Failure `store-damaged` when it is null
 */
export function present<V>(value: V | null, column: string): V {
  if (value !== null) return value
  throw new Failure('store-damaged', `A row has no ${column}`)
}
