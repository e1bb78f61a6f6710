import type { WireWarning } from '@chainboard/contract'
import { type Address, type PriceStatus, runAtOnce } from '@chainboard/core'
import type { BlockRef } from '../store/syncCursor.ts'
import { mapSteps } from './inTurns.ts'
import { type PickOptions, pickQuote } from './pickQuote.ts'
import type { KeptSource } from './pollSource.ts'
import type { PriceSource, Quote, SourceAnswer, SourceReading } from './source.ts'
import { getDefinition } from './sourceRegistry.ts'
import type { ListedToken, TokenList } from './tokenList.ts'
import { type TokenMarket, toFigures } from './tokenMarket.ts'
import { findLookalikes } from './warnings/findLookalikes.ts'

/** The market of all listed tokens, taken at once, at one block; undefined while the index is empty. */
export type Snapshot = {
  readonly atBlock: BlockRef | undefined
  /** In the list's order. */
  readonly markets: readonly TokenMarket[]
  readonly byToken: Pick<ReadonlyMap<Address, TokenMarket>, 'get'>
  /** The lowest fee of a pool that could make organic volume, in millionths; absent while none is known. */
  readonly feeMin?: number
  /** Unix seconds from when on the index has every event; absent: from the beginning. */
  readonly sinceSeconds?: number | undefined
}

/** What is known of tokens beside their market, at this moment. */
export type Learned = {
  warn(token: ListedToken): readonly WireWarning[]
  /** Whole tokens as the chain says them, never ahead of what `warn` says of them; undefined: what the source has. */
  findSupply(token: Address): number | undefined
}

/** @param learned absent: nothing */
export type MergeOptions = PickOptions & { readonly learned?: Learned | undefined }

/** What a snapshot was made of. */
export type Taken = { readonly snapshot: Snapshot; readonly kept: readonly KeptSource[]; readonly chain: KeptSource | undefined }

/**
 * The market by what is kept of the sources, in their order. Pure. Pools, and the block, are those of the source that reads the
 * chain, whoever sets the price.
 * @param before the last one: of a long list most tokens are the same after a block, and those are taken over as they are
 */
export function mergeSnapshot(kept: readonly KeptSource[], list: TokenList, options: MergeOptions, before?: Taken): Snapshot {
  return runAtOnce(mergeSteps(kept, list, options, before))
}

/** The same, a step for each token. */
export function* mergeSteps(
  kept: readonly KeptSource[],
  list: TokenList,
  options: MergeOptions,
  before?: Taken,
): Generator<void, Snapshot> {
  const onChain = options.chain?.reading
  const isUnchanged = compareAnswers([...kept, options.chain], before && [...before.kept, before.chain])
  const lookalikes = toLookalikes(list.tokens)
  const markets = yield* mapSteps(list.tokens, (token, place): TokenMarket => {
    const last = before?.snapshot.markets[place]
    const answer = onChain?.answers.get(token.id)
    const warnings = join(lookalikes.get(token.id), answer?.warnings, options.learned?.warn(token))
    if (last?.token === token && isUnchanged(token.id) && isSame(last.warnings, warnings)) return last
    const { quote, reasons, freshSecondsMax } = pickQuote(token.id, kept, options)
    const supply =
      token.supply ?? (answer?.supply === undefined ? undefined : options.learned?.findSupply(token.id)) ?? answer?.supply
    const displayPool = answer?.displayPool
    const firstTradeAtSeconds = answer?.firstTradeAtSeconds
    const known = { token, supply, quote, reasons, freshSecondsMax, displayPool, warnings, firstTradeAtSeconds }
    return {
      ...known,
      ...toFigures({ supply, quote, onChain: answer, volume24hUsdE18: quote && findVolume(quote, answer) }),
      rank: 0,
    }
  })
  yield* rankByFdmc(markets)
  return {
    atBlock: onChain?.atBlock,
    sinceSeconds: onChain?.sinceSeconds,
    markets,
    byToken: toByToken(markets, list.tokens),
  }
}

/** Made apart: a function that is kept keeps all variables of the one that made it, here the snapshot before, and by it every earlier one. */
function toByToken(markets: readonly TokenMarket[], tokens: readonly ListedToken[]): Snapshot['byToken'] {
  const places = toPlaces(tokens)
  return { get: (id) => markets[places.get(id) ?? -1] }
}

const lookalikesKept = new WeakMap<readonly ListedToken[], ReadonlyMap<Address, WireWarning>>()

/** A list does not change: worked out once. */
function toLookalikes(tokens: readonly ListedToken[]): ReadonlyMap<Address, WireWarning> {
  const known = lookalikesKept.get(tokens)
  if (known) return known
  const found = findLookalikes(tokens)
  lookalikesKept.set(tokens, found)
  return found
}

const none: readonly WireWarning[] = []

function join(
  own: WireWarning | undefined,
  told: readonly WireWarning[] = none,
  known: readonly WireWarning[] = none,
): readonly WireWarning[] {
  if (!own && told.length === 0 && known.length === 0) return none
  return [...(own ? [own] : []), ...told, ...known]
}

function isSame(a: readonly WireWarning[], b: readonly WireWarning[]): boolean {
  return a.length === b.length && a.every(({ text }, i) => text === b[i]?.text)
}

/** Whether all sources give the very answer of last time, that they have no price: nothing can have changed about such a token. */
function compareAnswers(
  now: readonly (KeptSource | undefined)[],
  before: readonly (KeptSource | undefined)[] | undefined,
): (token: Address) => boolean {
  if (now.length !== before?.length) return () => false
  const answersOf = (sources: readonly (KeptSource | undefined)[]) => sources.map((source) => source?.reading?.answers)
  const [answers, earlier] = [answersOf(now), answersOf(before)]
  return (token) =>
    answers.every((own, i) => {
      const answer = own?.get(token)
      return answer?.kind === 'unpriced' && answer === earlier[i]?.get(token)
    })
}

/** Puts the ranks in: by value, then those without a price in the list's order. A market that has its rank is left as it is. */
function* rankByFdmc(markets: TokenMarket[]): Generator<void> {
  const give = (place: number, rank: number) => {
    const market = markets[place]
    if (market && market.rank !== rank) markets[place] = { ...market, rank }
  }
  const priced = markets.flatMap(({ quote }, place) => (quote ? place : [])).sort((a, b) => compareFdmc(markets[a], markets[b]))
  yield
  priced.forEach((place, i) => {
    give(place, i + 1)
  })
  yield
  let rank = priced.length
  for (let place = 0; place < markets.length; place += 1) {
    if (markets[place]?.quote) continue
    rank += 1
    give(place, rank)
  }
}

const placesKept = new WeakMap<readonly ListedToken[], ReadonlyMap<Address, number>>()

/** Where in the list each token is. A list does not change: worked out once. */
function toPlaces(tokens: readonly ListedToken[]): ReadonlyMap<Address, number> {
  const known = placesKept.get(tokens)
  if (known) return known
  const places = new Map(tokens.map(({ id }, place) => [id, place]))
  placesKept.set(tokens, places)
  return places
}

/** The market by one source that reads the chain, asked now. Fails as the source does. */
export async function takeSnapshot(source: PriceSource, list: TokenList, nowSeconds = Date.now() / 1000): Promise<Snapshot> {
  const kept = toKept(source.name, await source.read(list.tokens), nowSeconds)
  return mergeSnapshot([kept], list, { nowSeconds, chain: kept })
}

/** A reading that was just taken, and will not be taken again. */
export function toKept(name: KeptSource['name'], reading: SourceReading, nowSeconds: number): KeptSource {
  return { name, reading, readAtMs: nowSeconds * 1000, intervalMs: 0, failingSinceMs: undefined, failure: undefined }
}

/** Whether a price still counts as current at `nowSeconds`. */
export function priceStatusOf(
  { quote, freshSecondsMax }: Pick<TokenMarket, 'quote' | 'freshSecondsMax'>,
  { nowSeconds }: { readonly nowSeconds: number },
): PriceStatus {
  if (!quote) return 'unpriced'
  return nowSeconds - quote.observedAtSeconds > freshSecondsMax ? 'stale' : 'priced'
}

function findVolume(quote: Quote, onChain: SourceAnswer | undefined): bigint | undefined {
  if (!getDefinition(quote.source).volumeOfPools) return quote.volume24hUsdE18
  return onChain?.kind === 'quoted' ? onChain.quote.volume24hUsdE18 : undefined
}

function compareFdmc(a: TokenMarket | undefined, b: TokenMarket | undefined): number {
  if (!a || !b || a.fdmcUsdE18 === b.fdmcUsdE18) return 0
  return a.fdmcUsdE18 > b.fdmcUsdE18 ? -1 : 1
}
