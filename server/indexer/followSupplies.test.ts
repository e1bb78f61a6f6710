import { type Address, Failure } from '@chainboard/core'
import { expect, it, vi } from 'vitest'
import { emptyTokenState } from '../store/tokenState.ts'
import { listTokenFacts, upsertTokens } from '../store/tokens.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { followSupplies, takeTurn } from './followSupplies.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const stores = createTempStores()
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address
const multicall = address(0xca11)
const mend = async () => []

/** A node without a multicall; `supplies` are what the tokens say, and their decimals 18 if they say one. */
function nodeOf(supplies: ReadonlyMap<Address, bigint | Failure>, decimals = 18n) {
  return {
    forward: async (_: string, params: unknown) => {
      const [{ to, data }] = params as [{ to: Address; data: string }]
      const supply = supplies.has(to) && data === '0x313ce567' ? decimals : supplies.get(to)
      if (supply instanceof Failure) throw supply
      return supply === undefined ? '0x' : `0x${supply.toString(16).padStart(64, '0')}`
    },
  }
}

async function openTokens(engine: (typeof engines)[number], count: number) {
  const store = await stores.openNew(engine)
  const facts = { ...emptyTokenState, symbol: 'T', name: '', decimals: 18, totalSupplyRaw: 7n }
  const tokens = Array.from({ length: count }, (_, i) => ({ ...facts, address: address(i + 1) }))
  await store.write((tx) => upsertTokens(tx, tokens))
  const read = async () => (await listTokenFacts(store.read, { limit: 10_000 })).map(({ totalSupplyRaw }) => totalSupplyRaw)
  return { store, read }
}

it.each(engines)('a supply follows the chain on %s, and stays where a token does not answer', async (engine) => {
  const { store, read } = await openTokens(engine, 3)
  const told: unknown[] = []
  const chain = nodeOf(
    new Map([
      [address(1), 70n],
      [address(3), 10n ** 60n],
    ]),
    6n,
  )
  const onReading = (...words: unknown[]) => void told.push(words)
  expect(await takeTurn({ chain, store, multicall, onReading, mend }, undefined)).toBeUndefined()
  expect(await read()).toEqual([70n, 7n, 10n ** 60n])
  expect(told).toEqual([
    [address(1), { supply: 7e-17, storedSupply: 7e-18, decimals: 18, decimalsOnChain: 6 }],
    [address(3), { supply: 1e42, storedSupply: 7e-18, decimals: 18, decimalsOnChain: 6 }],
  ])
})

it('a long list is asked in turns, each where the last one ended', async () => {
  const { store, read } = await openTokens('sqlite', 2_001)
  const chain = nodeOf(new Map(Array.from({ length: 2_001 }, (_, i) => [address(i + 1), 9n])))
  const next = await takeTurn({ chain, store, multicall, onReading: () => undefined, mend }, undefined)
  expect(next).toBe(address(2_001))
  expect((await read()).filter((supply) => supply === 7n).length).toBe(1)
  expect(await takeTurn({ chain, store, multicall, onReading: () => undefined, mend }, next)).toBeUndefined()
  expect((await read()).filter((supply) => supply === 7n).length).toBe(0)
})

it('others have their turns while the answers of a long list are taken up', async () => {
  const { store } = await openTokens('sqlite', 500)
  const chain = nodeOf(new Map(Array.from({ length: 500 }, (_, i) => [address(i + 1), 9n])))
  let [turns, isDone] = [0, false]
  const others = (async () => {
    for (; !isDone; turns += 1) await new Promise((turn) => setImmediate(turn))
  })()
  const seen = new Set<number>()
  await takeTurn({ chain, store, multicall, onReading: () => seen.add(turns), mend }, undefined)
  isDone = true
  await others
  expect(seen.size).toBe(10)
})

it('a node that does not answer costs a turn and nothing else', async () => {
  const { store, read } = await openTokens('sqlite', 1)
  const supplies = new Map<Address, bigint | Failure>([[address(1), new Failure('rpc-unavailable', 'away', { retryable: true })]])
  const warn = vi.fn(() => void supplies.set(address(1), 8n))
  const log = { info: vi.fn(), warn, error: vi.fn() }
  const pause = async () => {
    await new Promise((turn) => setImmediate(turn))
  }
  const following = followSupplies({
    chain: nodeOf(supplies),
    store,
    multicall,
    onReading: () => undefined,
    log,
    pause,
    nowMs: () => 0,
  })
  await vi.waitFor(async () => expect(await read()).toEqual([8n]), patience)
  await following.stop()
  expect(warn).toHaveBeenCalledTimes(1)
  expect(log.error).not.toHaveBeenCalled()
})
