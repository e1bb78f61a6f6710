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
