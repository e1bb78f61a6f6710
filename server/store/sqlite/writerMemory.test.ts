import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startWriter } from './writerThread.ts'

/** A transaction that is open and has changed so many pages of 4 KiB. @returns the bytes of it in the log */
async function writePages(pages: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-writer-'))
  const file = join(folder, 'own.db')
  const writer = startWriter(file, 1_000)
  onTestFinished(async () => {
    await writer.close()
    rmSync(folder, { recursive: true })
  })
  await writer.execute('create table filled (bytes blob)', [])
  const log = `${file}-wal`
  const before = existsSync(log) ? statSync(log).size : 0
  await writer.execute('begin', [])
  const numbers = `with recursive numbers(n) as (values (1) union all select n + 1 from numbers where n < ${pages})`
  await writer.execute(`insert into filled ${numbers} select zeroblob(4000) from numbers`, [])
  const written = statSync(log).size - before
  await writer.execute('rollback', [])
  return written
}

it('writes the pages of a transaction of history once, at its end', async () => {
  expect(await writePages(10_000)).toBe(0)
})

it('keeps no more than some 64 MB of a transaction in memory, however long it is', async () => {
  expect(await writePages(40_000)).toBeGreaterThan(50_000_000)
})
