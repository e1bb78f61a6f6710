import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../postgres.ts'
import { poll } from '../waiting.ts'
import { countEnded, type Node, type Place, readNumber, untilStoredAbove, withClient } from './servers.ts'

export type Restarts = {
  readonly restarts: number
  readonly awaySeconds: number
  readonly ended: number
  /** Answers of `/assets.json` meanwhile, and those that were no 200. */
  readonly boards: number
  readonly failedBoards: number
  /** From the moment that PostgreSQL is back until every server is ready, and until a later block is stored. Milliseconds. */
  readonly readyMs: readonly number[]
  readonly storedMs: readonly number[]
}

const backMsMax = 60_000

/** Restarts PostgreSQL under the servers, and then has it away for a while. */
export async function measureRestarts(
  place: Place,
  nodes: readonly Node[],
  {
    postgres,
    databaseUrl,
    restarts,
    awaySeconds,
  }: { readonly postgres: Postgres; readonly databaseUrl: string; readonly restarts: number; readonly awaySeconds: number },
): Promise<Restarts> {
  const totals = { boards: 0, failedBoards: 0 }
  const ending = new AbortController()
  const reading = nodes.map(async ({ url }) => {
    while (!ending.signal.aborted) {
      const status = await fetch(`${url}/assets.json`).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => 0,
      )
      totals.boards += 1
      if (status !== 200) totals.failedBoards += 1
      await sleep(50)
    }
  })
  const readyMs: number[] = []
  const storedMs: number[] = []
  const waits = [...Array.from({ length: restarts }, () => 0), ...(awaySeconds > 0 ? [awaySeconds] : [])]
  for (const seconds of waits) {
    const block = await withClient(databaseUrl, (client) => readNumber(client, 'select block_number from sync_cursor'))
    await postgres.halt()
    await sleep(seconds * 1_000)
    await postgres.resume()
    const backMs = performance.now()
    const isReady = async () => {
      for (const { url } of nodes) if ((await fetch(`${url}/readyz`)).status !== 200) return undefined
      return true
    }
    await poll(isReady, { what: 'servers that are ready again', everyMs: 20, msMax: backMsMax, signal: place.signal })
    readyMs.push(performance.now() - backMs)
    await withClient(databaseUrl, (client) => untilStoredAbove(client, block, place))
    storedMs.push(performance.now() - backMs)
    console.log(`restart, ${seconds} s away: ready ${readyMs.at(-1)?.toFixed(0)} ms, stored ${storedMs.at(-1)?.toFixed(0)} ms`)
  }
  ending.abort()
  await Promise.all(reading)
  return { restarts, awaySeconds, ended: countEnded(nodes), ...totals, readyMs, storedMs }
}
