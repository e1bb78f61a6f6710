import type { Address } from '@chainboard/core'
import type { Header } from '../chain/chain.ts'
import type { ReplayEvent } from '../indexer/replayWorld.ts'
import { findBlockAt, readBackToPrice } from './readMedian.ts'
import { type Asking, readPoolEvents } from './readPoolEvents.ts'

/** When a pool first and last traded, in unix seconds; undefined: never, as far as it is known. */
export type SwapTimes = { readonly firstSwapAtSeconds: number | undefined; readonly lastSwapAtSeconds: number | undefined }

export type TimesRequest = {
  readonly pool: Address
  /** As the receipt says. */
  readonly stated: SwapTimes
  /** The receipt's block, and the one before the window; undefined: the chain had none. */
  readonly last: Header
  readonly before: Header | undefined
  /** Of the pool in the window. */
  readonly events: readonly ReplayEvent[]
  /** sqrtPriceX96 before them. */
  readonly startPrice: bigint
}

/**
 * The times as the node's logs have them. A last trade before the window is proven by a trade at that time that left the price that the
 * pool had; where there is none, it is looked for. A first trade is proven by a trade at that time, and by none before it in the window:
 * that there was none at all would take all logs of the pool.
 */
export async function readSwapTimes(asking: Asking, request: TimesRequest): Promise<SwapTimes> {
  const { pool, stated, last, events } = request
  const inWindow = listSwaps(events)
  const lastSwapAtSeconds = inWindow.at(-1)?.timestampSeconds ?? (await findLastBefore(asking, request))
  const first = await readFirstSwap(asking, { pool, events, last, stated: stated.firstSwapAtSeconds })
  return { lastSwapAtSeconds, firstSwapAtSeconds: first ?? lastSwapAtSeconds }
}

type FirstRequest = Pick<TimesRequest, 'pool' | 'events' | 'last'> & { readonly stated: number | undefined }

/** The first trade that the node's logs show: at the time that is stated, or in the window. */
export async function readFirstSwap(asking: Asking, { pool, events, last, stated }: FirstRequest): Promise<number | undefined> {
  const inWindow = listSwaps(events)[0]?.timestampSeconds
  if (stated === undefined || (inWindow !== undefined && inWindow <= stated)) return inWindow
  const swaps = await readSwapsAt(asking, pool, { above: last, seconds: stated })
  return swaps.length > 0 ? stated : inWindow
}

async function findLastBefore(asking: Asking, { pool, stated, before, startPrice }: TimesRequest): Promise<number | undefined> {
  if (!before) return undefined
  const seconds = stated.lastSwapAtSeconds
  const swaps = seconds === undefined ? [] : await readSwapsAt(asking, pool, { above: before, seconds })
  if (swaps.at(-1)?.sqrtPriceX96 === startPrice) return seconds
  return listSwaps((await readBackToPrice(asking, pool, before.number)) ?? []).at(-1)?.timestampSeconds
}

/** Trades of all blocks of one second. @param at `above` is a block of that time or later */
async function readSwapsAt(asking: Asking, pool: Address, at: { readonly above: Header; readonly seconds: number }) {
  const { above, seconds } = at
  if (above.timestampSeconds < seconds) return []
  const to = await findBlockAt(asking.chain, above, seconds)
  if (to?.timestampSeconds !== seconds) return []
  const below = await findBlockAt(asking.chain, to, seconds - 1)
  return listSwaps(await readPoolEvents(asking, pool, { from: (below?.number ?? -1) + 1, to: to.number }))
}

function listSwaps(events: readonly ReplayEvent[]) {
  return events.filter((event) => event.kind === 'swap')
}

/** Whether a pool had traded by a block, as far back as logs are looked through. */
export async function hadTraded(asking: Asking, pool: Address, by: Header): Promise<boolean> {
  return listSwaps((await readBackToPrice(asking, pool, by.number)) ?? []).length > 0
}
