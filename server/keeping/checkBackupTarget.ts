import { realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { Failure } from '@chainboard/core'
import { isSystemError } from './systemError.ts'

/** What the server keeps in its folder: files with their companions, and folders. */
const ownNames = /^(chainboard\.db.*|pepper|server\.(lock|pid).*|(recent|added)(\/.*)?)$/

/**
 * A backup replaces only what was a backup before: never the data that it is made of, and nothing that is no file.
 * @param dataDir where the server keeps its files, whether or not it is there
 * @throws Failure `request-invalid`
 */
export function checkBackupTarget(file: string, dataDir: string): void {
  const found = find(file)
  if (found && !found.isFile()) throw refused(`${file} exists and is not a regular file: choose another place.`)
  const folder = toReal(dataDir)
  const isNamed = ownNames.test(relative(folder, join(toReal(dirname(resolve(file))), basename(file))))
  const isLinked = ['chainboard.db', 'pepper'].some((name) => isSame(found, find(join(folder, name))))
  if (isNamed || isLinked)
    throw refused(`${file} belongs to the server's own data in ${dataDir}: choose another place for the backup.`)
}

function find(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw refused(`${file} cannot be reached (${isSystemError(error) ? error.code : error}): choose another place.`)
  }
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino
}

/** The way without links; of what is not there, the way as it is. */
function toReal(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return resolve(folder)
  }
}

function refused(text: string): Failure {
  return new Failure('request-invalid', text)
}
