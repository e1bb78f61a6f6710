import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those it is in. Node's own `recursive` tries without end where the system refuses every folder with ENOENT,
 * as in `/proc`.
 * @throws what the system says
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process of ours was first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
