import type { Address } from '@chainboard/core'
import type { KeptSource } from '../pollSource.ts'
import type { SourceReading } from '../source.ts'
import type { CmcRows } from './cmcBook.ts'

/** What answers in CoinMarketCap's words are made of, as data that can be handed to another process. */
export type CmcDesk = {
  /** CoinMarketCap's own newest answers; undefined: there is no key. */
  readonly rows: CmcRows | undefined
  /** What is kept of the listing; undefined when it is not asked. */
  readonly listed: Pick<KeptSource, 'reading' | 'failure'> | undefined
  /** What the chain says: the index, or a subgraph. */
  readonly onChain: Pick<SourceReading, 'atBlock' | 'answers' | 'poolVolumes'> | undefined
}

/** A reading with the volumes of those pools alone that an answer could be about. */
export function toAnswerable(reading: SourceReading | undefined): CmcDesk['onChain'] {
  if (!reading) return undefined
  const { atBlock, answers, poolVolumes } = reading
  const pools = new Set<Address>()
  for (const answer of answers.values()) {
    if (answer.displayPool) pools.add(answer.displayPool.pool)
    const first = answer.kind === 'quoted' ? answer.quote.route[0] : undefined
    if (first) pools.add(first.pool)
  }
  return { atBlock, answers, ...(poolVolumes && { poolVolumes: new Map([...poolVolumes].filter(([pool]) => pools.has(pool))) }) }
}
