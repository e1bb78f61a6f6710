import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { AddressBook } from './addressBook.ts'
import { type Form, parseType } from './packedColumns.ts'
import { packHex, packNumber, unpackNumber } from './packedValues.ts'

type Row = Record<string, unknown>

/** Packs the parameters of one statement that inserts rows. */
export type Pack = (parameters: readonly unknown[], book: AddressBook) => unknown[]
/** Makes a row of the values of its columns, which are at 0, 1, … */
export type ToRow = (values: Readonly<Record<number, SQLOutputValue>>, book: AddressBook) => Row

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
      .map(({ name, type }) => [String(name), parseType(String(type))]),
  )
  const columns = list.split(', ').map((quoted) => quoted.slice(1, -1))
  const forms = columns.map((column) => types.get(column))
  if (!forms.some(Boolean)) return undefined
  const sameAs = forms.map((form) => (form?.sameAs === undefined ? -1 : columns.indexOf(form.sameAs)))
  return (parameters, book) => {
    const width = columns.length
    if (parameters.length % width !== 0) throw new TypeError(`Rows of ${table} are inserted with other values than parameters`)
    return parameters.map((value, i) => {
      const form = forms[i % width]
      if (!form || value === null || value === undefined) return value
      const same = sameAs[i % width] ?? -1
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
  const fields = found.map(({ name, type, packed }) => ({ name, unpack: toUnpacker(type, packed?.form) }))
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
      let place = 0
      for (const { name, unpack } of fields) {
        const value = values[place]
        row[name] = unpack?.(value, book) ?? value
        place += 1
      }
      for (const { name, source } of equal) if (row[name] === null) row[name] = readSame(row, name, source)
      return row
    },
  }
}

type Unpacker = (value: SQLOutputValue | undefined, book: AddressBook) => unknown

/** @returns undefined where a value is stored as it is read */
function toUnpacker(type: string | null, form: Form | undefined): Unpacker | undefined {
  // What an expression gives has no type. Of the packed values, numbers alone are read through one.
  if (type === null) return (value) => (value instanceof Uint8Array ? unpackNumber(Buffer.from(value).toString('hex')) : value)
  if (form === 'number') return (value) => (typeof value === 'number' || typeof value === 'string' ? unpackNumber(value) : value)
  return form === 'address' ? (value, book) => (typeof value === 'number' ? book.addressOf(value) : value) : undefined
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function toText(name: string, form: Form | undefined): string {
  if (form === 'number') return `iif(typeof(${name}) = 'blob', hex(${name}), ${name}) as ${name}`
  return form === 'hash' ? `iif(typeof(${name}) = 'blob', '0x' || lower(hex(${name})), ${name}) as ${name}` : name
}

function readSame(row: Row, name: string, source: string | undefined): unknown {
  if (source === undefined) throw new TypeError(`The column ${name} was read without the one that it may equal`)
  return row[source]
}
