import type { WireConfig } from '@chainboard/contract'
import type { QueryClient } from '@tanstack/react-query'
import { applyBrand } from '../lib/brand.ts'
import { type ChainClock, setDrawnClocks } from '../lib/chainClock.ts'

/** What a page was drawn from at the server, as it stands in the page. */
export type DrawnState = {
  /** The server's unix second. */
  readonly atSeconds: number
  readonly clock: ChainClock
  /** Answers by the keys of their queries. */
  readonly answers: readonly (readonly [key: readonly unknown[], answer: unknown])[]
}

/** Of the element that has a {@link DrawnState}. */
export const stateId = 'drawn'

/**
 * Begins with what the server drew the page from. An answer is as old as the page: whatever has become stale since is asked for again.
 * @returns whether the server drew this page
 */
export function takeDrawnState(client: QueryClient): boolean {
  const text = document.getElementById(stateId)?.textContent
  if (!text) return false
  const { atSeconds, clock, answers }: DrawnState = JSON.parse(text)
  setDrawnClocks(atSeconds, clock)
  // By a clock of this device that is behind, no answer is of the future.
  const updatedAt = Math.min(atSeconds * 1000, Date.now())
  for (const [key, answer] of answers) client.setQueryData(key, answer, { updatedAt })
  const config = client.getQueryData<WireConfig>(['config'])
  if (config) applyBrand(config.brand)
  return true
}
