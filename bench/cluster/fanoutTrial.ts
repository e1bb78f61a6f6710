import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { readNews } from '../../server/store/boards.ts'
import { openPostgres } from '../../server/store/openPostgres.ts'
import { watchTree } from '../processTree.ts'
import { median, percentile } from '../statistics.ts'
import { type Costs, type Machines, toCapacity } from './capacity.ts'
import { startThree, stopAll, withClient } from './servers.ts'
import { failuresOf, type Row, type Stage, type Trial, toSpan } from './trial.ts'

const readersOf = [3, 10, 20] as const
const servers = [3, 10, 30, 100] as const
/** A machine with four cores and a gigabit, whose PostgreSQL allows 500 connections; servers with one core for their main thread. */
const machines: Machines = {
  databaseCores: 4,
  databaseConnections: 500,
  databaseBytesPerSecond: 125_000_000,
  serverCores: 1,
  loadMax: 0.7,
}
/** How far a measured median may be from the simulated one, as a factor: the machine is shared. */
const farMax = 3

/**
 * Adds readers of boards to three servers, as more servers would be, and compares how long boards take to all of them with the simulation.
 * Then works out what more servers carry. @param boards of each number of readers
 */
export async function measureFanout(stage: Stage, boards: number): Promise<Trial> {
  const { databaseUrl, nodes } = await startThree(stage, 'fanout')
  const rows: Row[] = []
  const serving = nodes.map(({ child }) => watchTree(child.pid))
  const alone = await readBoards(stage, databaseUrl, { readers: 1, boards })
  const idleMs = median(serving.map((use) => ((use.end()?.cpuSeconds ?? Number.NaN) * 1_000) / alone.seconds))
  const readMs = percentile(alone.lagMs, 50)
  const failures: string[] = []
  const perReader: number[] = []
  for (const readers of readersOf) {
    const { lagMs, databaseMs, seconds } = await readBoards(stage, databaseUrl, { readers, boards })
    perReader.push((databaseMs / seconds - alone.databaseMs / alone.seconds) / (readers - 1))
    // Each reader has a board when those before it have theirs: the simulation counts from the first one on.
    const expected = toCapacity(readers, toCosts({ readMs, idleMs, databaseMs: 0, boards: 1 }), { ...machines, databaseCores: 2 })
    const far = Math.max(median(lagMs) / expected.lagMs.median, expected.lagMs.median / median(lagMs))
    failures.push(
      ...failuresOf([
        far > farMax,
        `${readers} readers: ${median(lagMs).toFixed(0)} ms, simulated ${expected.lagMs.median.toFixed(0)} ms`,
      ]),
    )
    rows.push([
      `${readers} readers besides three servers: until they have a board`,
      `${lagMs.length}`,
      `${toSpan(lagMs)}; simulated ${expected.lagMs.median.toFixed(0)} ms, ${expected.lagMs.p99.toFixed(0)} ms`,
    ])
  }
  const { bytes, rate } = await withClient(databaseUrl, async (client) => {
    const { rows: found } = await client.query<{ bytes: number; rate: number }>(
      `select (select length(body) from board) as bytes,
        count(*)::float / greatest(1, max(written_at) - min(written_at)) as rate from board_steps`,
    )
    return found[0] ?? { bytes: Number.NaN, rate: Number.NaN }
  })
  await stopAll(nodes)
  const databaseMs = Math.max(0, median(perReader))
  const costs: Costs = { ...toCosts({ readMs, idleMs, databaseMs, boards: rate }), boardBytes: bytes }
  rows.push(
    ['CPU of PostgreSQL by reader', '', `${databaseMs.toFixed(1)} ms a second`],
    ['CPU of a server without visitors, the leader among three', '', `${idleMs.toFixed(1)} ms a second`],
    ['A board, packed', `${rate.toFixed(2)} a second`, `${bytes} bytes`],
    ...servers.map((count): Row => {
      const { requestsPerSecond, databaseShare, networkShare, connections, lagMs, over } = toCapacity(count, costs, machines)
      const shares = `PostgreSQL ${(databaseShare * 100).toFixed(0)} % of four cores, ${(networkShare * 100).toFixed(1)} % of a gigabit, ${connections} connections`
      const breaks = over.length === 0 ? 'nothing is over its limit' : `too much: ${over.join(', ')}`
      return [
        `Worked out: ${count} servers`,
        '',
        `${Math.round(requestsPerSecond)} requests a second of ${costs.requestMs} ms; ${shares}; boards ${lagMs.median.toFixed(0)} ms, ${lagMs.p99.toFixed(0)} ms; ${breaks}`,
      ]
    }),
  )
  return { rows, failures }
}

/** A request that is worked out: prices with a key, as `--part cost` measures it, rounded up. */
const requestMs = 0.5

function toCosts({ readMs, idleMs, databaseMs, boards }: Record<'readMs' | 'idleMs' | 'databaseMs' | 'boards', number>): Costs {
  return { boardsPerSecond: boards, boardBytes: 0, databaseMs, readMs, idleMs, requestMs }
}

type ReadBoards = { readonly lagMs: readonly number[]; readonly databaseMs: number; readonly seconds: number }

/** Reads boards as servers do: told by PostgreSQL, and looking every second. */
async function readBoards(
  { postgres, signal }: Stage,
  databaseUrl: string,
  { readers, boards }: { readonly readers: number; readonly boards: number },
): Promise<ReadBoards> {
  const told = new Map<number, number>()
  const lagMs: number[] = []
  const ending = new AbortController()
  const opened = await Promise.all(
    Array.from({ length: readers }, async () => {
      const [store, client] = [openPostgres(databaseUrl), new Client({ connectionString: databaseUrl })]
      await client.connect()
      let seen = { seq: 0, status: '' }
      let [busy, again] = [false, false]
      const look = async () => {
        again = true
        if (busy) return
        busy = true
        while (again && !ending.signal.aborted) {
          again = false
          const { board, status } = await readNews(store, seen)
          if (board && seen.seq > 0) {
            const atMs = told.get(board.number)
            if (atMs !== undefined) lagMs.push(performance.now() - atMs)
          }
          seen = { seq: board?.number ?? seen.seq, status: status?.mark ?? seen.status }
        }
        busy = false
      }
      client.on('notification', ({ payload }) => {
        const number = Number(payload)
        if (!told.has(number)) told.set(number, performance.now())
        void look()
      })
      await client.query('listen chainboard_board')
      await look()
      const timer = setInterval(() => void look(), 1_000)
      return async () => {
        clearInterval(timer)
        while (busy) await sleep(5)
        await client.end()
        await store.close()
      }
    }),
  )
  told.clear()
  const use = watchTree(postgres.pid)
  const fromMs = performance.now()
  while (told.size < boards && !signal.aborted) await sleep(100)
  const seconds = (performance.now() - fromMs) / 1_000
  const databaseMs = (use.end()?.cpuSeconds ?? Number.NaN) * 1_000
  ending.abort()
  await Promise.all(opened.map((close) => close()))
  return { lagMs, databaseMs, seconds }
}
