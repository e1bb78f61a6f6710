import { type Address, createTickList, noDepth, usdAlong } from '@chainboard/core'
import { at } from '../../devnet/at.ts'
import { priceTokens } from '../../server/indexer/pricePlan.ts'
import { splitIntoBlocks } from '../../server/indexer/storeWorld.ts'
import { emptyWorld, foldBlock, type Valuation, type World } from '../../server/indexer/world.ts'
import { listPoolEventsBetween } from '../../server/store/poolEvents.ts'
import { emptyPoolState } from '../../server/store/poolState.ts'
import { listPoolsCreatedUpTo } from '../../server/store/pools.ts'
import type { Store } from '../../server/store/store.ts'
import { listSwapsBetween } from '../../server/store/swaps.ts'
import { emptyTokenState } from '../../server/store/tokenState.ts'
import { listAllTokens } from '../../server/store/tokens.ts'

/** How far prices are from the last trade, as parts of it: at every minute of the chain, and right after every block that trades. */
export type Distances = { readonly minutes: number[]; readonly trades: number[] }

const minuteSeconds = 60

/** Folds all of an index again with a window, and compares on the way. @param only the token that is looked at; absent: all */
export async function comparePrices({ read }: Store, valuation: Valuation, only?: Address): Promise<Distances> {
  const all = { fromSeconds: 0, toBlock: Number.MAX_SAFE_INTEGER }
  const events = [...(await listSwapsBetween(read, all)), ...(await listPoolEventsBetween(read, all))]
  events.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const world = emptyWorld(valuation)
  const unused = { firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, reach: undefined }
  for (const pool of await listPoolsCreatedUpTo(read, all.toBlock)) {
    world.pools.set(pool.address, { ...pool, ...emptyPoolState, ...noDepth, ...unused })
    world.ticks.set(pool.address, createTickList())
  }
  for (const token of await listAllTokens(read)) world.tokens.set(token.address, { ...token, ...emptyTokenState })
  const distances: Distances = { minutes: [], trades: [] }
  let minute = Number.POSITIVE_INFINITY
  for (const block of splitIntoBlocks(events)) {
    const seconds = at(block, 0).timestampSeconds
    const wanted = (tokens: Iterable<Address>) => [...tokens].filter((token) => only === undefined || token === only)
    for (; minute < seconds; minute += minuteSeconds)
      distances.minutes.push(...measure(world, wanted(world.plan.places.keys()), minute))
    foldBlock(world, block)
    const traded = block.filter(({ kind }) => kind === 'swap').map(({ pool }) => world.pools.get(pool))
    const tokens = new Set(traded.flatMap((pool) => (pool ? [pool.token0, pool.token1] : [])))
    distances.trades.push(...measure(world, wanted(tokens), seconds))
    if (minute === Number.POSITIVE_INFINITY) minute = seconds
  }
  return distances
}

function measure(world: World, tokens: readonly Address[], atSeconds: number): number[] {
  const price = priceTokens(world, atSeconds)
  return tokens.flatMap((token) => {
    const priced = price(token)
    const route = priced?.route ?? []
    const last = usdAlong(route, (pool) => world.pools.get(pool)?.sqrtPriceX96)
    if (!priced || route.length === 0 || !last || priced.usdE18 === 0n) return []
    return [Math.abs(Number((priced.usdE18 * 10n ** 9n) / last) / 1e9 - 1)]
  })
}
