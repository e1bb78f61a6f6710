import { type Address, absolute, e18ToNumber, formatRelativeTime, formatUsdPrice } from '@chainboard/core'
import type { KeptSource } from './pollSource.ts'
import type { Quote, SourceName } from './source.ts'

/** Seconds after which a price is old, where the network file says nothing. */
const defaultStaleAfterSeconds = 300
/** Percent between a source and the chain that is worth a word, where the network file says nothing. */
const defaultSpreadMaxPercent = 10
/** A source of DEX pairs that is asked more seldom than this stands back wherever another one has a fresh price. */
const slowIntervalMsMin = 15 * 60_000

export type PickOptions = {
  readonly nowSeconds: number
  readonly staleAfterSeconds?: number | undefined
  readonly spreadMaxPercent?: number | undefined
  /** The source that reads the chain, against which the others are held. */
  readonly chain: KeptSource | undefined
}

/** The quote that counts, why it is weak or missing, and the age in seconds up to which it is current. */
export type PickedQuote = {
  readonly quote: Quote | undefined
  readonly reasons: readonly string[]
  readonly freshSecondsMax: number
}

/**
 * Decides whose price of a token counts. Pure. The first source with a fresh price, in the order given; where none is fresh,
 * the newest price of any; `unpriced` by one source is an answer, and the next one is asked.
 */
export function pickQuote(token: Address, kept: readonly KeptSource[], options: PickOptions): PickedQuote {
  const offers = kept.flatMap((source) => toOffer(source, token, options))
  const winner =
    offers.find(({ isFresh, isSlow }) => isFresh && !isSlow) ??
    offers.find(({ isFresh }) => isFresh) ??
    offers.toSorted((a, b) => b.quote.observedAtSeconds - a.quote.observedAtSeconds)[0]
  if (!winner) {
    return { quote: undefined, reasons: kept.flatMap((source) => whyUnpriced(source, token)), freshSecondsMax: 0 }
  }
  const { quote, isFresh, freshSecondsMax } = winner
  const chainOffer = options.chain && toOffer(options.chain, token, options)[0]
  return {
    quote,
    freshSecondsMax,
    reasons: [
      ...quote.reasons,
      ...(isFresh ? [] : whyStale(winner, options.nowSeconds)),
      ...(chainOffer?.isFresh
        ? describeSpread(quote, chainOffer.quote, options.spreadMaxPercent ?? defaultSpreadMaxPercent)
        : []),
    ],
  }
}

/** Whether a source has a fresh price of a token. Pure. */
export function hasFreshQuote(kept: KeptSource, token: Address, options: Omit<PickOptions, 'chain'>): boolean {
  return toOffer(kept, token, options).some(({ isFresh }) => isFresh)
}

type Offer = {
  readonly quote: Quote
  readonly freshSecondsMax: number
  readonly isFresh: boolean
  readonly isSlow: boolean
  readonly failure: string | undefined
}

/** None for a source that has no price of the token. */
function toOffer(
  { name, reading, intervalMs, failure }: KeptSource,
  token: Address,
  { nowSeconds, staleAfterSeconds = defaultStaleAfterSeconds }: Omit<PickOptions, 'chain'>,
): Offer[] {
  const answer = reading?.answers.get(token)
  if (answer?.kind !== 'quoted') return []
  // A price is as old as the last reading at worst: one that comes seldom is not old before the one after it is missed.
  const freshSecondsMax = Math.max(staleAfterSeconds, (2 * intervalMs) / 1000)
  const isFresh = nowSeconds - answer.quote.observedAtSeconds <= freshSecondsMax
  return [{ quote: answer.quote, freshSecondsMax, isFresh, isSlow: name === 'cmcDex' && intervalMs > slowIntervalMsMin, failure }]
}

function whyStale({ quote, failure }: Offer, nowSeconds: number): string[] {
  return [
    `Stale: the last good price is of ${formatRelativeTime(quote.observedAtSeconds, nowSeconds)}`,
    ...(failure ? [failure] : []),
  ]
}

function whyUnpriced({ name, reading, failure }: KeptSource, token: Address): readonly string[] {
  if (!reading) return [`No answer yet from ${labels[name]}`, ...(failure ? [failure] : [])]
  const answer = reading.answers.get(token)
  return answer?.kind === 'unpriced' ? answer.reasons : []
}

/** `CoinMarketCap says $1.20, the index $1.00: 20.0 % apart`, in percent of the chain's figure; nothing within the spread. */
function describeSpread(quote: Quote, onChain: Quote, spreadMaxPercent: number): string[] {
  if (quote.source === onChain.source || onChain.usdE18 === 0n) return []
  const apartPercent = Number((absolute(quote.usdE18 - onChain.usdE18) * 1_000_000n) / onChain.usdE18) / 10_000
  if (apartPercent <= spreadMaxPercent) return []
  const [said, found] = [quote, onChain].map(({ usdE18 }) => formatUsdPrice(e18ToNumber(usdE18)))
  return [`${labels[quote.source]} says ${said}, ${labels[onChain.source]} ${found}: ${apartPercent.toFixed(1)} % apart`]
}

const labels: Readonly<Record<SourceName, string>> = {
  cmcListed: 'CoinMarketCap',
  cmcDex: "CoinMarketCap's DEX side",
  subgraph: 'the subgraph',
  index: 'the index',
}
