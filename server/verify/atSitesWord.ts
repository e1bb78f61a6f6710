import type { FigureReceipt, Receipt } from '@chainboard/contract'
import { decimalToE18 } from '@chainboard/core'
import type { Difference } from './judge.ts'

/** Of the fields of receipts, those that a node cannot prove. Every other one is compared: see docs/prices/verify.md, and `everyField.test.ts`. */
export const atSitesWord = {
  /** Words of the moment. */
  words: ['reasons', 'warnings'],
  /**
   * What prices were in the hours before widens the range and lowers the confidence, and the chain says of both how narrow and how high
   * they may be.
   */
  oneSided: ['priceLow', 'priceHigh', 'confidence'],
  /** Whose supply it is: the token list's is compared with the list. */
  marketCap: ['supplyFrom'],
} as const satisfies {
  words: readonly (keyof Receipt)[]
  oneSided: readonly (keyof Receipt)[]
  marketCap: readonly (keyof NonNullable<FigureReceipt['marketCap']>)[]
}

type Bounded = Pick<Receipt, (typeof atSitesWord.oneSided)[number]>

/** Where a range is narrower, or a confidence higher, than the chain allows. Pure. */
export function compareOneSided(served: Bounded, found: Bounded): Difference[] {
  const toE18 = (text: string | null) => (text === null ? undefined : decimalToE18(text))
  const isOrdered = (a: string | null, b: string | null) => {
    const [low, high] = [toE18(a), toE18(b)]
    return low !== undefined && high !== undefined && low <= high
  }
  const toText = (value: string | number | null) => String(value ?? 'none')
  const ends = [
    { field: 'priceLow', word: 'at most', holds: isOrdered(served.priceLow, found.priceLow) },
    { field: 'priceHigh', word: 'at least', holds: isOrdered(found.priceHigh, served.priceHigh) },
    { field: 'confidence', word: 'at most', holds: served.confidence <= found.confidence },
  ] as const
  return ends.flatMap(({ field, word, holds }) =>
    holds ? [] : [{ what: field, served: toText(served[field]), found: `${word} ${toText(found[field])}` }],
  )
}
