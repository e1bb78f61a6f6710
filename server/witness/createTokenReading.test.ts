import { type Address, Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { TokenFacts } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { revalueHour } from '../indexer/revalue.ts'
import { findAsked } from '../store/oldDollars.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import { listTokenFacts, listUnconfirmedTokens } from '../store/tokens.ts'
import { answerToken } from '../testing/answerToken.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createTokenReading } from './createTokenReading.ts'

const stores = createTempStores()
const multicall: Address = `0x${'ca'.repeat(20)}`
const [first, second, third] = tokens as [Address, Address, Address]
const options = { factory, confirmations: 6, spanMax: 7 }
const valuation = {
  ...{ stables: [first, third], wrappedNative: second },
  ...{ depthFloorUsdE18: 0n, quotes: [], windowSeconds: 600 },
}
const facts = (address: Address, decimals = 18): TokenFacts => ({
  address,
  symbol: 'T',
  name: 'Token',
  decimals,
  totalSupplyRaw: 9n,
})

/** An exchange of two days. What its nodes say of tokens can be set. */
function openExchange(): FakeChain {
  const chain = new FakeChain()
  for (const address of tokens) chain.tokens.set(address, facts(address))
  mineSome(chain, { blocks: 4, seed: 3 })
  chain.mine([...poolCreated(0), ...poolCreated(1)])
  chain.mine([poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  for (const [seed, secondsLater] of [
    [3, 700],
    [22, 1_900],
    [4, 7_300],
  ] as const)
    mineSome(chain, { blocks: 12, seed, secondsLater })
  return chain
}

async function sync(chain: FakeChain, store: Store): Promise<void> {
  const follower = follow(chain, store, options)
  await untilSynced(chain, follower)
  await follower.stop()
}

/** A node of the chain that says of tokens what it is told to; it counts what it is asked, and may be away. */
function nodeOf(chain: FakeChain) {
  const node = {
    said: new Map(tokens.map((address) => [address, facts(address)])),
    calls: 0,
    isAway: false,
    readHeader: chain.readHeader,
    forward: async (_method: string, params: unknown) => {
      const [{ to, data }] = params as [{ to: Address; data: string }]
      node.calls += 1
      if (node.isAway) throw new Failure('rpc-unavailable', 'away', { retryable: true })
      return answerToken(node.said.get(to), data)
    },
  }
  return node
}

type Node = ReturnType<typeof nodeOf>

async function readFor(store: Store, nodes: readonly Node[], minutes: number, isListed = (_token: Address) => true) {
  const block = (await findCursor(store.read))?.block as BlockRef
  let nowMs = 0
  const doubts: string[] = []
  const log = { warn: () => undefined }
  const reading = createTokenReading({ nodes, store, multicall, isListed, nowMs: () => nowMs, log })
  for (; nowMs <= minutes * 60_000; nowMs += 10_000) {
    await reading.step(block)
    const doubt = reading.doubt()
    if (doubt !== undefined && doubt !== doubts.at(-1)) doubts.push(doubt)
  }
  return doubts
}

async function valueAgain(store: Store): Promise<void> {
  while (await revalueHour({ store, valuation, holder: { world: undefined }, isOurs: () => true }));
}

const listDecimals = async (store: Store) => (await listTokenFacts(store.read, { limit: 9 })).map(({ decimals }) => decimals)
const listOpen = async (store: Store) => (await listUnconfirmedTokens(store.read, { limit: 9 })).map(({ address }) => address)

/** An index whose node said wrong decimals and names of the first two tokens while it was made. */
async function openMisled(engine: (typeof engines)[number] = 'sqlite') {
  const chain = openExchange()
  chain.tokens.set(first, { ...facts(first, 16), symbol: 'EVIL' })
  chain.tokens.set(second, facts(second, 20))
  const store = await stores.openNew(engine)
  await sync(chain, store)
  for (const address of tokens) chain.tokens.set(address, facts(address))
  return { chain, store }
}

describe.each(engines)('a node that said wrong decimals while the index was made (%s)', (engine) => {
  it('leaves the index of a sync from scratch, once it says the right ones', { timeout: 120_000 }, async () => {
    const { chain, store } = await openMisled(engine)
    const before = await dumpIndex(store)
    const doubts = await readFor(store, [nodeOf(chain)], 3)
    expect(doubts).toEqual([
      '2 tokens have other decimals on the nodes than in the index; the server checks again within minutes',
      'Wrong token decimals were corrected; the server revalues the blocks with them',
    ])
    expect(await listDecimals(store)).toEqual([18, 18, 18])
    // The first pool is in block 5.
    expect(await findAsked(store.read)).toMatchObject({ fromBlock: 5, toBlock: chain.height })
    await valueAgain(store)
    expect(await readFor(store, [nodeOf(chain)], 0)).toEqual([])
    const scratch = await stores.openNew(engine)
    await sync(chain, scratch)
    const wanted = await dumpIndex(scratch)
    expect(wanted.tokenHours).not.toEqual(before.tokenHours)
    expect(await dumpIndex(store)).toEqual(wanted)
    await scratch.close()
    await store.close()
  })

  it('has them confirmed in the end, so that none is asked again, by no later start either', async () => {
    const { chain, store } = await openMisled(engine)
    await readFor(store, [nodeOf(chain)], 9)
    expect(await listOpen(store)).toEqual([])
    await valueAgain(store)
    const later = nodeOf(chain)
    later.said.set(first, facts(first, 6))
    expect(await readFor(store, [later], 60)).toEqual([])
    expect(later.calls).toBe(0)
    expect(await listDecimals(store)).toEqual([18, 18, 18])
    await store.close()
  })
})

it('a node that is away confirms nothing and takes nothing away', async () => {
  const { chain, store } = await openMisled()
  const node = nodeOf(chain)
  node.isAway = true
  expect(await readFor(store, [node], 30)).toEqual([])
  expect(await listDecimals(store)).toEqual([16, 20, 18])
  expect(await listOpen(store)).toEqual([first, second, third])
  // A request a minute.
  expect(node.calls).toBeLessThanOrEqual(30 * 4 * tokens.length)
  node.isAway = false
  await readFor(store, [node], 9)
  expect(await listOpen(store)).toEqual([])
  await store.close()
})

it('two honest nodes of three are believed, whatever the third one says', async () => {
  const { chain, store } = await openMisled()
  const liar = nodeOf(chain)
  liar.said.set(third, facts(third, 2))
  await readFor(store, [liar, nodeOf(chain), nodeOf(chain)], 9)
  expect(await listDecimals(store)).toEqual([18, 18, 18])
  expect(await listOpen(store)).toEqual([])
  await store.close()
})

it('one of two that lies keeps a token from being confirmed, and changes nothing', async () => {
  const { chain, store } = await openMisled()
  const liar = nodeOf(chain)
  liar.said.set(third, facts(third, 2))
  await readFor(store, [liar, nodeOf(chain)], 30)
  expect(await listDecimals(store)).toEqual([18, 18, 18])
  expect(await listOpen(store)).toEqual([third])
  await store.close()
})

it('a start in between begins with the waits again, and loses nothing', async () => {
  const { chain, store } = await openMisled()
  for (let start = 0; start < 3; start += 1) await readFor(store, [nodeOf(chain)], 1)
  expect(await listDecimals(store)).toEqual([16, 20, 18])
  await readFor(store, [nodeOf(chain)], 9)
  expect(await listDecimals(store)).toEqual([18, 18, 18])
  expect(await listOpen(store)).toEqual([])
  await store.close()
})

it('a token that is not listed and changes its decimals does not change the state', async () => {
  const { chain, store } = await openMisled()
  expect(await readFor(store, [nodeOf(chain)], 9, (token) => token === third)).toEqual([])
  expect(await listDecimals(store)).toEqual([18, 18, 18])
  expect(await findAsked(store.read)).toMatchObject({ fromBlock: 5, isWrong: false })
  await store.close()
})

it('a start while blocks are valued again does not hide that they were wrong', async () => {
  const { chain, store } = await openMisled()
  await readFor(store, [nodeOf(chain)], 9)
  expect(await readFor(store, [nodeOf(chain)], 0)).toEqual([
    'Wrong token decimals were corrected; the server revalues the blocks with them',
  ])
  await store.close()
})

it('a symbol alone changes no dollars', async () => {
  const chain = openExchange()
  chain.tokens.set(first, { ...facts(first), symbol: 'EVIL' })
  const store = await stores.openNew('sqlite')
  await sync(chain, store)
  expect(await readFor(store, [nodeOf(chain)], 3)).toEqual([])
  expect((await listTokenFacts(store.read, { limit: 9 })).map(({ symbol }) => symbol)).toEqual(['T', 'T', 'T'])
  expect(await findAsked(store.read)).toBeUndefined()
  await store.close()
})
