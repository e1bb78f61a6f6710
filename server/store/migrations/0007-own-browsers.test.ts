import { expect, it } from 'vitest'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { makeBrowsersOwn } from './0007-own-browsers.ts'

const stores = createTempStores()

it.each(engines)('browsers that several users had are forgotten on %s, and nobody else can have one again', async (engine) => {
  const store = await stores.openNew(engine)
  const row = (user_id: string, kind: 'browser' | 'network', hash: string) => ({ user_id, kind, hash, seen_at: 1 })
  await store.write(async (tx) => {
    await tx.schema.dropIndex('devices_own_browsers').execute()
    const shared = [row('ann', 'browser', 'shared'), row('bob', 'browser', 'shared')]
    const kept = [row('ann', 'browser', 'own'), row('ann', 'network', 'shared'), row('bob', 'network', 'shared')]
    await tx
      .insertInto('devices')
      .values([...shared, ...kept])
      .execute()
    await makeBrowsersOwn().up(tx)
  })
  const left = await store.read
    .selectFrom('devices')
    .select(['user_id', 'kind', 'hash'])
    .orderBy('kind')
    .orderBy('user_id')
    .execute()
  expect(left.map(({ user_id, kind, hash }) => [user_id, kind, hash])).toEqual([
    ['ann', 'browser', 'own'],
    ['ann', 'network', 'shared'],
    ['bob', 'network', 'shared'],
  ])
  const taken = store.write((tx) =>
    tx
      .insertInto('devices')
      .values(row('bob', 'browser', 'own'))
      .execute(),
  )
  await expect(taken).rejects.toThrow(/unique/i)
})
