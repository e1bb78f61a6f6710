import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** What a run has to find free, several times what all tests keep at one moment. */
export const roomBytesMin = 3 * 1024 ** 3
const prefix = 'chainboard-run-'

/**
 * Makes this process and all that it starts keep their temporary files in memory: a commit that takes 2.6 ms on a disk takes 0.02 ms
 * there. The files go with this process; those of a run that was killed go when the next one begins.
 * @param memory a folder whose files are kept in memory
 * @returns the folder of this run; `undefined` where the machine has no such folder or too little room, and where `TMPDIR` is set
 */
export function useMemory(memory = '/dev/shm', roomBytes = findRoom): string | undefined {
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return undefined
  for (const name of readdirSync(memory)) if (isLeft(name)) rmSync(join(memory, name), { recursive: true, force: true })
  if (roomBytes(memory) < roomBytesMin) return undefined
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // PostgreSQL runs as another user, in a folder of its own in here.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder of memory takes from the memory that programs need, too. */
function findRoom(memory: string): number {
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory())
}

/** Whether it is of a run whose process is gone. */
function isLeft(name: string): boolean {
  const [, pid] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : []
  if (pid === undefined) return false
  try {
    return !process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
