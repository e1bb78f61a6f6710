import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import type { FakeChain, FakeEvent } from '../chain/fakeChain.ts'
import { type FollowDeps, type Follower, followChain } from '../indexer/followChain.ts'
import { pause } from '../pause.ts'
import type { Store } from '../store/store.ts'
import { followingDefaults, limitDefaults } from './following.ts'

// An exchange on a chain in memory, whatever happens in it: its events need not be those of real pools.

export const factory = `0x${'fa'.repeat(20)}` as Address
export const tokens = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}` as Address)
export const poolOf = (index: number) => `0x${(0xa0 + index).toString(16).repeat(20)}` as Address

export function poolCreated(index: number): FakeEvent[] {
  const pool = poolOf(index)
  const [token0, token1] = [tokens[index % 3], tokens[(index + 1) % 3]]
  return [
    { address: factory, name: 'PoolCreated', args: { token0, token1, fee: 3000, tickSpacing: 60, pool } },
    { address: pool, name: 'Initialize', args: { sqrtPriceX96: 2n ** 96n, tick: 0 } },
  ]
}

export function poolEvent(index: number, kind: number, size: number): FakeEvent {
  const address = poolOf(index)
  const owner = tokens[0]
  const range = {
    owner,
    tickLower: -600,
    tickUpper: 600,
    amount: BigInt(size * 1_000),
    amount0: BigInt(size),
    amount1: BigInt(size),
  }
  if (kind === 0) return { address, name: 'Mint', args: { ...range, sender: owner } }
  if (kind === 1) return { address, name: 'Burn', args: range }
  if (kind === 2) return { address, name: 'Collect', args: { ...range, recipient: owner } }
  if (kind === 3) {
    return {
      address,
      name: 'Flash',
      args: { sender: owner, recipient: owner, amount0: 9n, amount1: 9n, paid0: BigInt(size), paid1: 1n },
    }
  }
  const sqrtPriceX96 = 2n ** 96n + BigInt(size) * 2n ** 80n
  const args = {
    sender: owner,
    recipient: owner,
    amount0: BigInt(size),
    amount1: BigInt(-size),
    sqrtPriceX96,
    liquidity: 10n ** 9n,
    tick: size % 500,
  }
  return { address, name: 'Swap', args }
}

export type FollowOptions = {
  factory: Address
  confirmations?: number
  spanMax?: number
  onlyTokens?: ReadonlySet<Address>
  stables?: readonly Address[]
  mayRestart?: boolean
} & Partial<FollowDeps>

export function follow(
  chain: Chain,
  store: Store,
  {
    factory,
    confirmations = 8,
    spanMax = 50,
    onlyTokens,
    stables = [tokens[0] as Address, tokens[2] as Address],
    mayRestart = true,
    ...changes
  }: FollowOptions,
): Follower {
  return followChain({
    ...followingDefaults,
    chain,
    store,
    // The clock of a test: every wait is over at the next turn.
    pause: (_ms, signal) => pause(0, signal),
    limits: { ...limitDefaults, confirmations, pollMs: 1, spanMax, mayRestart },
    scope: {
      factory,
      onlyTokens,
      valuation: { stables, wrappedNative: tokens[1] as Address, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 },
    },
    onChange: () => undefined,
    ...changes,
  })
}

export async function untilSynced(chain: Chain, follower: Follower): Promise<void> {
  const { hash } = await new Promise<{ hash: string }>((resolve) => void chain.readHead().then(resolve))
  while (follower.status().cursor?.hash !== hash) await pause(1, new AbortController().signal)
}

export function mineSome(
  chain: FakeChain,
  { blocks, seed, secondsLater = 12 }: { blocks: number; seed: number; secondsLater?: number },
): void {
  for (let i = 0; i < blocks; i += 1) {
    const count = (seed + i) % 4
    const events = Array.from({ length: count }, (_, n) =>
      poolEvent((seed + n) % 4, (seed * 7 + n + i) % 9, 1 + ((seed * 31 + i * 17 + n) % 400)),
    )
    // Pools 2 and 3 appear on the way; events of pools that nobody made are somebody else's and stay out.
    const created = (seed + i) % 11 === 0 && chain.height > 20 ? poolCreated(2 + (seed % 2)) : []
    chain.mine([...(created.length > 0 && !chainHasPool(chain, 2 + (seed % 2)) ? created : []), ...events], secondsLater)
  }
}

/** Which pools a branch holds is found by replaying what the test itself mined. */
const made = new WeakMap<FakeChain, Map<number, number>>()
function chainHasPool(chain: FakeChain, index: number): boolean {
  const heights = made.get(chain) ?? new Map<number, number>()
  made.set(chain, heights)
  const at = heights.get(index)
  if (at !== undefined && at <= chain.height) return true
  heights.set(index, chain.height + 1)
  return false
}
