import { Failure } from '@chainboard/core'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { TableRow } from '../store/tableRows.ts'

// A backup is gzip over lines of JSON: the header, then for each table of the header its rows as arrays in the order of its
// columns, then the end with a checksum. It says nothing of the engine that it came from but the name.

/** Of what is written; backups of earlier versions are read, too. */
export const formatVersion = 1

/** One table of a backup: what its rows' values are, and how many rows there are. */
export type BackupTable = { readonly name: string; readonly columns: readonly string[]; readonly rows: number }

export type BackupHeader = {
  readonly format: 'chainboard-backup'
  readonly version: number
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** As in `NETWORK`. */
  readonly network: string
  readonly engine: 'sqlite' | 'postgres'
  /** Names of the migrations that made the tables, in order. */
  readonly migrations: readonly string[]
  readonly withIndex: boolean
  /** Chain and scope of the index, and its newest block; null without one. */
  readonly index: { readonly identity: string; readonly block: number | null } | null
  /** By what the pepper is recognised without which no PIN in here can be tried; null where there is none. */
  readonly pepperMark: string | null
  readonly users: number
  readonly tables: readonly BackupTable[]
}

/** The last line. `sha256` is over all bytes before it, as hexadecimal. */
export type BackupEnd = { readonly end: true; readonly rows: number; readonly sha256: string }

/** What headers of all versions have. */
const markShape = Type.Object({ format: Type.Literal('chainboard-backup'), version: Type.Number() })
const headerShape = Type.Object({
  ...markShape.properties,
  createdAt: Type.String(),
  network: Type.String(),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  migrations: Type.Array(Type.String()),
  withIndex: Type.Boolean(),
  index: Type.Union([Type.Object({ identity: Type.String(), block: Type.Union([Type.Number(), Type.Null()]) }), Type.Null()]),
  pepperMark: Type.Union([Type.String(), Type.Null()]),
  users: Type.Number(),
  tables: Type.Array(Type.Object({ name: Type.String(), columns: Type.Array(Type.String()), rows: Type.Number() })),
})
const endShape = Type.Object({ end: Type.Literal(true), rows: Type.Number(), sha256: Type.String() })

type Coded = string | number | null | { readonly base64: string } | { readonly int: string }

/**
 * A row as its line has it. Every value comes back as it was: whole numbers beyond 2^53 and bytes are written as objects.
 * @throws Failure `store-damaged` for what no column of ours can hold
 */
export function encodeRow(row: TableRow, { name, columns }: Pick<BackupTable, 'name' | 'columns'>): string {
  return JSON.stringify(columns.map((column) => encodeValue(row[column], `${name}.${column}`)))
}

function encodeValue(value: unknown, place: string): Coded {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'bigint') return { int: String(value) }
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  // A whole number beyond 2^53 may have been rounded already when it was read.
  const exact = typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (exact) return value
  throw new Failure(
    'store-damaged',
    `${place} has a value that cannot be backed up exactly: found ${typeof value} ${String(value)}.`,
  )
}

/** What a file has that no backup has. `readBackup` puts the file's name before it. */
export class BrokenBackup extends Error {}

/** @throws BrokenBackup when the line is no row of this table */
export function decodeRow(line: string, { columns }: BackupTable): TableRow {
  const values: unknown = JSON.parse(line)
  if (!Array.isArray(values) || values.length !== columns.length)
    throw new BrokenBackup(`expected a row of ${columns.length} values`)
  return Object.fromEntries(columns.map((column, i) => [column, decodeValue(values[i])]))
}

function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('int' in value && typeof value.int === 'string') return BigInt(value.int)
  if ('base64' in value && typeof value.base64 === 'string') return new Uint8Array(Buffer.from(value.base64, 'base64'))
  throw new BrokenBackup('a value in it is of no known kind')
}

/** @throws BrokenBackup when the line is no header; Failure `request-invalid` when it is one of a later format */
export function decodeHeader(line: string): BackupHeader {
  const header: unknown = JSON.parse(line)
  if (!Value.Check(markShape, header)) throw new BrokenBackup('it has no header')
  if (header.version > formatVersion)
    throw new Failure(
      'request-invalid',
      `The backup has format ${header.version}, and this version of Chainboard reads up to ${formatVersion}: restore it with the version that made it, or a later one.`,
    )
  if (!Value.Check(headerShape, header)) throw new BrokenBackup('its header is not complete')
  return header
}

/** @throws BrokenBackup when the line is no end */
export function decodeEnd(line: string): BackupEnd {
  const last: unknown = JSON.parse(line)
  if (!Value.Check(endShape, last)) throw new BrokenBackup('it has no end')
  return last
}
