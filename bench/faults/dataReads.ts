import { setTimeout as sleep } from 'node:timers/promises'

/** A request whose answer has data of some moment. */
export type DataRead = {
  readonly name: string
  readonly path: string
  /** A JSON body to be sent by POST. */
  readonly body?: string
  /** The moment of the data in unix seconds, as the answer itself says it; undefined when it does not. */
  readonly findAsOf: (headers: Pick<Headers, 'get'>, body: unknown) => unknown
  /** Why there is none, in the answer's own words, where it may say so. */
  readonly findReason?: (body: unknown) => unknown
}

/** What was answered to one request, sent again and again. */
export type ReadTally = {
  readonly name: string
  readonly count: number
  /** Answers with 200 that state the time of their data, and how old it was at most, in seconds. */
  readonly dated: number
  readonly ageSecondsMax: number
  /** Answers that state why there is no data, where that is allowed. */
  readonly explained: Readonly<Record<string, number>>
  /** All others: a status, `200 without its age`, or a word for the lack of an answer. */
  readonly failed: Readonly<Record<string, number>>
}

const everyMs = 500
const answerMsMax = 5_000

/** What is at the end of a path of names in an answer. Absent where the path breaks off. */
function follow(body: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), body)
}

const ofHeader: DataRead['findAsOf'] = (headers) => headers.get('x-as-of')

/** Every kind of read about one token, and about all. */
export function listDataReads(token: string): readonly DataRead[] {
  return [
    { name: 'list', path: '/assets.json', findAsOf: ofHeader },
    { name: 'trending', path: '/api/trending', findAsOf: ofHeader },
    { name: 'chart', path: `/api/tokens/${token}/chart?range=1d`, findAsOf: ofHeader },
    { name: 'swaps', path: `/api/tokens/${token}/swaps`, findAsOf: ofHeader },
    { name: 'receipt', path: `/api/tokens/${token}/receipt`, findAsOf: (_, body) => follow(body, 'block', 'timestamp') },
    { name: 'price', path: `/api/v1/prices/${token}`, findAsOf: (_, body) => follow(body, 'data', 'asOf') },
    {
      name: 'subgraph',
      path: '/subgraph',
      body: JSON.stringify({ query: '{ _meta { block { timestamp } } pools(first: 3) { id token0Price } }' }),
      findAsOf: (_, body) => follow(body, 'data', '_meta', 'block', 'timestamp'),
      findReason: (body) => follow(body, 'errors', 0, 'message'),
    },
  ]
}

/** Sends all of them again and again. `once` resolves when each had its first answer, `end` with what was seen after `begin`. */
export function watchReads(url: string, reads: readonly DataRead[]) {
  const stopping = new AbortController()
  const tallies = reads.map(({ name }) => ({ ...emptyTally(name) }))
  const first = reads.map(() => Promise.withResolvers<void>())
  let counts = false
  const run = async (read: DataRead, place: number) => {
    while (!stopping.signal.aborted) {
      // A request from before the fault does not count.
      const mine = counts
      const seen = await ask(url, read)
      if (mine) tallies[place] = addSeen(tallies[place] ?? emptyTally(read.name), seen)
      first[place]?.resolve()
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const done = Promise.all(reads.map(run))
  return {
    once: Promise.all(first.map(({ promise }) => promise)),
    begin: () => {
      counts = true
    },
    end: async (): Promise<readonly ReadTally[]> => {
      stopping.abort()
      await done
      return tallies
    },
  }
}

type SeenAnswer = { readonly ageSeconds: number } | { readonly explained: string } | { readonly failed: string }

async function ask(url: string, read: DataRead): Promise<SeenAnswer> {
  const post = { method: 'POST', body: read.body ?? '', headers: { 'content-type': 'application/json' } }
  try {
    const signal = AbortSignal.timeout(answerMsMax)
    const answer = await fetch(url + read.path, { ...(read.body === undefined ? {} : post), signal })
    return judgeAnswer(read, { status: answer.status, headers: answer.headers, text: await answer.text() }, Date.now() / 1_000)
  } catch (error) {
    return { failed: error instanceof Error && error.name === 'TimeoutError' ? 'late' : 'no answer' }
  }
}

/** What came back for a read. */
export type ReadAnswer = { readonly status: number; readonly headers: Pick<Headers, 'get'>; readonly text: string }

/** Whether an answer has its data and says how old it is, or says why it has none. Pure. */
export function judgeAnswer(read: DataRead, { status, headers, text }: ReadAnswer, nowSeconds: number): SeenAnswer {
  if (status !== 200) return { failed: String(status) }
  const body: unknown = JSON.parse(text)
  const asOf = read.findAsOf(headers, body)
  if (asOf !== undefined && asOf !== null && Number.isFinite(Number(asOf)))
    return { ageSeconds: Math.max(0, nowSeconds - Number(asOf)) }
  const reason = read.findReason?.(body)
  // A reason that could stand for anything is none.
  return typeof reason === 'string' && /^The database /.test(reason) ? { explained: reason } : { failed: '200 without its age' }
}

/** A read that was not sent yet. */
export const emptyTally = (name: string): ReadTally => ({ name, count: 0, dated: 0, ageSecondsMax: 0, explained: {}, failed: {} })

function addSeen(tally: ReadTally, seen: SeenAnswer): ReadTally {
  const more = { ...tally, count: tally.count + 1 }
  if ('ageSeconds' in seen)
    return { ...more, dated: tally.dated + 1, ageSecondsMax: Math.max(tally.ageSecondsMax, seen.ageSeconds) }
  const plusOne = (counts: Readonly<Record<string, number>>, of: string) => ({ ...counts, [of]: (counts[of] ?? 0) + 1 })
  if ('explained' in seen) return { ...more, explained: plusOne(tally.explained, seen.explained) }
  return { ...more, failed: plusOne(tally.failed, seen.failed) }
}

/** Whether every request was answered with data and its age, or with the reason. Without a request there is no answer. */
export function areServed(tallies: readonly ReadTally[]): boolean {
  return tallies.every(({ count, failed }) => count > 0 && Object.keys(failed).length === 0)
}

/** `chart 118 of 118, at most 63 s old`, for each read. */
export function describeReads(tallies: readonly ReadTally[]): string {
  return tallies.map(describeRead).join('; ')
}

function describeRead({ name, count, dated, ageSecondsMax, explained, failed }: ReadTally): string {
  const age = dated > 0 ? `, at most ${Math.round(ageSecondsMax)} s old` : ''
  const reasons = Object.entries(explained).map(([reason, times]) => `, ${times} x "${reason}"`)
  const failures = Object.entries(failed).map(([what, times]) => `, **${times} x ${what}**`)
  return `${name} ${dated} of ${count}${age}${reasons.join('')}${failures.join('')}`
}
