import { Failure, type FailureCode } from '@chainboard/core'
import { SqliteFault } from './sqlite/sqliteFault.ts'

/** SQLite's primary result codes: https://sqlite.org/rescode.html */
const sqliteCodes: Readonly<Record<number, FailureCode>> = {
  4: 'store-unavailable',
  5: 'store-unavailable',
  6: 'store-unavailable',
  7: 'store-unavailable',
  8: 'store-read-only',
  9: 'store-unavailable',
  10: 'store-unavailable',
  11: 'store-damaged',
  13: 'store-full',
  14: 'store-unavailable',
  15: 'store-unavailable',
  22: 'store-unavailable',
  26: 'store-damaged',
}

/** PostgreSQL's SQLSTATEs, whole or by class: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlStates: Readonly<Record<string, FailureCode>> = {
  '08': 'store-unavailable',
  '25006': 'store-read-only',
  '28': 'store-unavailable',
  '3D': 'store-unavailable',
  '40': 'store-unavailable',
  '53': 'store-unavailable',
  '53100': 'store-full',
  '55P03': 'store-unavailable',
  '57': 'store-unavailable',
  '58': 'store-unavailable',
  XX001: 'store-damaged',
  XX002: 'store-damaged',
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

/** What a database that takes statements and answers none is told as, until they end by themselves. */
export const silentText = 'The database does not answer'

const texts: Readonly<Partial<Record<FailureCode, string>>> = {
  'store-unavailable': silentText,
  'store-full': 'The disk of the database is full',
  'store-read-only': 'The database is read-only',
  'store-damaged': 'The database is damaged',
}

const retryAfterSeconds = 5

/**
 * What an error of the database means: a Failure for what is wrong with the database, else the error itself, which is our bug.
 * The Failure's `cause` is the error; its message names no host, user or path.
 */
export function toStoreFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (!code) return error
  return new Failure(code, texts[code] ?? silentText, {
    retryable: true,
    detail: { retryAfterSeconds },
    cause: error,
  })
}

/** The driver's error behind a Failure of `toStoreFailure`; of anything else, itself. */
export function findDriverError(error: unknown): unknown {
  return error instanceof Failure && texts[error.code] === error.message ? error.cause : error
}

/** Whether it is the database that failed. */
export function isStoreFailure({ code }: Failure): boolean {
  return code.startsWith('store-')
}

function codeOf(error: unknown): FailureCode | undefined {
  if (error instanceof SqliteFault) return sqliteCodes[error.errcode & 0xff]
  if (!(error instanceof Error) || error instanceof Failure) return undefined
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') {
    if (socketCodes.has(code)) return 'store-unavailable'
    if (/^[0-9A-Z]{5}$/.test(code)) return sqlStates[code] ?? sqlStates[code.slice(0, 2)]
  }
  return lostTexts.test(error.message) ? 'store-unavailable' : undefined
}
