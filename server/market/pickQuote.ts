import { type Address, absolute, e18ToNumber, formatRelativeTime, formatUsdPrice } from '@chainboard/core'
import { type FreshOptions, findOffer, type Offer } from './offer.ts'
import type { KeptSource } from './pollSource.ts'
import type { Quote } from './source.ts'
import { getDefinition } from './sourceRegistry.ts'

/** Percent between a source and the chain that is worth a word, where the network file says nothing. */
const defaultSpreadMaxPercent = 10

export type PickOptions = FreshOptions & {
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
  const offers = kept.flatMap((source) => {
    const offer = findOffer(source, token, options)
    return offer ? [{ ...offer, isSlow: isSlow(source) }] : []
  })
  const winner =
    offers.find(({ isFresh, isSlow }) => isFresh && !isSlow) ??
    offers.find(({ isFresh }) => isFresh) ??
    offers.toSorted((a, b) => b.quote.observedAtSeconds - a.quote.observedAtSeconds)[0]
  if (!winner) {
    return { quote: undefined, reasons: kept.flatMap((source) => whyUnpriced(source, token)), freshSecondsMax: 0 }
  }
  const { quote, isFresh, freshSecondsMax } = winner
  const chainOffer = options.chain && findOffer(options.chain, token, options)
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

function isSlow({ name, intervalMs }: KeptSource): boolean {
  return intervalMs > (getDefinition(name).standsBackOverMs ?? Number.POSITIVE_INFINITY)
}

function whyStale({ quote, failure }: Offer, nowSeconds: number): string[] {
  return [
    `Stale: the last good price is from ${formatRelativeTime(quote.observedAtSeconds, nowSeconds)}`,
    ...(failure ? [failure] : []),
  ]
}

function whyUnpriced({ name, reading, failure }: KeptSource, token: Address): readonly string[] {
  if (!reading) return [`No response yet from ${getDefinition(name).inSentences}`, ...(failure ? [failure] : [])]
  const answer = reading.answers.get(token)
  return answer?.kind === 'unpriced' ? answer.reasons : []
}

/** `CoinMarketCap says $1.20, the index $1.00: 20.0 % apart`, in percent of the chain's figure; nothing within the spread. */
function describeSpread(quote: Quote, onChain: Quote, spreadMaxPercent: number): string[] {
  if (quote.source === onChain.source || onChain.usdE18 === 0n) return []
  const apartPercent = Number((absolute(quote.usdE18 - onChain.usdE18) * 1_000_000n) / onChain.usdE18) / 10_000
  if (apartPercent <= spreadMaxPercent) return []
  const [said, found] = [quote, onChain].map(({ usdE18 }) => formatUsdPrice(e18ToNumber(usdE18)))
  const [teller, chainTeller] = [quote, onChain].map(({ source }) => getDefinition(source).inSentences)
  return [`${teller} says ${said}, ${chainTeller} ${found}: ${apartPercent.toFixed(1)} % apart`]
}
