export type LiquidityLock = { readonly kind: 'none' } | { readonly kind: 'locked' | 'unlocked'; readonly untilSeconds: number }

/** State of a token's liquidity lock from the list's `lockTimer`: none when absent or no date, locked while it lies ahead. */
export function toLiquidityLock(lockTimer: string | undefined, nowSeconds: number): LiquidityLock {
  const untilSeconds = lockTimer === undefined ? Number.NaN : Date.parse(lockTimer) / 1000
  if (Number.isNaN(untilSeconds)) return { kind: 'none' }
  return { kind: untilSeconds > nowSeconds ? 'locked' : 'unlocked', untilSeconds }
}
