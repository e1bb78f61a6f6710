import { useBrowserStore } from './hydration.tsx'

const listeners = new Set<() => void>()
let nowSeconds = Math.floor(Date.now() / 1000)
let drawnAtSeconds = nowSeconds
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  nowSeconds = Math.floor(Date.now() / 1000)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The page was drawn by the server at this unix second: until it is taken over, every age on it is as of then. */
export function setDrawnAt(seconds: number): void {
  drawnAtSeconds = seconds
}

/** This device's clock in unix seconds, one tick a second for the whole page. */
export function useNow(): number {
  return useBrowserStore(
    subscribe,
    () => nowSeconds,
    () => drawnAtSeconds,
  )
}
