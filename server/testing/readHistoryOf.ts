import type { Chain, ChainRange, HistoryRequest } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { indexedTopics } from '../indexer/decodeLog.ts'
import { mineSome, poolCreated, poolEvent, tokens } from './fakeExchange.ts'

// A chain whose history is read as an index reads it, and what was read.

export function newChain(blocks = 400): FakeChain {
  const chain = new FakeChain()
  chain.joinsRanges = false
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300)])
  mineSome(chain, { blocks, seed: 3 })
  return chain
}

export type Asked = Partial<Omit<HistoryRequest, 'signal'>> & { readonly takes?: boolean; readonly ranges?: number }

/** Reads to the end, or so many ranges, as an index does that takes what it reads, unless it does not. */
export async function read(chain: Chain, { takes = true, ranges = Number.POSITIVE_INFINITY, ...request }: Asked = {}) {
  const over = new AbortController()
  const found: ChainRange[] = []
  for await (const range of chain.readHistory({
    ...{ from: 0, to: 390, topics: indexedTopics, order: 'up', spanMax: 20, wanted: 'all', signal: over.signal },
    ...request,
  })) {
    found.push(range)
    if (takes) range.taken?.()
    if (found.length >= ranges) break
  }
  over.abort()
  return found
}

export const textOf = (ranges: readonly ChainRange[]) => ({
  logs: JSON.stringify(ranges.flatMap(({ logs }) => logs)),
  ends: [ranges[0]?.headers[0]?.number, ranges.at(-1)?.headers.at(-1)?.hash],
})
