import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '@chainboard/core'
import { isSystemError } from './systemError.ts'

/**
 * Makes a file that is there whole or not at all: it is written under another name, synced to the disk, and gets its name at
 * the end. Only its owner may read it.
 * @param overwrite replaces a file of that name; without it, the file that is there stays
 * @returns what `write` does
 * @throws Failure `conflict` when the name is taken
 */
export async function makeNewFile<T>(file: string, overwrite: boolean, write: (handle: FileHandle) => Promise<T>): Promise<T> {
  if (!overwrite && existsSync(file)) throw taken(file)
  const draft = `${file}.${randomBytes(4).toString('hex')}.partial`
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw toFailure(error, file)
  })
  try {
    const written = await write(handle)
    await handle.sync()
    await handle.close()
    if (overwrite) await rename(draft, file)
    else await link(draft, file)
    await syncFolder(dirname(file))
    return written
  } catch (error) {
    throw toFailure(error, file)
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
}

/** Makes what happened to names in a folder last. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function toFailure(error: unknown, file: string): unknown {
  if (!isSystemError(error)) return error
  const { code, message, syscall } = error
  if (code === 'EEXIST') return taken(file)
  if (code === 'ENOSPC') return new Failure('store-full', `The disk of ${file} is full: make room, or choose another place.`)
  // What is no call of the system came out of the database.
  if (!syscall || !['open', 'write', 'fsync', 'rename', 'link'].includes(syscall)) return error
  return new Failure('request-invalid', `${file} cannot be written (${message}): choose another place.`, { cause: error })
}

function taken(file: string): Failure {
  return new Failure('conflict', `${file} already exists: choose another name, or add --overwrite.`)
}
