import { fork } from 'node:child_process'
import { join } from 'node:path'
import { adopt } from '../children.ts'
import { watchTree } from '../processTree.ts'
import { within } from '../waiting.ts'
import type { Load, Loaded } from './loadClient.ts'

/** One way to answer one question. */
export type Contestant = {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** Requests as they go over the line; made anew for each round. */
  readonly requests: () => Promise<readonly string[]>
  /** Status that nearly every answer must have. */
  readonly status: '200' | '304'
}

export type Round = { readonly perCpuSecond: number; readonly perSecond: number; readonly bytesEach: number }

export type Result = { readonly contestant: string; readonly rounds: readonly Round[] }

/** What the others are compared with. */
export const base = { price: 'node:http, written beforehand', list: 'node:http, gzip for each caller' }

const connections = 64
const shareOfOthersMax = 0.01
const patienceMs = 30_000

/** Prices may change while somebody asks whether they did. */
const attemptsMax = 3

/** @throws Error when answers are not what was asked for, in three attempts, or the CPU time cannot be read */
export async function measureRound(contestant: Contestant, ms: number, signal: AbortSignal): Promise<Round> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await measureAttempt(contestant, ms, signal)
    } catch (error) {
      if (!(error instanceof OtherAnswers) || attempt === attemptsMax) throw error
      console.log(`${error.message}: once more`)
    }
}

class OtherAnswers extends Error {}

async function measureAttempt(
  { name, port, pid, requests, status }: Contestant,
  ms: number,
  signal: AbortSignal,
): Promise<Round> {
  const load: Load = { port, requests: await requests(), connections, ms }
  const client = adopt('the client', fork(join(import.meta.dirname, 'loadClient.ts'), { detached: true, silent: true }))
  try {
    const done = new Promise<Loaded>((resolve) => client.process.once('message', (message) => resolve(message as Loaded)))
    const watch = watchTree(pid)
    client.process.send(load)
    const { statuses, bytes, ms: tookMs } = await within(done, { what: name, msMax: ms + patienceMs, signal, gone: client.gone })
    const used = watch.end()
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0)
    const wanted = statuses[status] ?? 0
    if (!used || used.cpuSeconds === 0) throw new Error('The CPU time of a process cannot be read here: /proc is needed')
    if (wanted < answers * (1 - shareOfOthersMax))
      throw new OtherAnswers(`${name} answered ${JSON.stringify(statuses)}, wanted ${status}`)
    return { perCpuSecond: wanted / used.cpuSeconds, perSecond: (wanted / tookMs) * 1_000, bytesEach: bytes / answers }
  } finally {
    await client.stop()
  }
}
