import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../openStore.ts'
import type { Tx } from '../store.ts'

/** What SQLite calls a commit that waits for the disk, and one that does not: pragma_synchronous. */
const [full, normal] = [2, 1]

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-commit-'))
  const store = await openStore({ file: join(folder, 'own.db') })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return store
}

async function readSynchronous(tx: Tx): Promise<unknown> {
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(tx)
  return rows[0]?.synchronous
}

it('waits for the disk at the end of a transaction, unless it is asked not to', async () => {
  const store = await open()
  expect(await store.write(readSynchronous)).toBe(full)
  expect(await store.write(readSynchronous, { asyncCommit: true })).toBe(normal)
  expect(await store.write(readSynchronous)).toBe(full)
})

it('waits for the disk after a transaction that did not, and failed', async () => {
  const store = await open()
  const fails = store.write(async () => Promise.reject(new RangeError('the work')), { asyncCommit: true })
  await expect(fails).rejects.toThrow('the work')
  expect(await store.write(readSynchronous)).toBe(full)
})

it('keeps transactions of both kinds apart that are asked for at once', async () => {
  const store = await open()
  const asked = [true, false, true, true, false].map((asyncCommit) => store.write(readSynchronous, { asyncCommit }))
  expect(await Promise.all(asked)).toEqual([normal, full, normal, normal, full])
})
