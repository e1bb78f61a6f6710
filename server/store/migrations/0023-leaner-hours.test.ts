import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { dumpIndex } from '../../testing/dumpIndex.ts'
import { rows } from '../../testing/graphFixture.ts'
import { createTempStores } from '../../testing/tempStores.ts'
import { migrateStore } from '../migrateStore.ts'
import { openStore } from '../openStore.ts'
import { openSqlite } from '../sqlite/openSqlite.ts'
import type { Store } from '../store.ts'
import { insertRows } from '../tableRows.ts'
import { droppedColumns } from '../tables.ts'
import { migrationsFor } from './index.ts'

const stores = createTempStores()
const before = Object.fromEntries(Object.entries(migrationsFor('sqlite')).filter(([name]) => name < '0023-leaner-hours'))
const own = Object.fromEntries(Object.entries(migrationsFor('sqlite')).filter(([name]) => name <= '0023-leaner-hours'))
const hour = 3_600

/** Hours and days in no order of time, as an index has them that older pools were added to. */
const starts = [7, 3, 5, 1, 9, 2].map((n) => 1_728_000_000 + n * hour)
const periods = ['pool_hours', 'pool_days', 'token_hours', 'token_days'] as const
const fixture = {
  ...rows,
  ...Object.fromEntries(
    periods.map((table) => [
      table,
      starts.map((start, i) => ({ ...rows[table]?.[0], start, volume_usd: `${i}${'0'.repeat(20)}` })),
    ]),
  ),
}

async function openBefore(file: string): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true })
  const store = await openSqlite(file, (db) => migrateStore(db, 'sqlite', before))
  await store.write(async (tx) => {
    for (const [table, list] of Object.entries(fixture)) {
      const dropped = Object.fromEntries((droppedColumns[table] ?? []).map((name) => [name, '77']))
      await insertRows(tx, table, list.map((row) => ({ ...row, ...dropped })) as never)
    }
  })
  return store
}

const withoutDropped = (table: string, list: readonly object[]) =>
  list.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !droppedColumns[table]?.includes(name))))

describe('a store of before with hours and days in it', () => {
  it('has the same rows after the upgrade, without what others say, too', async () => {
    const file = join(stores.dir, 'upgraded', 'chainboard.db')
    const old = await openBefore(file)
    const wanted = await dumpIndex(old)
    await old.close()
    expect(wanted.hours[0]).toMatchObject({ total_fees_usd: '77' })
    const store = await openSqlite(file, (db) => migrateStore(db, 'sqlite', own))
    expect(await dumpIndex(store)).toEqual({
      ...wanted,
      hours: withoutDropped('pool_hours', wanted.hours),
      days: withoutDropped('pool_days', wanted.days),
      tokenHours: withoutDropped('token_hours', wanted.tokenHours),
      tokenDays: withoutDropped('token_days', wanted.tokenDays),
    })
    const [day] = await store.read
      .selectFrom('pool_days')
      .selectAll()
      .where('start', '=', starts[0] as number)
      .execute()
    expect(Object.keys(day ?? {})).not.toContain('reserve0')
    expect(day).toMatchObject({ total_volume_usd: '1500500000000000000000', volume_usd: '0' })
    await store.close()
  })

  it('is as before when the upgrade fails at its end, and is upgraded by the next one', async () => {
    const file = join(stores.dir, 'failed', 'chainboard.db')
    const old = await openBefore(file)
    const wanted = await dumpIndex(old)
    const failing = { up: () => Promise.reject(new Error('killed')) }
    const upgrade = old.write((tx) => migrateStore(tx, 'sqlite', { ...migrationsFor('sqlite'), '9999-killed': failing }))
    await expect(upgrade).rejects.toThrow('killed')
    expect(await dumpIndex(old)).toEqual(wanted)
    await old.close()
    await (await openStore({ file })).close()
    const db = new DatabaseSync(file, { readOnly: true })
    expect(db.prepare("select count(*) as n from sqlite_master where name like '%_before'").get()).toEqual({ n: 0 })
    expect(db.prepare('select count(*) as n from token_hours').get()).toEqual({ n: starts.length })
    db.close()
  })
})
