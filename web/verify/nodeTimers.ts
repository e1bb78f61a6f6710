// In a browser, in place of Node's `timers/promises`.

/** Resolves after so many milliseconds; rejects at once when the signal aborts. */
export function setTimeout<T>(ms = 0, value?: T, { signal }: { readonly signal?: AbortSignal } = {}): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', fail)
      resolve(value)
    }, ms)
    if (signal?.aborted) fail()
    else signal?.addEventListener('abort', fail, { once: true })
  })
}

/** Lets the page have a turn. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => globalThis.setTimeout(resolve, 0))
}
