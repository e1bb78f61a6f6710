import { type Address, Failure, medianPrice, type PriceChange } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import type { ReplayEvent } from '../indexer/replayWorld.ts'
import { type Asking, readPoolEvents } from './readPoolEvents.ts'

/** Steps back that look for the window's first block, and for a trade before it. */
const stepsMax = 40
const firstStep = 64

/** Where a window lies on the chain: `before` is the newest block that is not in it; undefined on a chain that is younger. */
export type WindowBlocks = { readonly last: Header; readonly before: Header | undefined; readonly windowSeconds: number }

/** Finds the blocks of the window that ends with a block. */
export async function findWindow(chain: Chain, last: Header, windowSeconds: number): Promise<WindowBlocks> {
  return { last, before: await findBlockAt(chain, last, last.timestampSeconds - windowSeconds), windowSeconds }
}

/** The newest block at a time or before it; undefined on a chain that is younger. @param above a block that is later */
export async function findBlockAt(chain: Chain, above: Header, seconds: number): Promise<Header | undefined> {
  if (above.timestampSeconds <= seconds) return above
  let [inside, outside]: [Header, Header | undefined] = [above, undefined]
  for (let step = firstStep; inside.number > 0 && !outside; step *= 2) {
    const header = await readBlock(chain, Math.max(0, inside.number - step))
    if (header.timestampSeconds <= seconds) outside = header
    else inside = header
  }
  for (let step = 0; outside && inside.number - outside.number > 1 && step < stepsMax; step += 1) {
    const header = await readBlock(chain, Math.floor((inside.number + outside.number) / 2))
    if (header.timestampSeconds <= seconds) outside = header
    else inside = header
  }
  return outside
}

/**
 * The median of a pool's price over the window, by the node alone: its trades, and its price before them.
 * @returns undefined when no pool of the kind is there
 */
export async function readMedian(asking: Asking, pool: Address, window: WindowBlocks): Promise<bigint | undefined> {
  const { last, before, windowSeconds } = window
  const changes = toChanges(await readPoolEvents(asking, pool, { from: (before?.number ?? -1) + 1, to: last.number }))
  const at = { nowSeconds: last.timestampSeconds, windowSeconds }
  if (changes.length === 0) return readPriceAt(asking, pool, last)
  const first = before && (await readPriceAt(asking, pool, before))
  return medianPrice(first ? [{ atSeconds: before.timestampSeconds, sqrtPriceX96: first }, ...changes] : changes, at)
}

/** The prices that events left behind. */
export function toChanges(events: readonly ReplayEvent[]): PriceChange[] {
  return events.flatMap((event) =>
    event.kind === 'swap' || event.kind === 'initialize'
      ? [{ atSeconds: event.timestampSeconds, sqrtPriceX96: event.sqrtPriceX96 }]
      : [],
  )
}

/** Of a node that no longer has the state of the block, the last trade until then tells it. */
async function readPriceAt(asking: Asking, pool: Address, block: Header): Promise<bigint | undefined> {
  try {
    return await readContract(asking.chain, { to: pool, name: 'slot0', block: block.number })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rpc-refused') throw error
    const events = await readBackToPrice(asking, pool, block.number)
    if (!events) throw error
    return toChanges(events)[0]?.sqrtPriceX96
  }
}

/**
 * A pool's last trade until a block (or its opening) and what happened after it, in the order of the chain; undefined when it lies too far
 * back.
 */
export async function readBackToPrice(asking: Asking, pool: Address, block: number): Promise<ReplayEvent[] | undefined> {
  let events: ReplayEvent[] = []
  let to = block
  for (let step = 0; step < stepsMax && to >= 0; step += 1) {
    const from = Math.max(0, to - asking.logRange + 1)
    events = [...(await readPoolEvents(asking, pool, { from, to })), ...events]
    const place = events.findLastIndex(({ kind }) => kind === 'swap' || kind === 'initialize')
    if (place >= 0) return events.slice(place)
    to = from - 1
  }
  return undefined
}

async function readBlock(chain: Chain, number: number): Promise<Header> {
  const header = await chain.readHeader(number)
  if (!header) throw new Failure('rpc-unavailable', `The node does not have block ${number}`, { retryable: true })
  return header
}
