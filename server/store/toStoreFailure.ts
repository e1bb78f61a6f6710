import { Failure, type FailureCode, findErrorCode } from '@chainboard/core'
import { SqliteFault } from './sqlite/sqliteFault.ts'

/** What a database that takes statements and answers none is told as, until they end by themselves. */
export const silentText = 'The database is not responding'

/** What is wrong, and the sentence for who asks. It names no host, user or path. */
type Meaning = { readonly code: FailureCode; readonly text: string }

const silent: Meaning = { code: 'store-unavailable', text: silentText }
const locked: Meaning = { code: 'store-unavailable', text: 'Another session has locked tables of the database' }
const lockedFile: Meaning = { code: 'store-unavailable', text: 'Another program has locked the database' }
const full: Meaning = { code: 'store-full', text: 'The disk of the database is full' }
const readOnly: Meaning = { code: 'store-read-only', text: 'The database is read-only' }
/** SQLite tells of a page that the disk cannot read in the same words as of one with the wrong content. */
const damaged: Meaning = { code: 'store-damaged', text: 'The database is damaged, or its disk has read errors' }
const lacking: Meaning = { code: 'store-damaged', text: 'Tables of the database are missing' }
const changed: Meaning = { code: 'store-damaged', text: 'Tables of the database were changed by another program' }
const denied: Meaning = { code: 'store-unavailable', text: 'The database user has no permissions on its tables' }
const broken: Meaning = { code: 'store-unavailable', text: 'The disk of the database fails (I/O error)' }

/** SQLite's primary result codes: https://sqlite.org/rescode.html */
const sqliteCodes: Readonly<Record<number, Meaning>> = {
  4: silent,
  5: lockedFile,
  6: lockedFile,
  7: silent,
  8: readOnly,
  9: silent,
  10: broken,
  11: damaged,
  13: full,
  14: silent,
  15: silent,
  22: silent,
  26: damaged,
}

/** PostgreSQL's SQLSTATEs, whole or by class: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlStates: Readonly<Record<string, Meaning>> = {
  '08': silent,
  '25006': readOnly,
  '25P03': silent,
  '28': silent,
  '3D': silent,
  '3F000': lacking,
  '40': silent,
  '42501': denied,
  '42703': changed,
  '42P01': lacking,
  '53': silent,
  '53100': full,
  '55000': silent,
  '55P03': locked,
  '57': silent,
  '58': silent,
  '58030': broken,
  XX001: damaged,
  XX002: damaged,
}

const socketCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** What the client of PostgreSQL says without a code. */
const lostTexts =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after)/

const retryAfterSeconds = 5

/**
 * What an error of the database means: a Failure for what is wrong with the database, else the error itself, which is our bug.
 * The Failure's `cause` is the error; its message names no host, user or path.
 */
export function toStoreFailure(error: unknown): unknown {
  const meaning = meaningOf(error)
  return meaning ? toFailure(meaning, error) : error
}

/** For what is not even asked, because the database does not answer, or cannot be reached. */
export function silentDatabase(cause?: unknown): Failure {
  return toFailure(silent, cause)
}

/** Whether it is an error of the database whose meaning is known, or a Failure already. */
export function isKnown(error: unknown): boolean {
  return error instanceof Failure || meaningOf(error) !== undefined
}

function toFailure({ code, text }: Meaning, cause: unknown): Failure {
  return new Failure(code, text, { retryable: true, detail: { retryAfterSeconds }, cause })
}

/** The driver's error behind a Failure of `toStoreFailure`; of anything else, itself. */
export function findDriverError(error: unknown): unknown {
  if (!(error instanceof Failure && isStoreFailure(error) && error.cause)) return error
  // What `silentDatabase` was made of has no meaning of its own.
  return meaningOf(error.cause) || error.message === silentText ? error.cause : error
}

/** Whether it is the database that failed. */
export function isStoreFailure({ code }: Failure): boolean {
  return code.startsWith('store-')
}

function meaningOf(error: unknown): Meaning | undefined {
  if (error instanceof SqliteFault) return /^no such table/.test(error.message) ? lacking : sqliteCodes[error.errcode & 0xff]
  if (!(error instanceof Error) || error instanceof Failure) return undefined
  const code = findErrorCode(error)
  if (code !== undefined) {
    if (socketCodes.has(code)) return silent
    if (/^[0-9A-Z]{5}$/.test(code)) return sqlStates[code] ?? sqlStates[code.slice(0, 2)]
  }
  return lostTexts.test(error.message) ? silent : undefined
}
