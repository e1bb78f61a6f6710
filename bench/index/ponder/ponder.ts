import { join } from 'node:path'
import { Type } from 'typebox'
import { findFreePort } from '../../../tools/freePort.ts'
import { parseJson } from '../../checkShape.ts'
import { start } from '../../children.ts'
import { createHttpClient, type HttpClient } from '../../httpClient.ts'
import { NotMeasured } from '../../notMeasured.ts'
import { poll } from '../../waiting.ts'
import type { Rows } from '../chainFacts.ts'
import type { Indexer, Room, RunningIndexer } from '../indexer.ts'
import { writeProject } from './project.ts'

/** How Ponder runs. */
export type PonderOptions = {
  readonly installedIn: string
  readonly store: 'PGlite' | 'PostgreSQL'
  /** Under how many addresses it gets the one node: its rate limit is per address. */
  readonly addresses: number
  /** Absent: its default. */
  readonly pollMs?: number
}

const closeSchema = Type.Object({ close: Type.String() })
const rowsSchema = Type.Object({ swaps: Type.Integer(), hours: Type.Integer(), days: Type.Integer() })
const defaultPollMs = 1_000
const completeMsMax = 400_000
const askEveryMs = 100

/** Ponder in production mode (`ponder start`) on an empty store. */
export function ponder(options: PonderOptions): Indexer {
  const { store, addresses, pollMs = defaultPollMs } = options
  const name = addresses === 1 ? 'Ponder' : `Ponder, the node under ${addresses} addresses`
  const start = ({ devnet, facts, ...room }: Room) => {
    const { chainId, rpcUrl } = devnet
    return startPonder(options, { ...room, chainId, rpcUrl, factory: devnet.contracts.factory, swaps: facts.rows.swaps })
  }
  return { name, store, pollMs, start }
}

/** What a run of Ponder gets. */
export type PonderRoom = Pick<Room, 'signal' | 'folder' | 'postgres' | 'runId'> & {
  readonly chainId: number
  readonly rpcUrl: string
  readonly factory: string
  /** In the whole chain. */
  readonly swaps: number
}

/** Starts Ponder. @returns while it reads the chain */
export async function startPonder(
  { installedIn, store, addresses, pollMs }: PonderOptions,
  room: PonderRoom,
): Promise<RunningIndexer> {
  const { rpcUrl, folder } = room
  const databaseUrl = store === 'PostgreSQL' ? await room.postgres?.createDatabase(`ponder_${room.runId}`) : undefined
  writeProject(folder, installedIn, {
    chainId: room.chainId,
    factory: room.factory,
    rpcUrls: Array.from({ length: addresses }, (_, i) => (addresses === 1 ? rpcUrl : `${rpcUrl}/?node=${i}`)),
    ...(pollMs === undefined ? {} : { pollMs }),
    ...(databaseUrl ? { databaseUrl } : {}),
  })
  const port = await findFreePort()
  const program = join(installedIn, 'node_modules/ponder/dist/esm/bin/ponder.js')
  const args = [program, '--log-format', 'json', 'start', '--schema', 'bench', '--port', String(port), '--hostname', '127.0.0.1']
  const { DATABASE_URL: _url, DATABASE_PRIVATE_URL: _privateUrl, PORT: _port, ...inherited } = process.env
  const env = { ...inherited, PONDER_TELEMETRY_DISABLED: 'true' }
  const startedAt = performance.now()
  const child = start({ command: process.execPath, args, cwd: folder, env })
  const client = createHttpClient(`http://127.0.0.1:${port}`)
  const wait = { what: 'Ponder', everyMs: askEveryMs, msMax: completeMsMax, signal: room.signal, gone: child.gone }
  const untilComplete = async () => {
    const listeningAt = await poll(async () => ((await isOk(client, '/health')) ? performance.now() : undefined), wait)
    return { listeningAt, completeAt: await poll(() => isComplete(client, room.swaps), wait) }
  }
  const complete = untilComplete()
  complete.catch(() => {})
  return {
    pid: child.pid,
    startedAt,
    complete,
    countRows: () => countRows(client),
    shows: async ({ pool, sqrtPriceX96 }) => {
      const { body } = await client.get(`/price/${pool.address.toLowerCase()}`)
      return parseJson(closeSchema, body, 'The price').close === String(sqrtPriceX96)
    },
    stop: async () => {
      client.close()
      await child.stop()
    },
  }
}

/** Ponder calls itself ready before the newest blocks, which may still be retracted, are in. */
async function isComplete(client: HttpClient, swaps: number): Promise<number | undefined> {
  if (!(await isOk(client, '/ready'))) return undefined
  return (await countRows(client)).swaps >= swaps ? performance.now() : undefined
}

async function isOk(client: HttpClient, path: string): Promise<boolean> {
  const answer = await client.get(path).catch(() => undefined)
  return answer?.status === 200
}

async function countRows(client: HttpClient): Promise<Rows> {
  const { status, body } = await client.get('/rows')
  if (status !== 200) throw new NotMeasured(`Ponder answered ${status}: ${body.slice(0, 200)}`)
  return { ...parseJson(rowsSchema, body, 'The rows'), otherEvents: undefined }
}
