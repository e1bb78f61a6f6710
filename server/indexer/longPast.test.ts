import { DatabaseSync } from 'node:sqlite'
import type { Address } from '@chainboard/core'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { createReadDb, createWriteDb } from '../store/sqlite/openSqlite.ts'
import { StatementRunner } from '../store/sqlite/statementRunner.ts'
import type { Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { openWorld } from './openWorld.ts'
import { rollBack } from './rollBack.ts'
import type { Valuation } from './world.ts'

const stores = createTempStores()
const [first, second, third] = tokens as [Address, Address, Address]
/** As `follow` values. */
const valuation: Valuation = {
  stables: [first, third],
  wrappedNative: second,
  quotes: [],
  depthFloorUsdE18: 0n,
  windowSeconds: 600,
}
/** Tables that grow with the past, and steps that read them from their beginning: all of them, or all before something. */
const wholePast = /^(SCAN|SEARCH) (swaps|pool_events|transactions|(pool|token)_(hours|days)|earlier)( |$)/
const fromTheBeginning = /\((block_number|timestamp|start)<\?\)$/

/** A store on a file whose statements are noted with how SQLite runs each. */
function openExplained(file: string) {
  const plans: { sql: string; step: string }[] = []
  const open = (readOnly: boolean) => {
    const db = new DatabaseSync(file, { readOnly })
    const runner = new StatementRunner(db)
    return {
      execute: async (sql: string, parameters: readonly unknown[]) => {
        if (/^(select|insert|update|delete|with)/.test(sql))
          for (const { detail } of db.prepare(`explain query plan ${sql}`).all(...(parameters as number[])))
            plans.push({ sql, step: String(detail) })
        return runner.run(sql, parameters)
      },
      close: async () => runner.close(),
    }
  }
  const [reader, writer] = [createReadDb(open(true)), createWriteDb(open(false))]
  const store: Store = {
    engine: 'sqlite',
    read: reader,
    readConsistently: (work) => reader.transaction().execute(work),
    write: (work) => writer.transaction().execute(work),
    ping: async () => void (await sql`select 1`.execute(reader)),
    close: async () => {
      await reader.destroy()
      await writer.destroy()
    },
  }
  return { store, plans }
}

function mineChain(): FakeChain {
  const chain = new FakeChain()
  chain.mine([...poolCreated(0), ...poolCreated(1)])
  mineSome(chain, { blocks: 120, seed: 5, secondsLater: 90 })
  return chain
}

async function syncSome(chain = mineChain()) {
  const location = await stores.locateNew('sqlite')
  const store = await stores.open(location)
  const follower = follow(chain, store, { factory })
  await untilSynced(chain, follower)
  await follower.stop()
  await store.close()
  return { chain, file: (location as { file: string }).file }
}

it('neither a start nor a reorg reads the past from its beginning, however long it is', async () => {
  const { chain, file } = await syncSome()
  const { store, plans } = openExplained(file)
  const cursor = await findCursor(store.read)
  const head = cursor?.block?.number as number
  await openWorld(store.read, head, valuation)
  const statements = plans.length
  const ancestor = await chain.readHeader(head - 4)
  if (!ancestor || !cursor) throw new Error('the chain is too short')
  const scope = { factory, onlyTokens: undefined, valuation }
  await rollBack({ store, identity: cursor.identity, scope, holder: { world: undefined }, nowMs: () => 0 }, ancestor)
  await store.close()
  expect([statements > 20, plans.length > 2 * statements]).toEqual([true, true])
  const slow = plans.filter(
    ({ sql, step }) => wholePast.test(step) && (/^SCAN/.test(step) || (fromTheBeginning.test(step) && !/limit \?$/.test(sql))),
  )
  expect(slow).toEqual([])
})

it('a reorg leaves the world that the next block is folded into: it is not read again', async () => {
  const { chain, file } = await syncSome()
  const { store } = openExplained(file)
  const cursor = await findCursor(store.read)
  const ancestor = await chain.readHeader((cursor?.block?.number as number) - 4)
  if (!ancestor || !cursor) throw new Error('the chain is too short')
  const holder: Parameters<typeof rollBack>[0]['holder'] = { world: undefined }
  const scope = { factory, onlyTokens: undefined, valuation }
  await rollBack({ store, identity: cursor.identity, scope, holder, nowMs: () => 0 }, ancestor)
  const opened = await openWorld(store.read, ancestor.number, valuation)
  expect(holder.world?.pools).toEqual(opened.world.pools)
  expect(holder.world?.tokens).toEqual(opened.world.tokens)
  expect(holder.world?.hour).toEqual(opened.world.hour)
  expect(holder.world?.day).toEqual(opened.world.day)
  expect(holder.world?.windows).toEqual(opened.world.windows)
  expect((await dumpIndex(store)).swaps.at(-1)?.block_number).toBeLessThanOrEqual(ancestor.number)
  await store.close()
})

it('blocks that come while a reorg is worked out are seen: it is worked out again', async () => {
  const { chain, file } = await syncSome()
  const { store } = openExplained(file)
  const cursor = await findCursor(store.read)
  const ancestor = await chain.readHeader((cursor?.block?.number as number) - 4)
  if (!ancestor || !cursor) throw new Error('the chain is too short')
  let readings = 0
  const interrupted: Store = {
    ...store,
    readConsistently: async (work) => {
      const result = await store.readConsistently(work)
      readings += 1
      // Somebody asks for blocks to be valued again, just now.
      if (readings === 1)
        await store.write((tx) => tx.insertInto('old_dollars').values({ from_block: 1, to_block: 2, method: 2 }).execute())
      return result
    },
  }
  const scope = { factory, onlyTokens: undefined, valuation }
  await rollBack({ store: interrupted, identity: cursor.identity, scope, holder: { world: undefined }, nowMs: () => 0 }, ancestor)
  expect(readings).toBe(2)
  expect((await findCursor(store.read))?.block?.number).toBe(ancestor.number)
  await store.close()
})

it('a pool that goes with the blocks leaves the tokens that other pools have as they were', async () => {
  const before = await syncSome()
  const chain = mineChain()
  const kept = await chain.readHead()
  // Its tokens are those of pools 0 and 1, which nothing happens to any more.
  chain.mine([...poolCreated(2), poolEvent(2, 0, 7)], 3)
  chain.mine([poolEvent(2, 5, 3)], 3)
  const { file } = await syncSome(chain)
  const { store } = openExplained(file)
  const identity = (await findCursor(store.read))?.identity as string
  const scope = { factory, onlyTokens: undefined, valuation }
  await rollBack({ store, identity, scope, holder: { world: undefined }, nowMs: () => 0 }, kept)
  const { store: scratch } = openExplained(before.file)
  expect(await dumpIndex(store)).toEqual(await dumpIndex(scratch))
  await store.close()
  await scratch.close()
})
