import type { Address } from '@chainboard/core'
import { expect } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type FollowDeps, type Follower, followChain } from '../indexer/followChain.ts'
import type { Store } from '../store/store.ts'
import { followingDefaults, limitDefaults } from './following.ts'

// A small chain for what goes wrong while it is followed, and what is waited for then.

export const factory = `0x${'fa'.repeat(20)}` as Address
export const other = `0x${'fb'.repeat(20)}` as Address
export const [tokenA, tokenB] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address]
export const pool = `0x${'a0'.repeat(20)}` as Address

export const swap = {
  address: pool,
  name: 'Swap',
  args: {
    sender: tokenA,
    recipient: tokenA,
    amount0: 5n,
    amount1: -5n,
    sqrtPriceX96: 2n ** 96n,
    liquidity: 10n ** 9n,
    tick: 0,
  },
} as const

/** A chain with one pool and a swap in each of its blocks. */
export function tellChain(blocks: number, options: { chainId?: number; genesisAtSeconds?: number } = {}): FakeChain {
  const chain = new FakeChain(options)
  chain.mine([
    { address: factory, name: 'PoolCreated', args: { token0: tokenA, token1: tokenB, fee: 3000, tickSpacing: 60, pool } },
    { address: pool, name: 'Initialize', args: { sqrtPriceX96: 2n ** 96n, tick: 0 } },
  ])
  for (let i = 0; i < blocks; i += 1) chain.mine([swap])
  return chain
}

/** Where the URL of the node leads to, which changes in the middle of a story. */
export function createDoor(first: FakeChain) {
  let behind = first
  const door = new Proxy(first, { get: (_, name) => Reflect.get(behind, name) })
  const leadTo = (chain: FakeChain) => {
    behind = chain
  }
  return { door, leadTo }
}

/** A clock that only the test moves. */
export function createClock() {
  let nowMs = 1_800_000_000_000
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { nowMs: () => nowMs, pass }
}

export const scope = {
  factory,
  onlyTokens: undefined,
  valuation: { stables: [tokenA], wrappedNative: tokenB, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 },
}

export function follow(chain: FakeChain, store: Store, changes: Partial<FollowDeps> = {}): Follower {
  return followChain({
    ...followingDefaults,
    chain,
    store,
    // Every wait is over at the next turn.
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    limits: { ...limitDefaults, pollMs: 1, spanMax: 7, confirmations: 4, reorgDepthMax: 8 },
    scope,
    onChange: () => undefined,
    ...changes,
  })
}

export const soon = { timeout: 10_000, interval: 5 }
export const untilBlock = (follower: Follower, number: number) =>
  expect
    .poll(() => ({ at: follower.status().cursor?.number, because: follower.status().trouble?.text }), soon)
    .toMatchObject({ at: number })
export const untilTrouble = (follower: Follower, kind: string | undefined) =>
  expect.poll(() => follower.status().trouble?.kind, soon).toBe(kind)
