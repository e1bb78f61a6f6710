import { setTimeout as sleep } from 'node:timers/promises'
import { poll } from '../waiting.ts'
import { countEnded, type Node, readNumber, startThree, stopAll, untilStoredAbove, withClient } from './servers.ts'
import { failuresOf, type Stage, type Trial, toSpan } from './trial.ts'

const backMsMax = 60_000
const readyMsMax = 5_000
const readEveryMs = 50
/** An address has 10,000 prices a day: so many take turns. */
const addresses = 200

/** Restarts PostgreSQL under the servers, and then has it away for a while. Boards and priced requests are asked for meanwhile. */
export async function measureRestarts(stage: Stage, restarts: number, awaySeconds: number): Promise<Trial> {
  const { postgres } = stage
  const { databaseUrl, nodes } = await startThree(stage, 'restarts')
  const ending = new AbortController()
  const boards = readUntil(ending.signal, nodes, '/assets.json')
  const prices = readUntil(ending.signal, nodes, '/api/v1/prices')
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
    await poll(isReady, { what: 'servers that are ready again', everyMs: 20, msMax: backMsMax, signal: stage.signal })
    readyMs.push(performance.now() - backMs)
    await withClient(databaseUrl, (client) => untilStoredAbove(client, block, stage))
    storedMs.push(performance.now() - backMs)
    console.log(`restart, ${seconds} s away: ready ${readyMs.at(-1)?.toFixed(0)} ms, stored ${storedMs.at(-1)?.toFixed(0)} ms`)
  }
  ending.abort()
  const [ofBoards, ofPrices] = [await boards, await prices]
  const ended = countEnded(nodes)
  await stopAll(nodes)
  const bad = [...ofPrices].filter(([status]) => status !== 200 && status !== 503)
  const failedBoards = [...ofBoards].reduce((sum, [status, times]) => sum + (status === 200 ? 0 : times), 0)
  return {
    rows: [
      [`PostgreSQL restarted, and once away for ${awaySeconds} s`, `${waits.length}`, `${ended} servers ended`],
      ['… until all servers are ready again', '', toSpan(readyMs)],
      ['… until the next block is stored', '', toSpan(storedMs)],
      ['… `/assets.json` meanwhile, by status', '', toWords(ofBoards)],
      ['… `/api/v1/prices` meanwhile, by status', '', toWords(ofPrices)],
    ],
    failures: failuresOf(
      [ended > 0, `${ended} servers ended by themselves`],
      [failedBoards > 0, `${failedBoards} boards were not answered`],
      [bad.length > 0, `Counted routes answered ${bad.map(([status]) => status).join(', ')}`],
      [Math.max(...readyMs) > readyMsMax, `A server was ready only ${Math.max(...readyMs).toFixed(0)} ms after PostgreSQL`],
    ),
  }
}

/** Asks every server in turn until the end. @returns how often each status came; 0 is an answer that did not come */
async function readUntil(signal: AbortSignal, nodes: readonly Node[], path: string): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let turn = 0
  const read = async ({ url }: Node) => {
    while (!signal.aborted) {
      turn += 1
      const headers = { 'x-forwarded-for': `10.9.8.${turn % addresses}` }
      const status = await fetch(`${url}${path}`, { headers }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => 0,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(readEveryMs)
    }
  }
  await Promise.all(nodes.map(read))
  return statuses
}

function toWords(statuses: ReadonlyMap<number, number>): string {
  return [...statuses].map(([status, times]) => `${times} x ${status}`).join(', ')
}
