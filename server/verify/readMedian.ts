import { type Address, Failure, medianPrice, type PriceChange } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import { decodePoolEvent, priceTopics } from '../indexer/decodeLog.ts'

/** Steps back that look for the window's first block, and for a trade before it. */
const stepsMax = 40
const firstStep = 64
/** Blocks in one question for logs: what public nodes answer, and a site's own gateway. */
const logRange = 1_000

/** Where a window lies on the chain: `before` is the newest block that is not in it; undefined on a chain that is younger. */
export type WindowBlocks = { readonly last: Header; readonly before: Header | undefined; readonly windowSeconds: number }

/** Finds the blocks of the window that ends with a block. */
export async function findWindow(chain: Chain, last: Header, windowSeconds: number): Promise<WindowBlocks> {
  const start = last.timestampSeconds - windowSeconds
  let [inside, outside]: [Header, Header | undefined] = [last, undefined]
  for (let step = firstStep; inside.number > 0 && !outside; step *= 2) {
    const header = await readBlock(chain, Math.max(0, inside.number - step))
    if (header.timestampSeconds <= start) outside = header
    else inside = header
  }
  for (let step = 0; outside && inside.number - outside.number > 1 && step < stepsMax; step += 1) {
    const header = await readBlock(chain, Math.floor((inside.number + outside.number) / 2))
    if (header.timestampSeconds <= start) outside = header
    else inside = header
  }
  return { last, before: outside, windowSeconds }
}

/**
 * The median of a pool's price over the window, by the node alone: its trades, and its price before them.
 * @returns undefined when no pool of the kind is there
 */
export async function readMedian(chain: Chain, pool: Address, window: WindowBlocks): Promise<bigint | undefined> {
  const { last, before, windowSeconds } = window
  const changes = await readChanges(chain, pool, { from: (before?.number ?? -1) + 1, to: last.number })
  const at = { nowSeconds: last.timestampSeconds, windowSeconds }
  if (changes.length === 0) return readContract(chain, { to: pool, name: 'slot0', block: last.number })
  const first = before && (await readPriceAt(chain, pool, before))
  return medianPrice(first ? [{ atSeconds: before.timestampSeconds, sqrtPriceX96: first }, ...changes] : changes, at)
}

/** Of a node that no longer has the state of the block, the last trade until then tells it. */
async function readPriceAt(chain: Chain, pool: Address, block: Header): Promise<bigint | undefined> {
  try {
    return await readContract(chain, { to: pool, name: 'slot0', block: block.number })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rpc-refused') throw error
    let to = block.number
    for (let step = 0; step < stepsMax && to >= 0; step += 1) {
      const changes = await readChanges(chain, pool, { from: Math.max(0, to - logRange + 1), to })
      if (changes.length > 0) return changes.at(-1)?.sqrtPriceX96
      to -= logRange
    }
    throw error
  }
}

async function readChanges(
  chain: Chain,
  address: Address,
  blocks: { readonly from: number; readonly to: number },
): Promise<PriceChange[]> {
  const changes: PriceChange[] = []
  for (let from = blocks.from; from <= blocks.to; from += logRange) {
    const to = Math.min(blocks.to, from + logRange - 1)
    const { logs } = await chain.readRange({ from, to, topics: priceTopics, address, everyHeader: false })
    for (const log of logs) {
      const event = decodePoolEvent(log)
      if (event?.kind !== 'swap' && event?.kind !== 'initialize') continue
      changes.push({ atSeconds: log.timestampSeconds, sqrtPriceX96: event.sqrtPriceX96 })
    }
  }
  return changes
}

async function readBlock(chain: Chain, number: number): Promise<Header> {
  const header = await chain.readHeader(number)
  if (!header) throw new Failure('rpc-unavailable', `The node does not have block ${number}`, { retryable: true })
  return header
}
