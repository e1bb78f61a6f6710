import type { BoostFacts } from './readFacts.ts'

/** Why nobody can boost now, or why this wallet cannot: then there are no buttons. */
export type Obstacle =
  | { readonly kind: 'contract'; readonly text: string }
  | { readonly kind: 'price'; readonly text: string }
  | { readonly kind: 'funds' }

export const pausedText = 'Boost contract is currently paused. Please try again later.'
export const notAcceptedText = 'USDC is not currently accepted as payment. Please contact support.'
export const noPriceText = 'Failed to fetch boost price'
export const noFactsText = 'Failed to check wallet balance and contract status'

/** The first thing in the way of a boost; `undefined` when nothing is. */
export function findObstacle({ paused, accepted, costRaw, wallet }: BoostFacts): Obstacle | undefined {
  if (paused) return { kind: 'contract', text: pausedText }
  if (!accepted) return { kind: 'contract', text: notAcceptedText }
  if (costRaw === 0n) return { kind: 'price', text: noPriceText }
  return wallet && wallet.balanceRaw < costRaw ? { kind: 'funds' } : undefined
}

/** Whether the contract may take the price from the wallet already. */
export function isCovered({ costRaw, wallet }: BoostFacts): boolean {
  return wallet !== undefined && costRaw > 0n && wallet.allowanceRaw >= costRaw
}
