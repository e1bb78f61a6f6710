import type { Static, TObject, TProperties } from 'typebox'
import type { Chain } from '../chain/chain.ts'
import type { Finding } from '../finding.ts'
import type { NetworkBase } from '../networkBase.ts'
import type { Store } from '../store/store.ts'
import type { AskedSource, KeptSource, SourceClock } from './pollSource.ts'
import type { PriceSource, Quote, SourceName, SourceReading } from './source.ts'
import type { ListedToken, TokenList } from './tokenList.ts'
import type { TokenMarket } from './tokenMarket.ts'

/**
 * All that the server knows of one source of prices. `sources/<name>/definition.ts` exports it under its name, and a line in
 * `sources/registry.ts` puts it in: configuration, schema, polling, `explain`, the doctor and the page follow from that.
 * Give a definition its type by name (`export const oracle: SourceDefinition<typeof file> = …`): the network file's type is made of it.
 */
export type SourceDefinition<File extends TProperties = TProperties> = {
  /** As `prices.sources` of the network file names it: the name of its folder. */
  readonly name: string
  /** What the page shows as the origin of a price: `CoinMarketCap, from DEX trades`. */
  readonly label: string
  /** The same within a sentence: `the index` as in "the index says $1.20". */
  readonly inSentences: string
  /** Whose figures they are, where `explain` should name somebody else than `inSentences`. */
  readonly publisher?: string
  /** Its fields of the network file, every one optional: a network may do without the source. */
  readonly file: File
  /** Its variables of the environment, by name. */
  readonly env: Readonly<Record<string, SourceVariable>>
  /** Why `prices.sources` may not name it, as the end of "wanted …"; undefined: it may. */
  findUnfit(network: NetworkWith<File>, env: SourceEnv): string | undefined
  /** Opened although `prices.sources` does not name it: the market's pools and block may be its own. */
  readonly readsChain?: true
  /** Read less often than this, it stands back wherever another source has a fresh price. */
  readonly standsBackOverMs?: number
  /**
   * The source and its pace, asked nothing yet. Once at a start, where the network file names it.
   * `LeftOut`: a line for the log. Undefined: it is not wanted here.
   */
  open(parts: OpenParts<File>): Promise<AskedSource | LeftOut | undefined> | AskedSource | LeftOut | undefined
  /** Looks at it for the doctor, where the network file names it, and says what is wrong there. */
  check(visit: SourceVisit<File>): Promise<void> | void
  /** How anybody can ask for a price again, for `explain`: `slug usd-coin`. Absent for prices that are worked out from pools. */
  askedAs?(market: TokenMarket, quote: Quote): string
  /** It knows no volumes: its tokens have those of the chain's pools. */
  readonly volumeOfPools?: true
}

/** A network file as a source reads it: its own fields, and those that are no source's. */
export type NetworkWith<File extends TProperties> = NetworkBase & Static<TObject<File>>

/** A variable of the environment that holds something for a source; secret as far as we know. */
export type SourceVariable = {
  readonly isFit: (text: string) => boolean
  /** What is said of a value that is not, without the value. */
  readonly found: string
  readonly wanted: string
}

/** Variables of all sources that are set. */
export type SourceEnv = Readonly<Record<string, string | undefined>>

export type LeftOut = { readonly leftOut: string }

/** What a source is opened with. */
export type OpenParts<File extends TProperties = TProperties> = {
  readonly network: NetworkWith<File>
  readonly env: SourceEnv
  readonly store: Store
  readonly list: () => TokenList
  /** Our own index as a source; undefined where nothing is indexed. */
  readonly index: PriceSource | undefined
  /** The chain's nodes. */
  readonly openChain: () => SourceChain
  readonly clock: SourceClock
  /** Ends calls under way when the server stops. */
  readonly signal: AbortSignal
  /** What is kept of another source; undefined before all are open, and where it is not in use. */
  readonly kept: (name: SourceName) => KeptSource | undefined
  /** What the source that reads the chain said last. */
  readonly chainReading: () => SourceReading | undefined
}

export type SourceChain = Pick<Chain, 'readHead' | 'forward'>

/** What the doctor hands to a check. */
export type SourceVisit<File extends TProperties = TProperties> = {
  readonly network: NetworkWith<File>
  readonly tokens: readonly ListedToken[]
  readonly env: SourceEnv
  /** A node that answers as it should; undefined: there is none. */
  readonly chain: SourceChain | undefined
  /** Newest block of the chain; undefined: no node said it. */
  readonly headNumber: number | undefined
  readonly callTimeoutMs: number
  readonly say: (finding: Finding) => void
}
