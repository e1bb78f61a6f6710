import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@chainboard/contract'
import { at } from '../../devnet/at.ts'
import { parseJson } from '../checkShape.ts'

/** The answers to one request, or to several. */
export type Asked = {
  readonly count: number
  readonly statuses: Readonly<Record<string, number>>
  readonly msMax: number
  /** The longest time between two requests with a good answer. */
  readonly gapMsMax: number
}
/** What a client saw of a site. */
export type Seen = {
  readonly page: Asked
  readonly api: Asked
  /** The states and reasons of `/api/status`, each once, in order. */
  readonly told: readonly string[]
  /** The beginning of each kind of answer other than 2xx. */
  readonly refusals: readonly string[]
}

const paths = ['/', '/api/v1/prices', '/api/status', '/healthz'] as const
/** In place of a status: no process listens. */
export const nobody = 'refused'
const everyMs = 250
const answerMsMax = 5_000
const toldMax = 12
const refusalLengthMax = 160

type Tally = { count: number; readonly statuses: Record<string, number>; msMax: number; gapMsMax: number }

function startTally(): Tally {
  return { count: 0, statuses: {}, msMax: 0, gapMsMax: 0 }
}

/** Requests the page and the API again and again. `end` resolves with what was seen. @throws NotMeasured from `end` for a status of another shape */
export function watchSite(url: string): { end(): Promise<Seen> } {
  const stopping = new AbortController()
  const told = new Map<string, string>()
  const refusals = new Map<string, string>()
  const tallies = paths.map(() => startTally())
  const ask = async (path: string, tally: Tally) => {
    let answeredAt = performance.now()
    while (!stopping.signal.aborted) {
      const since = performance.now()
      const { status, body = '' } = await read(url + path)
      if (Number(status) >= 300) refusals.set(`${path} ${status}`, body.slice(0, refusalLengthMax))
      else if (path === '/api/status' && status.startsWith('2')) hear(told, body)
      tally.count += 1
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      tally.msMax = Math.max(tally.msMax, performance.now() - since)
      tally.gapMsMax = Math.max(tally.gapMsMax, since - answeredAt)
      if (status.startsWith('2')) answeredAt = performance.now()
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const done = Promise.all(paths.map((path, i) => ask(path, at(tallies, i))))
  // `end` throws it.
  done.catch(() => undefined)
  return {
    end: async () => {
      stopping.abort()
      await done
      const refused = [...refusals].map(([of, words]) => `${of}: ${words}`)
      const [page, ...api]: Asked[] = tallies
      return { page: page ?? startTally(), api: api.reduce(add), told: [...told.values()], refusals: refused }
    },
  }
}

/** @returns the status with the body, or a word in place of a missing answer */
async function read(url: string): Promise<{ readonly status: string; readonly body?: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerMsMax) })
    const body = await answer.text()
    return { status: String(answer.status), body }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { name, cause } = error
    if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') return { status: nobody }
    return { status: name === 'TimeoutError' ? 'late' : 'cut off' }
  }
}

/** Numbers change with every block: the same sentence with other numbers counts once. */
function hear(told: Map<string, string>, body: string): void {
  const { state, reason } = parseJson(routes.getStatus.schema.response[200], body, 'The status')
  const text = reason ? `${state}: ${reason}` : state
  const key = text.replaceAll(/0x[0-9a-f]+|\d+/g, '#')
  if (!told.has(key) && told.size < toldMax) told.set(key, text)
}

function add(a: Asked, b: Asked): Asked {
  const statuses = { ...a.statuses }
  for (const [status, count] of Object.entries(b.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  return { count: a.count + b.count, statuses, msMax: Math.max(a.msMax, b.msMax), gapMsMax: Math.max(a.gapMsMax, b.gapMsMax) }
}
