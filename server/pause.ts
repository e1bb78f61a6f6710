/** A timer's longest: beyond it Node would not wait at all. */
const timerMsMax = 2 ** 31 - 1

/** Resolves after `ms`, after 24 days at the latest, or at once when `signal` is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, timerMsMax))
    signal.addEventListener('abort', end)
  })
}
