import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { findScope, markValued, widenScope } from '../store/indexScope.ts'
import { findAsked } from '../store/oldDollars.ts'
import type { Store } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, poolOf, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { falsifyDollars } from '../testing/falsify.ts'
import { scopeOf } from '../testing/growingScope.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { findNewestSpan, type RevalueDeps, revalueHour, revalueNewestHour } from './revalue.ts'
import type { WorldHolder } from './worldHolder.ts'

// The newest hours of an index are valued before all others, for a token that was added.

const stores = createTempStores()
const [first, second, third] = tokens as [Address, Address, Address]
const listed = new Set([first, second])
const options = { factory, confirmations: 0, spanMax: 30, scope: scopeOf(listed), mayRestart: false }
const toDeps = (store: Store, holder: WorldHolder = { world: undefined }): RevalueDeps => ({
  ...{ store, holder, valuation: options.scope.valuation, isOurs: () => true },
})

function threeDays(): FakeChain {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), ...poolCreated(4), poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  mineSome(chain, { blocks: 60, seed: 4, secondsLater: 3_000 })
  chain.mine([poolEvent(4, 0, 90), poolEvent(4, 5, 33)], 3_000)
  mineSome(chain, { blocks: 50, seed: 9, secondsLater: 1_500 })
  return chain
}

/** An index of which all dollars are wrong, as a token's pools came into it. */
async function begin(chain: FakeChain, engine: Store['engine']) {
  const store = await stores.openNew(engine)
  const follower = follow(chain, store, options)
  await untilSynced(chain, follower)
  await follower.stop()
  const wanted = await dumpIndex(store)
  await falsifyDollars(store, 0)
  await store.write(async (tx) => {
    await tx.deleteFrom('scope_tokens').where('token', '=', second).execute()
    await widenScope(tx, listed)
  })
  return { store, wanted }
}

async function valueNewest(deps: RevalueDeps): Promise<number> {
  let hours = 0
  for (let left = await findNewestSpan(deps); left; hours += 1) left = await revalueNewestHour(deps, left)
  return hours
}

type Dump = Awaited<ReturnType<typeof dumpIndex>>

/** What the market shows of a day: volumes, prices, confidence. Totals run on from what is wrong. */
function newestOf({ hours: poolHours, tokenHours, swaps }: Dump, since: number) {
  return {
    pools: poolHours
      .filter(({ start }) => start >= since)
      .map(({ pool, start, volume_usd, fees_usd, tvl_usd, sqrt_price_x96 }) => [
        pool,
        start,
        volume_usd,
        fees_usd,
        tvl_usd,
        sqrt_price_x96,
      ]),
    tokens: tokenHours
      .filter(({ start }) => start >= since)
      .map(({ token, start, volume_usd, price_usd, open, high, low, trust }) => [
        token,
        start,
        volume_usd,
        price_usd,
        open,
        high,
        low,
        trust,
      ]),
    swaps: swaps.filter(({ timestamp }) => timestamp >= since).map(({ amount_usd }) => amount_usd),
  }
}

describe.each(engines)('the newest hours of an index (%s)', (engine) => {
  it('are valued first for a token that was added, as from scratch; the rest is still asked for, and valued after them', {
    timeout: 120_000,
  }, async () => {
    const chain = threeDays()
    const { store, wanted } = await begin(chain, engine)
    const since = Math.floor(((await chain.readHead()).timestampSeconds - 86_400) / 3_600) * 3_600
    expect(newestOf(await dumpIndex(store), since)).not.toEqual(newestOf(wanted, since))
    const deps = toDeps(store)
    const hours = await valueNewest(deps)
    expect(hours).toBeGreaterThan(15)
    expect(hours).toBeLessThan(30)
    const now = await dumpIndex(store)
    expect(newestOf(now, since)).toEqual(newestOf(wanted, since))
    expect(newestOf(wanted, since).swaps.some((usd) => Number(usd) > 0)).toBe(true)
    expect(now).not.toEqual(wanted)
    expect(await findAsked(store.read)).toMatchObject({ fromBlock: 0 })
    expect(await findScope(store.read)).toMatchObject({ unvalued: new Set([second]), newestValued: new Set([second]) })
    // Once: the next hours are the oldest ones.
    expect(await findNewestSpan(deps)).toBeUndefined()
    while (await revalueHour(deps));
    await store.write(markValued)
    expect(await dumpIndex(store)).toEqual(wanted)
    expect(await findScope(store.read)).toMatchObject({ unvalued: new Set(), newestValued: new Set() })
  })

  it('are valued again from their beginning after a kill, and nothing counts as valued before that', {
    timeout: 120_000,
  }, async () => {
    const chain = threeDays()
    const { store, wanted } = await begin(chain, engine)
    for (let left = await findNewestSpan(toDeps(store)), hours = 0; left && hours < 9; hours += 1) {
      const killed: Store = {
        ...store,
        write: (work) =>
          store.write(async (tx) => {
            await work(tx)
            throw new Error('killed')
          }),
      }
      await expect(revalueNewestHour(toDeps(killed), left)).rejects.toThrow('killed')
      left = await revalueNewestHour(toDeps(store), left)
    }
    expect((await findScope(store.read))?.newestValued).toEqual(new Set())
    await valueNewest(toDeps(store))
    expect((await findScope(store.read))?.newestValued).toEqual(new Set([second]))
    while (await revalueHour(toDeps(store)));
    await store.write(markValued)
    expect(await dumpIndex(store)).toEqual(wanted)
  })

  it('are those of the branch that is there after a reorg in the middle of them', { timeout: 120_000 }, async () => {
    const chain = threeDays()
    const { store } = await begin(chain, engine)
    const holder: WorldHolder = { world: undefined }
    const deps = toDeps(store, holder)
    let left = await findNewestSpan(deps)
    const begun = left?.next ?? 0
    for (let hours = 0; left && hours < 12; hours += 1) left = await revalueNewestHour(deps, left)
    const next = left?.next ?? 0
    expect(next).toBeGreaterThan(begun)
    // Below what is valued, and below what is about to be.
    chain.cut(chain.height - next + 8)
    mineSome(chain, { blocks: 60, seed: 17, secondsLater: 1_500 })
    const follower = follow(chain, store, { ...options, holder })
    await untilSynced(chain, follower)
    await follower.stop()
    while (left) left = await revalueNewestHour(deps, left)
    const scratch = await stores.openNew(engine)
    const other = follow(chain, scratch, options)
    await untilSynced(chain, other)
    await other.stop()
    const wanted = await dumpIndex(scratch)
    const since = Math.floor(((await chain.readHead()).timestampSeconds - 86_400) / 3_600) * 3_600
    expect(newestOf(await dumpIndex(store), since)).toEqual(newestOf(wanted, since))
    while (await revalueHour(deps));
    await store.write(markValued)
    expect(await dumpIndex(store)).toEqual(wanted)
    expect(wanted.pools.map(({ address }) => address)).toContain(poolOf(4))
  })

  it('begin again for a token that comes in the middle of them, and count as valued for those alone that they began with', async () => {
    const { store } = await begin(threeDays(), engine)
    const deps = toDeps(store)
    const begun = await findNewestSpan(deps)
    let left = begun && (await revalueNewestHour(deps, begun))
    expect(await findNewestSpan(deps, left)).toBe(left)
    await store.write((tx) => widenScope(tx, new Set([third])))
    const again = await findNewestSpan(deps, left)
    expect(again).toEqual({ ...begun, tokens: [second, third] })
    // As if it had come while the last hour was valued.
    while (left) left = await revalueNewestHour(deps, left)
    expect((await findScope(store.read))?.newestValued).toEqual(new Set([second]))
    for (left = again; left; ) left = await revalueNewestHour(deps, left)
    expect((await findScope(store.read))?.newestValued).toEqual(new Set([second, third]))
  })

  it('are left in their turn where they are all that there is', async () => {
    const chain = new FakeChain()
    for (const address of tokens)
      chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
    chain.mine([...poolCreated(0), poolEvent(0, 0, 300), poolEvent(0, 5, 12)])
    const { store } = await begin(chain, engine)
    expect(await findNewestSpan(toDeps(store))).toBeUndefined()
  })
})
