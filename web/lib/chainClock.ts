import { useBrowserStore } from './hydration.tsx'
import { setDrawnAt, useNow } from './useNow.ts'

/** Servers tell whole seconds, and answers take a while: less than this is no difference of two clocks. */
const noiseSeconds = 3

/** How far this device's clock is ahead of the chain's, and at what unix second boosts stand still while their contract is paused. */
export type ChainClock = { readonly aheadSeconds: number; readonly pausedAtSeconds: number | undefined }

let clock: ChainClock = { aheadSeconds: 0, pausedAtSeconds: undefined }
let drawnClock = clock
const listeners = new Set<() => void>()

/** What is known of a device's clock after an answer: a difference within the noise of the last one changes nothing. */
export function nextAhead(beforeSeconds: number, chainMs: number, deviceMs: number): number {
  const seconds = Math.round((deviceMs - chainMs) / 1000)
  if (Number.isNaN(seconds) || Math.abs(seconds - beforeSeconds) < noiseSeconds) return beforeSeconds
  return Math.abs(seconds) < noiseSeconds ? 0 : seconds
}

/** What is known after an answer; the very same when it tells nothing new. */
export function nextClock(before: ChainClock, headers: Headers, deviceMs: number): ChainClock {
  const chainSeconds = Number(headers.get('x-chain-time') ?? Number.NaN)
  if (Number.isNaN(chainSeconds)) return before
  const paused = headers.get('x-boost-clock') === 'paused'
  const pausedAtSeconds = paused ? chainSeconds : undefined
  const aheadSeconds = paused ? before.aheadSeconds : nextAhead(before.aheadSeconds, chainSeconds * 1000, deviceMs)
  if (aheadSeconds === before.aheadSeconds && pausedAtSeconds === before.pausedAtSeconds) return before
  return { aheadSeconds, pausedAtSeconds }
}

/** @param deviceSeconds unix seconds by this device's clock */
export function toChainNow({ aheadSeconds, pausedAtSeconds }: ChainClock, deviceSeconds: number): number {
  return pausedAtSeconds ?? deviceSeconds - aheadSeconds
}

/** Takes the chain's time from an answer that tells it. */
export function noteChainTime(headers: Headers): void {
  const next = nextClock(clock, headers, Date.now())
  if (next === clock) return
  clock = next
  for (const listener of listeners) listener()
}

/** What is known now, for a page that is drawn at the server. */
export const readChainClock = (): ChainClock => clock

/** The clocks that a page was drawn by at the server, for as long as it takes to take it over. @param atSeconds the server's unix second */
export function setDrawnClocks(atSeconds: number, chain: ChainClock): void {
  setDrawnAt(atSeconds)
  drawnClock = chain
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The chain's clock in unix seconds, by which boosts end, as the server's last answers told it: the server's own unless the chain is
 * ahead of that, and right on a device whose own is not. Ticks once a second, and stands still while the boost contract is paused.
 */
export function useChainNow(): number {
  const deviceSeconds = useNow()
  return toChainNow(
    useBrowserStore(
      subscribe,
      () => clock,
      () => drawnClock,
    ),
    deviceSeconds,
  )
}
