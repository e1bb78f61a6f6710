import type { Address } from '@chainboard/core'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import type { OrganicDeps } from '../market/organic/checkOrigins.ts'
import { keepOrganic } from '../market/organic/keepOrganic.ts'
import { followToHead } from './followToHead.ts'
import { alpha, beta, betaPool, manager, openMarket, provide, sqrtPrices, swap, usdc, wrapped } from './market.ts'
import type { createTempStores, engines } from './tempStores.ts'

// Traders and providers of the small market, and how much of it is organic.

export const wallet = (byte: string) => `0x${byte.repeat(20)}` as Address

/** Who provides beside the first one. */
export const otherProvider = wallet('b2')

const e18 = 10n ** 18n

/** BETA is worth a quarter of a dollar. Positive: USDC for so many BETA; negative: BETA for USDC. */
export function trade(from: Address, tokens: bigint): FakeEvent {
  const made = swap(betaPool, sqrtPrices.betaAtQuarter, (tokens * 10n ** 6n) / 4n, -tokens * e18, e18)
  return { ...made, args: { ...made.args, sender: from, recipient: from }, from }
}

/** The same event by way of contracts: of a swap its sender and recipient, of a mint its sender and owner. */
export function through(event: FakeEvent, sender: Address, second: Address = sender): FakeEvent {
  const names = event.name === 'Swap' ? { recipient: second } : { owner: second }
  return { ...event, args: { ...event.args, sender, ...names } }
}

export function remove(
  pool: Address,
  from: Address,
  amount: bigint,
  range = { tickLower: -887_220, tickUpper: 887_220 },
): FakeEvent {
  return { address: pool, name: 'Burn', args: { owner: from, ...range, amount, amount0: 0n, amount1: 0n }, from }
}

export function handOn(token: Address, from: Address, to: Address, value: bigint): FakeEvent {
  return { address: token, name: 'Transfer', args: { from, to, value } }
}

/** A market whose pools belong to one wallet, and a BETA pool of which another one has a half when `isShared`. */
export function openChain({ isShared }: { isShared: boolean }): FakeChain {
  const chain = new FakeChain()
  openMarket(chain)
  if (isShared) chain.mine([provide(betaPool, otherProvider, e18)])
  return chain
}

/** The same with positions as large as they are said to be: a million dollars and as much in BETA, each of the two. */
export function openDeepChain(): FakeChain {
  const chain = openChain({ isShared: false })
  const made = through(provide(betaPool, otherProvider, e18), manager)
  chain.mine([{ ...made, args: { ...made.args, amount0: 10n ** 12n, amount1: 4n * 10n ** 24n } }])
  return chain
}

/** The functions that take a chain's organic volume, in stores of one test file. */
export function createOrganicMarket(stores: ReturnType<typeof createTempStores>) {
  const open = async (chain: FakeChain, engine: (typeof engines)[number] = 'sqlite', changes: Partial<OrganicDeps> = {}) => {
    const store = await stores.openNew(engine)
    await followToHead(chain, store)
    const listed = new Set([usdc, alpha, wrapped, beta])
    const quotes = [usdc, wrapped]
    const organic = keepOrganic({ chain, store, listed: () => listed, quotes, spanMax: 10_000, nowMs: () => 0, ...changes })
    return { store, organic }
  }
  /** BETA's organic volume in whole dollars and its coverage, after one turn. */
  const measure = async (chain: FakeChain, engine?: (typeof engines)[number], changes?: Partial<OrganicDeps>) => {
    const { organic } = await open(chain, engine, changes)
    const { reading, failure } = await organic.takeTurn()
    return { ...toFound(reading), failure }
  }
  /** The same after turns a minute apart, until there is nothing more to ask. */
  const measureInTurns = async (chain: FakeChain, changes?: Partial<OrganicDeps>) => {
    let nowMs = 0
    const { organic } = await open(chain, 'sqlite', { nowMs: () => nowMs, ...changes })
    let { reading, hasMore } = await organic.takeTurn()
    for (let turn = 1; turn < 4 || (hasMore && turn < 20); turn += 1) {
      nowMs += 61_000
      ;({ reading, hasMore } = await organic.takeTurn())
    }
    return { ...toFound(reading), owner: reading?.owners.get(betaPool) }
  }
  return { open, measure, measureInTurns }
}

type Reading = Awaited<ReturnType<ReturnType<typeof keepOrganic>['takeTurn']>>['reading']

function toFound(reading: Reading) {
  const found = reading?.tokens.get(beta)
  return { dollars: found && Number(found.usdE18 / 10n ** 12n) / 1e6, coverage: found?.coverage }
}
