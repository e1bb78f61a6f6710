import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '@chainboard/core'
import { makeFolder } from '../store/makeFolder.ts'
import { claimPepperMark, findPepperMark, savePepperMark } from '../store/pepperMark.ts'
import type { Store } from '../store/store.ts'
import { hasUsers } from '../store/users.ts'
import { createKeyedHash } from './keyedHash.ts'

export type PepperPlace = {
  /** Beside the data, readable by its owner alone. */
  readonly file: string
  /** The pepper itself, when it is kept outside. Secret. */
  readonly given: string | undefined
}

const pepperBytes = 32

/**
 * Refuses to begin without a given pepper where several servers may be on one database: each would make its own, right PINs would be
 * refused, and others could be tried once more at each server.
 * @throws Failure `config-invalid`
 */
export function requireGivenPepper({ file, given }: PepperPlace): void {
  if (given !== undefined) return
  const own = existsSync(file)
    ? `This server has used the one in ${file} until now: set PIN_PEPPER to what is in that file, on every server.`
    : 'Make one with "openssl rand -hex 32", keep it, and set PIN_PEPPER to it on every server.'
  throw new Failure(
    'config-invalid',
    `With DATABASE_URL, PIN_PEPPER must be set: all servers on a database need the same one. ${own}`,
  )
}

/**
 * The secret without which no PIN can be tried against the database: the given one, else the file's, else a new one that is
 * durable before anybody can register with it. On a PostgreSQL the first server's is the only one, also before anybody has registered.
 * @throws Failure `config-invalid` when PINs in the database were hashed with another one, or the file cannot be used
 */
export async function loadPepper(store: Store, { file, given }: PepperPlace): Promise<string> {
  const known = findPepper({ file, given })
  const pepper = known ?? ((await hasUsers(store.read)) ? undefined : makePepper(file))
  if (pepper === undefined) throw lost(`the file is missing`, file)
  const mark = toMark(pepper)
  const saved =
    store.engine === 'postgres' ? await store.write((tx) => claimPepperMark(tx, mark)) : await findPepperMark(store.read)
  if (saved === mark) return pepper
  if (saved !== undefined && (await hasUsers(store.read))) throw lost('it is a different one', given ? undefined : file)
  if (saved !== undefined && store.engine === 'postgres') throw foreign()
  await store.write((tx) => savePepperMark(tx, mark))
  return pepper
}

function foreign(): Failure {
  return new Failure(
    'config-invalid',
    'Another server already uses this database with a different PIN_PEPPER: set the same one on every server. Nobody has registered yet. To begin with this one, stop all servers and run "delete from pepper_mark" in the database.',
  )
}

/** The pepper of this place, without making one; undefined when there is none. */
export function findPepper({ file, given }: PepperPlace): string | undefined {
  return given ?? readPepper(file)
}

/** By what the pepper of this place is recognised, without making one; undefined when there is none. */
export function findMarkOfPepper(place: PepperPlace): string | undefined {
  const pepper = findPepper(place)
  return pepper === undefined ? undefined : toMark(pepper)
}

function toMark(pepper: string): string {
  return createKeyedHash(pepper)('mark', '')
}

function lost(why: string, file: string | undefined): Failure {
  const place = file ?? 'PIN_PEPPER'
  return new Failure(
    'config-invalid',
    `The database has users, and their PINs need the pepper they were made with, but ${why} (${place}). Put the right one there or into PIN_PEPPER. Without it no user can sign in.`,
  )
}

function unusable(what: 'read' | 'made', file: string, code: string | undefined): Failure {
  const remedy = {
    read: "it must be a file that the server's user may read. Put your copy of it back, or set PIN_PEPPER",
    made: "its folder must be one that the server's user may write to. Set DATA_DIR to such a folder, or set PIN_PEPPER",
  }
  return new Failure('config-invalid', `The pepper cannot be ${what} at ${file} (${code}): ${remedy[what]}.`)
}

function readPepper(file: string): string | undefined {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = readSystemError(error)
    if (code === 'ENOENT') return undefined
    throw unusable('read', file, code)
  }
  if (content.trim()) return content.trim()
  throw new Failure(
    'config-invalid',
    `The file ${file} is empty: put the pepper back, or delete the file if no user has registered`,
  )
}

/** Whole and on the disk, or not there: it is written under another name and gets its own in one step, which fails if it is taken. */
function makePepper(file: string): string {
  try {
    return makePepperFile(file)
  } catch (error) {
    const { code, syscall } = readSystemError(error)
    throw syscall ? unusable('made', file, code) : error
  }
}

function makePepperFile(file: string): string {
  const pepper = randomBytes(pepperBytes).toString('hex')
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  makeFolder(dirname(file))
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, `${pepper}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(draft, file)
    syncFolder(dirname(file))
    return pepper
  } catch (error) {
    // Another process of ours was first.
    const made = readSystemError(error).code === 'EEXIST' ? readPepper(file) : undefined
    if (made === undefined) throw error
    return made
  } finally {
    rmSync(draft)
  }
}

/** What of an error the system named. */
function readSystemError(error: unknown): NodeJS.ErrnoException | { readonly code?: undefined; readonly syscall?: undefined } {
  return error instanceof Error ? error : {}
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
