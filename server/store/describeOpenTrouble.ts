import { Failure, type FailureCode, findErrorCode } from '@chainboard/core'
import type { Locker } from './findLocker.ts'
import type { StoreLocation } from './storeLocation.ts'
import { findDriverError } from './toStoreFailure.ts'

/** Errors of the drivers as they come: SQLite's have `errcode`, those of the system and of PostgreSQL have `code`. */
type Trouble = {
  readonly code?: string | undefined
  readonly errcode?: number
  readonly message?: string
  readonly syscall?: string
  readonly path?: string
}
type Verdict = { readonly code: FailureCode; readonly text: string; readonly retryable?: boolean }

const lockedState = '55P03'

/** Even to read, SQLite makes files beside the database. */
const snapshotRemedy =
  'To read a read-only snapshot, copy chainboard.db and its -wal file, if there is one, to a writable folder, and set DATA_DIR'

/** SQLite has one code for a file that it may not open, and for one that the system cannot open now. */
export const openRemedy =
  "the server's user needs write access to the file and its folder. If it has that, raise the limit of open files (ulimit -n), and check the system log for low memory or a failing disk"

/** Whether it failed since another session of PostgreSQL holds a lock. */
export function isLocked(error: unknown): boolean {
  return findErrorCode(findDriverError(error)) === lockedState
}

/**
 * Why a store could not be opened, as one sentence with cause and remedy.
 * @param locker who holds the lock, where that is the cause and it was found
 * @returns a Failure; the error itself where neither the database nor the system spoke, which is a bug of ours
 */
export function describeOpenTrouble(error: unknown, location: StoreLocation, locker?: Locker): unknown {
  const raw = findDriverError(error)
  if (raw instanceof Failure || !(raw instanceof Error)) return error
  const verdict = 'file' in location ? judgeFile(raw, location.file) : judgeUrl(raw, location.databaseUrl, locker)
  if (!verdict) return error
  return new Failure(verdict.code, verdict.text, { retryable: verdict.retryable ?? false, cause: error })
}

function judgeFile({ code, errcode, message = '', syscall, path }: Trouble, file: string): Verdict | undefined {
  // The lowest byte is the kind; threads hand on the message only.
  const kind = errcode === undefined ? undefined : errcode & 0xff
  const is = (number: number, words: RegExp) => kind === number || words.test(message)
  if (/E[MN]FILE/.test(`${code} ${message}`))
    return {
      code: 'store-unavailable',
      text: `${file} cannot be opened (${message}): no file descriptors are left. Raise the limit of open files (ulimit -n).`,
      retryable: true,
    }
  if (code === 'EACCES' || code === 'EPERM')
    return { code: 'store-unavailable', text: `The server's user cannot write to the folder of ${file}: change its owner.` }
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return {
      code: 'store-unavailable',
      text: `The folder of ${file} cannot be created: a file is in its place. Set DATA_DIR to a folder.`,
    }
  if (code === 'ENOENT' && syscall === 'mkdir')
    return {
      code: 'store-unavailable',
      text: `The folder ${path} cannot be created (${code}): set DATA_DIR to a folder on a disk.`,
    }
  if (code === 'ENOSPC' || is(13, /disk is full/))
    return { code: 'store-full', text: `The disk of ${file} is full: make room.`, retryable: true }
  if (code === 'EROFS' || is(8, /readonly database/))
    return {
      code: 'store-read-only',
      text: `${file} is on a read-only file system, or it or its folder is read-only: make both writable. ${snapshotRemedy}.`,
    }
  if (code === 'EIO' || is(10, /disk I\/O error/))
    return {
      code: 'store-unavailable',
      text: `The disk of ${file} fails (${message}): check the system log and replace the disk; if the file is lost, restore a backup (npm run restore).`,
    }
  if (is(26, /not a database/) || is(11, /malformed/))
    return {
      code: 'store-damaged',
      text: `${file} is damaged (${message}): if the system log has I/O errors, the disk is failing. Move the file and its -wal file away and restore a backup (npm run restore).`,
    }
  if (/^no such table/.test(message))
    return { code: 'store-damaged', text: `${file} lacks tables (${message}): restore a backup (npm run restore).` }
  if (is(5, /database is locked/))
    return { code: 'store-in-use', text: `Another program has locked ${file}: close it.`, retryable: true }
  if (is(14, /unable to open/))
    return {
      code: 'store-unavailable',
      text: `${file} cannot be opened (${message}): ${openRemedy}. ${snapshotRemedy}.`,
    }
  if (kind === undefined && code === undefined) return undefined
  return { code: 'store-unavailable', text: `${file} cannot be opened (${message}).` }
}

function judgeUrl({ code, message = '' }: Trouble, databaseUrl: string, locker: Locker | undefined): Verdict | undefined {
  // Without a host, for a socket, PostgreSQL's URLs are none of the standard's.
  const url = URL.parse(databaseUrl.replace('@/', '@localhost/'))
  const unreadable = {
    code: 'config-invalid',
    text: 'DATABASE_URL is not a URL: percent-encode special characters of the password.',
  } as const
  if (!url || code === 'ERR_INVALID_URL' || message.includes('URI malformed')) return unreadable
  const host = url.searchParams.get('host') ?? url.hostname
  const place = host.startsWith('/') ? host : `${host || 'localhost'}:${url.port || '5432'}`
  const judged =
    code === lockedState
      ? judgeLock(locker, url, place)
      : (judgeNetwork({ code, message }, host, place) ?? judgeAnswer({ code, message }, url, place))
  if (judged) return { ...judged, text: `DATABASE_URL: ${judged.text}` }
  if (code === undefined) return undefined
  return { code: 'store-unavailable', text: `DATABASE_URL: PostgreSQL at ${place} cannot be used (${code}: ${message}).` }
}

function judgeLock(locker: Locker | undefined, url: URL, place: string): Verdict {
  const what = `another session has locked tables of the database "${url.pathname.slice(1)}" at ${place}`
  const text = locker
    ? `${what} (pid ${locker.pid}, ${locker.application}, ${locker.state}, since ${locker.since}). End it, with select pg_terminate_backend(${locker.pid}), and start again.`
    : `${what}. Find it in pg_locks, end it, and start again.`
  return { code: 'store-unavailable', text, retryable: true }
}

function judgeNetwork({ code = '', message = '' }: Trouble, host: string, place: string): Verdict | undefined {
  const away = (text: string): Verdict => ({ code: 'store-unavailable', text, retryable: true })
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return away(`the host "${host}" is unknown. Correct its name.`)
  if (['ECONNREFUSED', 'ENOENT'].includes(code))
    return away(`nothing listens at ${place}. Start PostgreSQL, or correct host and port.`)
  if (['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) || /timeout/i.test(message))
    return away(`${place} did not respond in time. Correct host and port, or open the firewall.`)
  if (code === 'ECONNRESET' || /connection terminated|closed the connection/i.test(message))
    return away(`${place} closed the connection. Is it PostgreSQL?`)
  if (/SSL|certificate|TLS/i.test(`${code} ${message}`))
    return { code: 'store-unavailable', text: `TLS with ${place} failed (${message}). Correct sslmode.` }
  return undefined
}

function judgeAnswer({ code = '', message = '' }: Trouble, url: URL, place: string): Verdict | undefined {
  const database = url.pathname.slice(1)
  const refused = (text: string): Verdict => ({ code: 'store-unavailable', text })
  if (code === '28P01' || code === '28000' || /password must be a string/.test(message))
    return refused(`PostgreSQL at ${place} rejects the user "${url.username}". Correct user and password.`)
  if (code === '3D000') return refused(`PostgreSQL at ${place} has no database "${database}". Create it, or correct the name.`)
  if (code === '42501')
    return refused(`the user "${url.username}" may not do this in the database "${database}" (${message}). Make it the owner.`)
  if (code === '53300')
    return { ...refused(`PostgreSQL at ${place} has no free connections. Raise max_connections.`), retryable: true }
  if (code === '57P03' || code === '57P01')
    return { ...refused(`PostgreSQL at ${place} is starting or stopping. Try again.`), retryable: true }
  if (code === '53100')
    return { code: 'store-full', text: `the disk of PostgreSQL at ${place} is full: make room.`, retryable: true }
  if (code === '25006')
    return { code: 'store-read-only', text: `PostgreSQL at ${place} is read-only. Give the address of the primary server.` }
  if (code === '42P01' || code === '3F000')
    return {
      code: 'store-damaged',
      text: `the database "${database}" lacks tables (${message}): restore a backup (npm run restore).`,
    }
  if (code === '58030')
    return {
      code: 'store-unavailable',
      text: `the disk of PostgreSQL at ${place} fails (${message}): check the system log and replace the disk.`,
    }
  if (code === 'XX001' || code === 'XX002')
    return {
      code: 'store-damaged',
      text: `the database "${database}" is damaged (${message}): restore a backup (npm run restore).`,
    }
  return undefined
}
