import type { Address } from '@chainboard/core'
import type { KeptSource } from './pollSource.ts'
import type { Quote } from './source.ts'

/** Seconds after which a price is old, where the network file says nothing. */
const defaultStaleAfterSeconds = 300

export type FreshOptions = { readonly nowSeconds: number; readonly staleAfterSeconds?: number | undefined }

/** A price of a token as one source has it at this moment. */
export type Offer = {
  readonly quote: Quote
  readonly freshSecondsMax: number
  readonly isFresh: boolean
  readonly failure: string | undefined
}

/** Undefined for a source that has no price of the token. Pure. */
export function findOffer(
  { reading, intervalMs, failure }: Pick<KeptSource, 'reading' | 'intervalMs' | 'failure'>,
  token: Address,
  { nowSeconds, staleAfterSeconds = defaultStaleAfterSeconds }: FreshOptions,
): Offer | undefined {
  const answer = reading?.answers.get(token)
  if (answer?.kind !== 'quoted') return undefined
  // A price is as old as the last reading at worst: one that comes seldom is not old before the one after it is missed.
  const freshSecondsMax = answer.quote.validSeconds ?? Math.max(staleAfterSeconds, (2 * intervalMs) / 1000)
  const isFresh = nowSeconds - answer.quote.observedAtSeconds <= freshSecondsMax
  return { quote: answer.quote, freshSecondsMax, isFresh, failure }
}

/** Whether a source has a fresh price of a token. Pure. */
export function hasFreshQuote(kept: KeptSource, token: Address, options: FreshOptions): boolean {
  return findOffer(kept, token, options)?.isFresh === true
}
