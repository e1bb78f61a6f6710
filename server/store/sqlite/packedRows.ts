import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AddressBook } from './addressBook.ts'
import { type Form, parseType } from './packedColumns.ts'
import { type HexNumber, packHex, packNumber, unpackNumber } from './packedValues.ts'

type Row = Record<string, unknown>

/** Packs the parameters of one statement that inserts rows. */
export type Pack = (parameters: readonly unknown[], book: AddressBook) => unknown[]
/** Makes a row of the values of its columns. */
export type ToRow = (values: readonly unknown[], book: AddressBook) => Row

/** An insert as the query builder writes it: the table and its columns, then a parameter for each column of each row. */
const insertPattern = /^insert into "(\w+)" \(((?:"\w+"(?:, )?)+)\) values /

/** @returns undefined for a statement that inserts into no packed column */
export function findPack(db: DatabaseSync, sql: string): Pack | undefined {
  const [, table, list] = insertPattern.exec(sql) ?? []
  if (table === undefined || list === undefined) return undefined
  const types = new Map(
    db
      .prepare('select name, type from pragma_table_info(?)')
      .all(table)
      .map(({ name, type }) => [name as string, parseType(type as string)]),
  )
  const columns = list.split(', ').map((quoted) => quoted.slice(1, -1))
  const forms = columns.map((column) => types.get(column))
  if (!forms.some(Boolean)) return undefined
  const sameAs = forms.map((form) => (form?.sameAs === undefined ? -1 : columns.indexOf(form.sameAs)))
  return (parameters, book) => {
    const width = columns.length
    if (parameters.length % width !== 0) throw new Error(`Rows of ${table} are inserted with other values than parameters`)
    return parameters.map((value, i) => {
      const form = forms[i % width]
      if (!form || value === null || value === undefined) return value
      const same = sameAs[i % width] as number
      if (same >= 0 && parameters[i - (i % width) + same] === value) return null
      return packValue(value, form.form, book)
    })
  }
}

function packValue(value: unknown, form: Form, book: AddressBook): unknown {
  if (form === 'address') return book.idOf(String(value))
  return form === 'hash' ? packHex(String(value)) : packNumber(String(value))
}

/** How a statement is read: by which SQL, and what makes a row of the values that it gives. */
export type Reading = { readonly sql: string; readonly toRow: ToRow }

/**
 * SQLite hands out bytes as hexadecimal text: an array of bytes for each value takes node:sqlite three times as long.
 * @param columns what `sql` reads
 */
export function toReading(sql: string, columns: ReturnType<StatementSync['columns']>): Reading {
  const found = columns.map(({ name, column, table, type }) => ({ name, column, table, type, packed: parseType(type) }))
  const unpackers = found.map(({ type, packed }) => toUnpacker(type, packed?.form))
  const equal = found.flatMap(({ name, table, packed }) => {
    if (packed?.sameAs === undefined) return []
    return [{ name, source: found.find((each) => each.table === table && each.column === packed.sameAs)?.name }]
  })
  const isPacked = found.some(({ packed }) => packed)
  const selected = found.map(({ name, packed }) => toText(quote(name), packed?.form))
  return {
    sql: isPacked ? `select ${selected.join(', ')} from (${sql})` : sql,
    toRow: (values, book) => {
      const row: Row = {}
      for (let i = 0; i < found.length; i += 1)
        row[(found[i] as { name: string }).name] = unpackers[i]?.(values[i], book) ?? values[i]
      for (const { name, source } of equal) if (row[name] === null) row[name] = readSame(row, name, source)
      return row
    },
  }
}

type Unpacker = (value: unknown, book: AddressBook) => unknown

/** @returns undefined where a value is stored as it is read */
function toUnpacker(type: string | null, form: Form | undefined): Unpacker | undefined {
  // What an expression gives has no type. Of the packed values, numbers alone are read through one.
  if (type === null) return (value) => (value instanceof Uint8Array ? unpackNumber(Buffer.from(value).toString('hex')) : value)
  if (form === 'number') return (value) => unpackNumber(value as HexNumber | null)
  return form === 'address' ? (value, book) => (value === null ? null : book.addressOf(value as number)) : undefined
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function toText(name: string, form: Form | undefined): string {
  if (form === 'number') return `iif(typeof(${name}) = 'blob', hex(${name}), ${name}) as ${name}`
  return form === 'hash' ? `iif(typeof(${name}) = 'blob', '0x' || lower(hex(${name})), ${name}) as ${name}` : name
}

function readSame(row: Row, name: string, source: string | undefined): unknown {
  if (source === undefined) throw new Error(`The column ${name} was read without the one that it may equal`)
  return row[source]
}
