import { useSyncExternalStore } from 'react'
import { useNow } from './useNow.ts'

/** Servers tell whole seconds, and answers take a while: less than this is no difference of two clocks. */
const noiseSeconds = 3

let aheadSeconds = 0
const listeners = new Set<() => void>()

/** What is known of a device's clock after an answer: a difference within the noise of the last one changes nothing. */
export function nextAhead(beforeSeconds: number, serverMs: number, deviceMs: number): number {
  const seconds = Math.round((deviceMs - serverMs) / 1000)
  if (Number.isNaN(seconds) || Math.abs(seconds - beforeSeconds) < noiseSeconds) return beforeSeconds
  return Math.abs(seconds) < noiseSeconds ? 0 : seconds
}

/** Takes the server's time from an answer of it. */
export function noteServerTime(headers: Headers): void {
  const next = nextAhead(aheadSeconds, Date.parse(headers.get('date') ?? ''), Date.now())
  if (next === aheadSeconds) return
  aheadSeconds = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The server's clock in unix seconds, as its last answers told it: right on a device whose own is not. Ticks once a second. */
export function useServerNow(): number {
  return useNow() - useSyncExternalStore(subscribe, () => aheadSeconds)
}
