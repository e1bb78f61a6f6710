import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { findAsked } from '../store/oldDollars.ts'
import type { Store } from '../store/store.ts'
import { listTokenFacts } from '../store/tokens.ts'
import { answerToken } from '../testing/answerToken.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createMending } from './mendTokens.ts'
import { revalueHour } from './revalue.ts'

const stores = createTempStores()
const multicall: Address = `0x${'ca'.repeat(20)}`
const late = tokens[1] as Address
const options = { factory, confirmations: 6, spanMax: 7 }
const valuation = {
  ...{ stables: [tokens[0] as Address, tokens[2] as Address], wrappedNative: late },
  ...{ depthFloorUsdE18: 0n, quotes: [], windowSeconds: 600 },
}

/** An exchange of two days; its second token, in which much is counted, is set up only when `name` is called. */
function open(): { chain: FakeChain; name: (address?: Address) => void; asked: Address[] } {
  const chain = new FakeChain()
  const asked: Address[] = []
  const name = (address: Address = late) =>
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  for (const address of tokens) if (address !== late) name(address)
  chain.methods.set('eth_call', (params) => {
    const [{ to, data }] = params as [{ to: Address; data: string }]
    const facts = chain.tokens.get(to)
    if (facts) asked.push(to)
    return answerToken(facts, data)
  })
  mineSome(chain, { blocks: 4, seed: 3 })
  chain.mine([...poolCreated(0), ...poolCreated(1)])
  chain.mine([poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  for (const [seed, secondsLater] of [
    [3, 700],
    [22, 1_900],
    [4, 7_300],
  ] as const)
    mineSome(chain, { blocks: 12, seed, secondsLater })
  return { chain, name, asked }
}

async function sync(chain: FakeChain, store: Store): Promise<void> {
  const follower = follow(chain, store, options)
  await untilSynced(chain, follower)
  await follower.stop()
}

const readOpen = async (store: Store) =>
  (await listTokenFacts(store.read, { limit: 9 })).map(({ symbol, decimals }) => [symbol, decimals])

describe.each(engines)('a token that says its decimals late (%s)', (engine) => {
  it('leaves the index that a sync from scratch makes once it says them', { timeout: 120_000 }, async () => {
    const { chain, name } = open()
    const store = await stores.openNew(engine)
    await sync(chain, store)
    expect(await readOpen(store)).toEqual([
      ['T', 18],
      ['', undefined],
      ['T', 18],
    ])
    const before = await dumpIndex(store)
    name()
    const mend = createMending({ chain, store, multicall, nowMs: () => 0 })
    expect(await mend(await listTokenFacts(store.read, { limit: 9 }))).toEqual([late])
    // The first pool is in block 5.
    expect(await findAsked(store.read)).toMatchObject({ fromBlock: 5, toBlock: chain.height })
    while (await revalueHour({ store, valuation, holder: { world: undefined }, isOurs: () => true }));
    const scratch = await stores.openNew(engine)
    await sync(chain, scratch)
    const [mended, wanted] = [await dumpIndex(store), await dumpIndex(scratch)]
    expect(wanted.tokenHours).not.toEqual(before.tokenHours)
    // Supplies are followed by themselves.
    const withoutSupply = mended.tokens.map((token) => ({ ...token, total_supply: '9' }))
    expect({ ...mended, tokens: withoutSupply }).toEqual(wanted)
    await scratch.close()
    await store.close()
  })
})

it('a token that never answers is asked again after ever longer waits, of a day at most', async () => {
  const { chain, asked } = open()
  const store = await stores.openNew('sqlite')
  await sync(chain, store)
  const facts = await listTokenFacts(store.read, { limit: 9 })
  chain.tokens.set(late, { address: late, symbol: '', name: '', decimals: undefined, totalSupplyRaw: 9n })
  const minutes: number[] = []
  let nowMs = 0
  const mend = createMending({ chain, store, multicall, nowMs: () => nowMs })
  for (; nowMs <= 3 * 86_400_000; nowMs += 30_000) {
    asked.length = 0
    await mend(facts)
    if (asked.includes(late)) minutes.push(nowMs / 60_000)
    expect(asked.filter((address) => address !== late && address !== multicall)).toEqual([])
  }
  expect(minutes).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1_023, 2_047, 3_487])
  await store.close()
})

it('a symbol alone changes no dollars, and what a token said before stays', async () => {
  const { chain } = open()
  const store = await stores.openNew('sqlite')
  chain.tokens.set(late, { address: late, symbol: '', name: 'Kept', decimals: 6, totalSupplyRaw: 9n })
  await sync(chain, store)
  chain.tokens.set(late, { address: late, symbol: 'NEW', name: 'Other', decimals: 8, totalSupplyRaw: 9n })
  await createMending({ chain, store, multicall, nowMs: () => 0 })(await listTokenFacts(store.read, { limit: 9 }))
  const [, { symbol, name, decimals } = {}] = await listTokenFacts(store.read, { limit: 9 })
  expect([symbol, name, decimals]).toEqual(['NEW', 'Kept', 6])
  expect(await findAsked(store.read)).toBeUndefined()
  await store.close()
})
