import { useSyncExternalStore } from 'react'
import { useNow } from './useNow.ts'

/** Servers tell whole seconds, and answers take a while: less than this is no difference of two clocks. */
const noiseSeconds = 3

let aheadSeconds = 0
const listeners = new Set<() => void>()

/** What is known of a device's clock after an answer: a difference within the noise of the last one changes nothing. */
export function nextAhead(beforeSeconds: number, chainMs: number, deviceMs: number): number {
  const seconds = Math.round((deviceMs - chainMs) / 1000)
  if (Number.isNaN(seconds) || Math.abs(seconds - beforeSeconds) < noiseSeconds) return beforeSeconds
  return Math.abs(seconds) < noiseSeconds ? 0 : seconds
}

/** Takes the chain's time from an answer that tells it. */
export function noteChainTime(headers: Headers): void {
  const next = nextAhead(aheadSeconds, Number(headers.get('x-chain-time') ?? Number.NaN) * 1000, Date.now())
  if (next === aheadSeconds) return
  aheadSeconds = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The chain's clock in unix seconds, by which boosts end, as the server's last answers told it: the server's own unless the chain is
 * ahead of that, and right on a device whose own is not. Ticks once a second.
 */
export function useChainNow(): number {
  return useNow() - useSyncExternalStore(subscribe, () => aheadSeconds)
}
