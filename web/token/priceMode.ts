import { createStoredChoice, useStoredChoice } from '../lib/storedChoice.ts'

/** Prices in US dollars, or in what the token is paired with in its pool. */
export type PriceMode = 'usd' | 'paired'

const chosenMode = createStoredChoice<PriceMode>('priceDisplayMode', ['usd', 'paired'])

/** What prices are counted in; US dollars before anything was chosen. */
export function usePriceMode(): { readonly mode: PriceMode; readonly setMode: (mode: PriceMode) => void } {
  return { mode: useStoredChoice(chosenMode) ?? 'usd', setMode: chosenMode.write }
}
