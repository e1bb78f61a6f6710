import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { forkChild } from '../children.ts'
import { NotMeasured } from '../notMeasured.ts'
import { watchTree } from '../processTree.ts'
import { receive } from '../receive.ts'

/** What the load client sends: whole HTTP requests as text, one after the other, then from the first again. */
export type Load = {
  readonly port: number
  readonly requests: readonly string[]
  readonly connections: number
  readonly ms: number
  /** When to begin (`Date.now()`), so that several clients begin together. Absent: at once. */
  readonly startAtMs?: number
}

/** What the load client answers: how many answers had each status, and the bytes of their bodies. */
export const loadedSchema = Type.Object({
  statuses: Type.Record(Type.String(), Type.Integer()),
  bytes: Type.Integer(),
  ms: Type.Number(),
})
export type Loaded = Readonly<Static<typeof loadedSchema>>

/** One way to answer one question. */
export type Contestant = {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** Requests as they go over the line; made again for each round. */
  readonly requests: () => Promise<readonly string[]>
  /** Status that nearly every answer must have. */
  readonly status: '200' | '304'
}

/** One contestant under load once. `bytesEach`: of a body, on average. */
export type Round = { readonly perCpuSecond: number; readonly perSecond: number; readonly bytesEach: number }

/** All rounds of one contestant but the warm-up. */
export type Result = { readonly contestant: string; readonly rounds: readonly Round[] }

/** What the others are compared with. */
export const base = { price: 'node:http, prepared answers', list: 'node:http, gzip per request' }

const connections = 64
const shareOfOthersMax = 0.01
const patienceMs = 30_000

/** Prices may change between the request for their tag and the one that compares it. */
const attemptsMax = 3

/** Answers of one contestant under load. @throws OtherAnswers after three attempts, NotMeasured without the CPU time */
export async function measureRound(contestant: Contestant, ms: number, signal: AbortSignal): Promise<Round> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await measureAttempt(contestant, ms, signal)
    } catch (error) {
      if (!(error instanceof OtherAnswers) || attempt === attemptsMax) throw error
      console.log(`${error.message}; trying again`)
    }
}

/** Too many answers had another status than expected. */
class OtherAnswers extends Error {}

async function measureAttempt(
  { name, port, pid, requests, status }: Contestant,
  ms: number,
  signal: AbortSignal,
): Promise<Round> {
  const load: Load = { port, requests: await requests(), connections, ms }
  const client = forkChild('the client', join(import.meta.dirname, 'loadClient.ts'))
  try {
    const done = receive(client, loadedSchema, { what: name, msMax: ms + patienceMs, signal })
    const watch = watchTree(pid)
    client.process.send(load)
    const { statuses, bytes, ms: tookMs } = await done
    const used = watch.end()
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0)
    const wanted = statuses[status] ?? 0
    if (!used || used.cpuSeconds === 0) throw new NotMeasured('The CPU time of a process cannot be read: /proc is needed')
    if (wanted < answers * (1 - shareOfOthersMax))
      throw new OtherAnswers(`${name} answered ${JSON.stringify(statuses)}, expected ${status}`)
    return { perCpuSecond: wanted / used.cpuSeconds, perSecond: (wanted / tookMs) * 1_000, bytesEach: bytes / answers }
  } finally {
    await client.stop()
  }
}
