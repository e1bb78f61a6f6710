import { createHash } from 'node:crypto'
import type { Hex } from '@chainboard/core'
import { type ModelBlock, type Pools, place } from '../simulation/modelChain.ts'
import { addressOf, bloomOf, type Emitted, emitSwap, type RpcLog } from '../simulation/modelLogs.ts'
import { type ModelToken, native, usdc } from '../simulation/modelMarket.ts'
import type { KnownChain } from '../simulation/modelNode.ts'
import type { ModelPool } from '../simulation/modelPool.ts'
import { createRandom } from '../simulation/random.ts'
import { type FabricatedPool, fabricatePool } from './fabricatedPool.ts'

export type FabricatedOptions = {
  readonly seed: string
  readonly chainId: number
  /** Blocks of the history: the head is the last of them. */
  readonly blocks: number
  readonly pools: number
  /** Further pools, each between two tokens that no quote is: the first two of the list after the quotes, the next two, and so on. */
  readonly crossPools?: number
  readonly swaps: number
  readonly periodSeconds: number
  /** When the head was made; unix seconds. */
  readonly headSeconds: number
  /** Blocks after which a slot is empty; 0: never. */
  readonly missedEvery?: number
  /** Events of another exchange for each of a swap's. */
  readonly foreign?: number
}

/** A chain of any length that is made where one looks at it: each block, log and state follows from the seed and the number. */
export type FabricatedChain = KnownChain & {
  readonly listed: readonly ModelToken[]
  readonly addresses: ReadonlySet<string>
  readonly pools: readonly FabricatedPool[]
  /** The last block in which pools are made; then they trade. */
  readonly openedUntil: number
  /** Which pool a swap is in, and which of that pool's it is, both from 0. */
  tradeOf(swap: number): { readonly pool: number; readonly nth: number }
  /** Swaps in all blocks up to it. */
  swapsUntil(block: number): number
  head(): ModelBlock
  /** Puts blocks on top; the pace of swaps stays. */
  grow(blocks: number): void
  /** Replaces the newest blocks by others of the same content. */
  reorg(depth: number): void
}

/** Pools are made in the first hundredth of the chain; then they trade. */
const openingShare = 100
/** The order in which pools trade, which repeats. */
export const patternLength = 8_192

export function fabricateChain(options: FabricatedOptions): FabricatedChain {
  const { seed, blocks, swaps, periodSeconds, headSeconds, missedEvery = 0, foreign = 0 } = options
  const factory = addressOf(`${seed} factory`)
  const { pools, tokens } = openPools(options, factory)
  const byAddress = new Map(pools.map((pool, i) => [pool.address, i]))
  const pairOf = (a: string, b: string) => [a, b].sort().join()
  const byTokens = Map.groupBy(pools, (pool) => pairOf(pool.stateAfter(0).token0, pool.stateAfter(0).token1))
  const opened = Math.max(1, Math.floor(blocks / openingShare))
  const madeAt = (i: number) => 1 + Math.floor((i * opened) / pools.length)
  const trading = createPattern(seed, pools.length)
  const swapsUntil = (block: number) => (block <= opened ? 0 : Math.floor(((block - opened) * swaps) / (blocks - opened)))
  const missedUntil = (block: number) => (missedEvery === 0 ? 0 : Math.floor(block / missedEvery))
  const firstSeconds = headSeconds - (blocks + missedUntil(blocks)) * periodSeconds
  /** The first block of each branch, ascending. */
  const forks: number[] = []
  let newest = blocks

  const branchAt = (number: number) => forks.findLastIndex((first) => first <= number) + 1
  const hashAt = (number: number, branch: number): Hex => {
    const random = createHash('sha256').update(`${seed} ${number} ${branch}`).digest('hex').slice(0, 56)
    return `0x${random}${number.toString(16).padStart(8, '0')}`
  }

  const emittedAt = (number: number): Emitted[] => {
    if (number <= opened) {
      const emitted: Emitted[] = []
      for (
        let i = Math.max(0, Math.floor(((number - 1) * pools.length) / opened));
        i < pools.length && madeAt(i) <= number;
        i += 1
      )
        if (madeAt(i) === number) emitted.push(...(pools[i] as FabricatedPool).opening.map((each) => ({ ...each, tx: i })))
      return emitted
    }
    const emitted: Emitted[] = []
    for (let k = swapsUntil(number - 1); k < swapsUntil(number); k += 1) {
      const { pool, nth } = trading.of(k)
      const own = pools[pool] as FabricatedPool
      emitted.push(own.swap(nth, k % 1_000))
      const stranger = { ...own.stateAfter(nth + 1), address: addressOf(`${seed} stranger ${pool}`) }
      for (let i = 0; i < foreign; i += 1) emitted.push(emitSwap({ pool: stranger, tx: 1_000 + i }, 1_000n, -1_000n))
    }
    return emitted
  }

  /** Everything of a block is made when it is asked for. */
  class Block implements ModelBlock {
    readonly number: number
    readonly timestampSeconds: number
    readonly eventsSoFar = 0
    readonly placesSoFar = 0
    readonly timesSoFar = 0
    readonly #branch: number
    #logs: RpcLog[] | undefined
    constructor(number: number) {
      this.number = number
      this.#branch = branchAt(number)
      this.timestampSeconds = firstSeconds + (number + missedUntil(number)) * periodSeconds
    }
    get hash(): Hex {
      return hashAt(this.number, this.#branch)
    }
    get parent(): ModelBlock | undefined {
      return this.number === 0 ? undefined : new Block(this.number - 1)
    }
    get logs(): RpcLog[] {
      const emitted = this.#logs ? [] : emittedAt(this.number)
      this.#logs ??= emitted.length === 0 ? [] : place(emitted, this)
      return this.#logs
    }
    get logsBloom(): string {
      return bloomOf(this.logs)
    }
    get pools(): Pools {
      const { number } = this
      const find = (address: string) => {
        const i = byAddress.get(address)
        if (i === undefined || madeAt(i) > number) return undefined
        return (pools[i] as FabricatedPool).stateAfter(trading.countOf(i, swapsUntil(number)))
      }
      return {
        get: find,
        has: (address) => find(address) !== undefined,
        between: (a, b) => (byTokens.get(pairOf(a, b)) ?? []).flatMap(({ address }) => find(address) ?? []),
        values: () => pools.flatMap(({ address }) => find(address) ?? [])[Symbol.iterator]() as MapIterator<ModelPool>,
      }
    }
  }

  const find = (hash: string) => {
    const number = Number.parseInt(hash.slice(-8), 16)
    return number <= newest && hashAt(number, branchAt(number)) === hash ? new Block(number) : undefined
  }
  return {
    chainId: options.chainId,
    factory,
    tokens: new Map(tokens.map((token) => [token.address, token])),
    listed: tokens,
    addresses: new Set(byAddress.keys()),
    pools,
    openedUntil: opened,
    tradeOf: trading.of,
    swapsUntil,
    head: () => new Block(newest),
    under: (tip, number) => (number >= 0 && number <= tip.number ? new Block(number) : undefined),
    find,
    grow: (count) => {
      newest += count
    },
    reorg: (depth) => {
      forks.push(newest - depth + 1)
    },
  }
}

/** The first pool is of the wrapped coin and the dollar; each other one of a token of its own and one of the two. */
function openPools({ seed, pools: count, crossPools = 0 }: FabricatedOptions, factory: string) {
  const random = createRandom(`${seed} pools`)
  const tokens: ModelToken[] = [usdc, native]
  const pools = [fabricatePool(random, { factory, base: native, quote: usdc, fee: 500, price: 2_000, liquidity: 10n ** 17n })]
  while (pools.length < count) {
    const symbol = `T${String(pools.length).padStart(4, '0')}`
    const base = { address: addressOf(`${seed} token ${symbol}`), symbol, decimals: random.chance(0.8) ? 18 : 8 }
    const [quote, price] = random.chance(0.6) ? [native, 0.0005] : [usdc, 1.25]
    tokens.push(base)
    const fee = random.pick([500, 3_000, 10_000])
    const sides = 10 ** ((base.decimals + quote.decimals) / 2) * random.int(1_000, 50_000)
    pools.push(fabricatePool(random, { factory, base, quote, fee, price, liquidity: BigInt(Math.round(sides)) }))
  }
  for (let i = 0; i < crossPools; i += 1) {
    const [base, quote] = tokens.slice(2 + 2 * i) as [ModelToken, ModelToken]
    const liquidity = BigInt(Math.round(10 ** ((base.decimals + quote.decimals) / 2) * 5_000))
    pools.push(fabricatePool(random, { factory, base, quote, fee: 3_000, price: 1, liquidity }))
  }
  return { pools, tokens }
}

/** Which pool each swap is in: few trade most. */
function createPattern(seed: string, pools: number) {
  const random = createRandom(`${seed} pattern`)
  const pattern = Array.from({ length: patternLength }, (_, i) =>
    // Each pool once, and the rest by a distribution with a long tail.
    i < pools ? i : Math.min(pools - 1, Math.floor(pools ** random.next()) - 1),
  )
  const places: number[][] = Array.from({ length: pools }, () => [])
  const nths = pattern.map((pool, i) => (places[pool] as number[]).push(i) - 1)
  const countBelow = (sorted: readonly number[], below: number) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] as number) < below) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    of: (swap: number) => {
      const at = swap % patternLength
      const pool = pattern[at] as number
      const rounds = (swap - at) / patternLength
      return { pool, nth: rounds * (places[pool] as number[]).length + (nths[at] as number) }
    },
    countOf: (pool: number, swaps: number) => {
      const at = swaps % patternLength
      const own = places[pool] as number[]
      return ((swaps - at) / patternLength) * own.length + countBelow(own, at)
    },
  }
}
