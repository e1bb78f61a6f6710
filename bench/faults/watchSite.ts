import { setTimeout as sleep } from 'node:timers/promises'
import type { WireStatus } from '@chainboard/contract'

export type Asked = {
  readonly count: number
  readonly statuses: Readonly<Record<string, number>>
  readonly msMax: number
  /** The longest time between two questions that had a good answer, without those between them. */
  readonly gapMsMax: number
}
export type Seen = {
  readonly page: Asked
  readonly api: Asked
  /** What `/api/status` said, each state and sentence once, in order. */
  readonly told: readonly string[]
  /** First words of each kind of answer that is no 2xx. */
  readonly refusals: readonly string[]
}

const paths = ['/', '/api/v1/prices', '/api/status', '/healthz'] as const
/** Instead of a status: no process listens. */
export const nobody = 'refused'
const everyMs = 250
const answerMsMax = 5_000
const toldMax = 12
const refusalLengthMax = 160

/** A reader who asks the page and the API all the while. `end` resolves with what was seen. */
export function watchSite(url: string): { end(): Promise<Seen> } {
  const stopping = new AbortController()
  const told = new Map<string, string>()
  const refusals = new Map<string, string>()
  const tallies = new Map(
    paths.map((path) => [path, { count: 0, statuses: {} as Record<string, number>, msMax: 0, gapMsMax: 0 }]),
  )
  const ask = async (path: (typeof paths)[number]) => {
    const tally = tallies.get(path)
    let answeredAt = performance.now()
    while (tally && !stopping.signal.aborted) {
      const since = performance.now()
      const status = await read(url + path, (code, body) => {
        if (code >= 300) refusals.set(`${path} ${code}`, body.slice(0, refusalLengthMax))
        else if (path === '/api/status') hear(told, body)
      })
      tally.count += 1
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      tally.msMax = Math.max(tally.msMax, performance.now() - since)
      tally.gapMsMax = Math.max(tally.gapMsMax, since - answeredAt)
      if (status.startsWith('2')) answeredAt = performance.now()
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const done = Promise.all(paths.map(ask))
  return {
    end: async () => {
      stopping.abort()
      await done
      const [page, ...api] = paths.map((path) => tallies.get(path) as Asked)
      const refused = [...refusals].map(([of, words]) => `${of}: ${words}`)
      return { page: page as Asked, api: api.reduce(add), told: [...told.values()], refusals: refused }
    },
  }
}

/** @returns the status, or a word for the lack of an answer */
async function read(url: string, onBody: (status: number, body: string) => void): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerMsMax) })
    const body = await answer.text()
    onBody(answer.status, body)
    return String(answer.status)
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    if (cause?.code === 'ECONNREFUSED') return nobody
    return name === 'TimeoutError' ? 'late' : 'cut off'
  }
}

/** Numbers change with every block: the same sentence with others is no news. */
function hear(told: Map<string, string>, body: string): void {
  const { state, reason } = JSON.parse(body) as WireStatus
  const text = reason ? `${state}: ${reason}` : state
  const key = text.replaceAll(/0x[0-9a-f]+|\d+/g, '#')
  if (!told.has(key) && told.size < toldMax) told.set(key, text)
}

function add(a: Asked, b: Asked): Asked {
  const statuses = { ...a.statuses }
  for (const [status, count] of Object.entries(b.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  return { count: a.count + b.count, statuses, msMax: Math.max(a.msMax, b.msMax), gapMsMax: Math.max(a.gapMsMax, b.gapMsMax) }
}
