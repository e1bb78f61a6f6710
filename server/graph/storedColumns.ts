import { type RawBuilder, sql } from 'kysely'
import { type Form, findForm, typeOf } from '../store/sqlite/packedColumns.ts'
import { packHex, packNumber } from '../store/sqlite/packedValues.ts'
import type { ColumnContext, Entity, OrderPlace, SqlContext, TableSource } from './entity.ts'
import { SchemaFault } from './graphError.ts'

// Columns in hand-written SQL by what they mean, however the database stores them: PostgreSQL as text and numbers, SQLite packed.

export type Sql = RawBuilder<unknown>

/** Bytes of a hash that SQLite's indexes have, and letters of them. */
const headBytes = 3
const headLetters = 2 * headBytes

/** Where the rows of an entity are. @throws SchemaFault for one that is kept in memory */
export function tableOf({ name, source }: Entity): TableSource {
  if (source.kind !== 'table') throw new SchemaFault(`${name} is not kept in a table`)
  return source
}

/** How SQLite stores a column; undefined where it is stored as it is read, as all are in PostgreSQL. */
export function formOf({ engine, entity }: ColumnContext, column: string): Form | undefined {
  if (engine === 'postgres') return undefined
  const { table } = tableOf(entity)
  if (table === 'transactions') return column === 'hash' || column === 'tx_hash' ? 'hash' : undefined
  return findForm(table, column)
}

const at = (column: string): Sql => sql.ref(`t.${column}`)

/** Whether a page in the order of ids has to go through the owners for it. */
export function goesByOwner(context: ColumnContext): boolean {
  return formOf(context, tableOf(context.entity).head.column) === 'address'
}

const ownersOf = { pool: 'pools', token: 'tokens' } as const

/** The tables whose rows are of transactions. */
export const eventTables = ['swaps', 'pool_events'] as const

/** What a statement reads: `t`, and `o` where it goes by owners. @param part of the transactions, those whose first event is in a table; absent: all */
export function fromOf(context: ColumnContext, part?: (typeof eventTables)[number]): Sql {
  const { table, owner } = tableOf(context.entity)
  if (part) return sql`from (${transactionsOf(part, context)}) as t`
  if (table === 'transactions')
    return sql`from (${transactionsOf('swaps', context)} union all ${transactionsOf('pool_events', context)}) as t`
  if (!context.ownerFirst || !owner) return sql`from ${sql.table(table)} as t`
  // Crossed: SQLite keeps to this order of tables.
  return sql`from ${sql.table(ownersOf[owner.column])} as o cross join ${sql.table(table)} as t
    on ${at(owner.column)} = (select id from addresses where address = o.address)`
}

/** The transactions whose first event is in a table: events of one transaction are in one block. */
function transactionsOf(table: (typeof eventTables)[number], { engine }: SqlContext): Sql {
  const head = engine === 'sqlite' ? sql`, substr(e.tx_hash, 1, ${sql.lit(headBytes)}) as head` : sql``
  // By the least place: for "not exists" PostgreSQL would join the tables before it looks at the limit.
  const noneBefore = eventTables.map(
    (each) => sql`e.log_index <= coalesce((select min(f.log_index) from ${sql.table(each)} as f
      where f.block_number = e.block_number and f.tx_hash = e.tx_hash), e.log_index)`,
  )
  return sql`select e.tx_hash as hash, e.block_number, e.log_index, e.timestamp${head} from ${sql.table(table)} as e
    where ${sql.join(noneBefore, sql` and `)}`
}

/** A column of addresses, hashes or plain text as text. */
export function textOf(column: string, context: ColumnContext): Sql {
  switch (formOf(context, column)) {
    case 'address':
      if (context.ownerFirst && column === tableOf(context.entity).owner?.column) return sql`o.address`
      return sql`(select address from addresses where id = ${at(column)})`
    case 'hash':
      return sql`('0x' || lower(hex(${at(column)})))`
    default:
      return at(column)
  }
}

/** A column with a whole number of any size as the nearest double. */
export function doubleOf(column: string, context: ColumnContext): Sql {
  if (formOf(context, column) !== 'number') return sql`cast(${at(column)} as double precision)`
  const value = storedNumber(column, context)
  return sql`(case typeof(${value}) when 'blob' then ${doubleOfBytes(value)} else cast(${value} as double precision) end)`
}

/**
 * Bytes of a packed number as the nearest double, by SQL alone: node:sqlite keeps what a function of ours is given and gives, for each row,
 * until the statement ends. The first six bytes and the next six are whole numbers that a double holds exactly, so that their sum is rounded
 * once; what comes behind them decides between two doubles at most. SQLite reads hexadecimal digits as JSON5.
 */
function doubleOfBytes(value: Sql): Sql {
  const sixFrom = (first: number) => sql`(('0x0' || hex(substr(${value}, ${sql.lit(first)}, 6))) ->> '$')`
  const first = sql`(${sixFrom(1)} - iif(${value} >= x'80', ${sql.lit(2 ** 48)}, 0))`
  const rest = sql`0.5 * (ltrim(hex(substr(${value}, 13)), '0') <> '')`
  return sql`iif(length(${value}) > 12,
    ${first} * pow(256.0, length(${value}) - 6) + (${sixFrom(7)} + ${rest}) * pow(256.0, length(${value}) - 12),
    ${first} * pow(256.0, length(${value}) - 6) + ${sixFrom(7)})`
}

/**
 * What sorts by a column with a whole number of any size. Bytes of SQLite are numbers beyond its integers, the longer the farther; of one length
 * they sort as numbers do, as a negative one has the higher bit set in all of them.
 */
export function numberOrder(column: string, context: ColumnContext): Sql[] {
  if (context.engine === 'postgres') return [at(column)]
  if (formOf(context, column) !== 'number') return [doubleOf(column, context)]
  const value = storedNumber(column, context)
  return [
    sql`(case typeof(${value}) when 'blob' then iif(${value} >= x'80', -length(${value}), length(${value})) else 0 end)`,
    value,
  ]
}

/** A packed number as it is stored, in its own column or in the one that it equals. */
function storedNumber(column: string, context: ColumnContext): Sql {
  const sameAs = typeOf(tableOf(context.entity).table, column)?.sameAs
  return sameAs === undefined ? at(column) : sql`coalesce(${at(column)}, ${at(sameAs)})`
}

/** A whole number to compare a column with. */
export function numberAs(column: string, value: string, context: ColumnContext): Sql {
  if (context.engine === 'postgres') return sql`cast(${value} as numeric)`
  return formOf(context, column) === 'number' ? sql`${packNumber(value)}` : sql`${value}`
}

/** Rows whose column is one of some texts, so that an index serves them unless it is `indexed` false. There is one at least. */
export function isOneOf(column: string, texts: readonly string[], context: ColumnContext & { readonly indexed: boolean }): Sql {
  const form = context.ownerFirst && column === tableOf(context.entity).owner?.column ? undefined : formOf(context, column)
  const place = form ? at(column) : textOf(column, context)
  const [first = ''] = texts
  const list = sql`(select value from json_each(${JSON.stringify(texts)}))`
  if (form === 'hash') {
    const bytes = (letters: Sql) => sql`in (select unhex(substr(value, 3${letters})) from json_each(${JSON.stringify(texts)}))`
    const isIt = texts.length === 1 ? sql`${place} = ${packHex(first)}` : sql`${place} ${bytes(sql``)}`
    if (!context.indexed) return isIt
    const head = hashHead(column, context)
    const begins = texts.length === 1 ? sql`= ${headFrom(first, '0')}` : bytes(sql`, ${sql.lit(headLetters)}`)
    return sql`(${head} ${begins} and ${isIt})`
  }
  if (form === 'address') {
    const own = context.indexed ? place : sql`(${place} + 0)`
    if (texts.length === 1) return sql`${own} = (select id from addresses where address = ${first})`
    return sql`${own} in (select id from addresses where address in ${list})`
  }
  const own = context.indexed ? place : sql`(${place} || '')`
  if (texts.length === 1) return sql`${own} = ${first}`
  return context.engine === 'postgres' ? sql`${own} = any(cast(${[...texts]} as text[]))` : sql`${own} in ${list}`
}

/** The bytes of a hash that an index has. */
function hashHead(column: string, { entity }: ColumnContext): Sql {
  return tableOf(entity).table === 'transactions' && column === 'hash'
    ? sql`t.head`
    : sql`substr(${at(column)}, 1, ${sql.lit(headBytes)})`
}

/** The first bytes of a hash that begins with a text; what is missing is filled. */
function headFrom(text: string, fill: '0' | 'f'): Uint8Array {
  const letters = /^0x([0-9a-f]*)/.exec(text)?.[1] ?? ''
  return Buffer.from(letters.slice(0, headLetters).padEnd(headLetters, fill), 'hex')
}

/** What sorts by a column of text. */
export function orderOf(column: string, context: ColumnContext & OrderPlace): Sql[] {
  const form = formOf(context, column)
  if (context.behind) return [form === 'hash' ? at(column) : textOf(column, context)]
  // Its first bytes alone are in an index.
  if (form === 'hash') return context.indexed ? [hashHead(column, context), at(column)] : [at(column)]
  const text = textOf(column, context)
  return [context.indexed || form === 'address' ? text : sql`(${text} || '')`]
}

/** Rows whose column of text is at or beyond one, as far as an index knows: which of these are, something else has to say. */
export function isBeyond(column: string, sign: '>=' | '<=', text: string, context: ColumnContext): Sql {
  const compared = sql.raw(sign)
  const form = formOf(context, column)
  if (form === 'hash') {
    // Everything is at or beyond a text that is no hash: its letters sort in another way.
    if (!text.startsWith('0x')) return isAnything(column, context)
    return sql`${hashHead(column, context)} ${compared} ${headFrom(text, sign === '>=' ? '0' : 'f')}`
  }
  const { owner } = tableOf(context.entity)
  if (form !== 'address' || context.ownerFirst || !owner) return sql`${textOf(column, context)} ${compared} ${text}`
  return sql`${at(column)} in (select a.id from ${sql.table(ownersOf[owner.column])} as p
    join addresses as a on a.address = p.address where p.address ${compared} ${text})`
}

/** Holds for every row, on the column that an order begins with. */
export function isAnything(column: string, context: ColumnContext): Sql {
  const { time } = tableOf(context.entity)
  if (column === time) return sql`${at(column)} >= 0`
  return formOf(context, column) === 'hash' ? sql`${hashHead(column, context)} >= ''` : sql`${textOf(column, context)} >= ''`
}
