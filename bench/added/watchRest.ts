import { setTimeout as sleep } from 'node:timers/promises'

const everyMs = 100
const timeoutMs = 30_000

/** How the rest of the site answered: milliseconds of every call, by its kind, and what failed. */
export type Served = {
  readonly ms: ReadonlyMap<string, readonly number[]>
  readonly errors: readonly string[]
}

/** Requests the list, and charts and swaps of other tokens, one after the other, until stopped. */
export function watchRest(url: string, others: readonly string[]) {
  let ms = new Map<string, number[]>()
  let errors: string[] = []
  const stopping = new AbortController()
  const ask = async (kind: string, path: string) => {
    const from = performance.now()
    try {
      const answer = await fetch(url + path, { signal: AbortSignal.timeout(timeoutMs) })
      await answer.text()
      if (answer.status !== 200) errors.push(`${path}: ${answer.status}`)
    } catch (error) {
      errors.push(`${path}: ${String(error)}`)
    }
    const known = ms.get(kind)
    if (known) known.push(performance.now() - from)
    else ms.set(kind, [performance.now() - from])
  }
  const watching = (async () => {
    for (let i = 0; !stopping.signal.aborted; i += 1) {
      const token = others[i % others.length]
      await ask('list', '/assets.json')
      await ask('chart', `/api/tokens/${token}/chart?range=1m`)
      await ask('swaps', `/api/tokens/${token}/swaps?limit=20`)
      await sleep(everyMs)
    }
  })()
  return {
    /** The answers since the last call. */
    take: (): Served => {
      const seen = { ms, errors }
      ms = new Map()
      errors = []
      return seen
    },
    stop: () => {
      stopping.abort()
      return watching
    },
  }
}
