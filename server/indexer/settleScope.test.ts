import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { listAsideIndexes } from '../store/asideIndexes.ts'
import { findAsked } from '../store/oldDollars.ts'
import type { Store } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { strictLog } from '../testing/following.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import type { IndexScope } from './indexScope.ts'
import { revalueHour } from './revalue.ts'
import { describeDollars } from './settleScope.ts'

// An index whose settings of dollars change between two starts.

const stores = createTempStores()
const [first, native, third] = tokens as [Address, Address, Address]
const before: IndexScope = {
  factory,
  onlyTokens: undefined,
  valuation: { stables: [first], wrappedNative: native, depthFloorUsdE18: 0n, quotes: [], windowSeconds: 600 },
}
const changed = {
  'another stable coin': { stables: [first, third] },
  'a quote': { quotes: [third] },
  'a floor that no pool reaches': { depthFloorUsdE18: 10n ** 30n },
  'a longer window': { windowSeconds: 1_800 },
} as const

function newChain(): FakeChain {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  mineSome(chain, { blocks: 30, seed: 4, secondsLater: 700 })
  mineSome(chain, { blocks: 12, seed: 9, secondsLater: 60 })
  return chain
}

async function sync(chain: FakeChain, store: Store, scope: IndexScope, warn: (text: string) => void = () => undefined) {
  const log = { ...strictLog, warn: (_facts: object, text: string) => warn(text) }
  const follower = follow(chain, store, { factory, confirmations: 6, spanMax: 7, scope, log })
  await untilSynced(chain, follower)
  await follower.stop()
}

async function dumpFromScratch(chain: FakeChain, engine: Store['engine'], scope: IndexScope) {
  const store = await stores.openNew(engine)
  await sync(chain, store, scope)
  return dumpIndex(store)
}

const toDeps = (store: Store, { valuation }: IndexScope) => ({
  ...{ store, valuation, holder: { world: undefined }, isOurs: () => true },
})

describe.each(engines)('the settings of dollars (%s)', (engine) => {
  it.each(Object.entries(changed))('%s: stored blocks are valued again, and none is read again', async (_name, change) => {
    const chain = newChain()
    const store = await stores.openNew(engine)
    await sync(chain, store, before)
    const after = { ...before, valuation: { ...before.valuation, ...change } }
    const asked: number[] = []
    const counted = Object.assign(Object.create(chain) as FakeChain, {
      readRange: (request: Parameters<FakeChain['readRange']>[0]) => {
        asked.push(request.from)
        return chain.readRange(request)
      },
      readHistory: () => expect.fail('the history is read again'),
    })
    const warnings: string[] = []
    await sync(counted, store, after, (text) => warnings.push(text))
    expect(asked).toEqual([])
    expect(warnings).toEqual(['The US dollar settings have changed: the server revalues all blocks from the index'])
    // The window of prices is the new one before anything is valued again.
    const wanted = await dumpFromScratch(chain, engine, after)
    expect((await dumpIndex(store)).spans).toEqual(wanted.spans)
    expect(await findAsked(store.read)).toMatchObject({ fromBlock: 0, toBlock: chain.height })
    // Killed in the middle, and then with the next blocks.
    for (let hour = 0; hour < 3; hour += 1) await revalueHour(toDeps(store, after))
    chain.mine([poolEvent(0, 5, 17)])
    await sync(chain, store, after)
    while (await revalueHour(toDeps(store, after)));
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine, after))
    expect(await listAsideIndexes(store.read)).toEqual([])
  })

  it('that change back in the middle are valued again from the start', async () => {
    const chain = newChain()
    const store = await stores.openNew(engine)
    const after = { ...before, valuation: { ...before.valuation, stables: [first, third] } }
    await sync(chain, store, before)
    await sync(chain, store, after)
    for (let hour = 0; hour < 3; hour += 1) await revalueHour(toDeps(store, after))
    await sync(chain, store, before)
    // A server that still has the other settings values nothing.
    expect(await revalueHour(toDeps(store, after))).toBeUndefined()
    while (await revalueHour(toDeps(store, before)));
    expect(await dumpIndex(store)).toEqual(await dumpFromScratch(chain, engine, before))
  })
})

it('are written as indexes of earlier versions have them in their names', () => {
  const [a, b, c] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`, `0x${'cc'.repeat(20)}`] as [Address, Address, Address]
  const settings = { stables: [a, b], wrappedNative: c, depthFloorUsdE18: 10n ** 21n, quotes: [c, a], windowSeconds: 240 }
  expect(describeDollars(settings)).toBe(`${a}+${b}/${c}/1000000000000000000000`)
  expect(describeDollars({ ...settings, stables: [a], quotes: [b], windowSeconds: 600 })).toBe(
    `${a}/${c}/1000000000000000000000/600/${b}`,
  )
})
