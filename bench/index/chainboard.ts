import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { routes } from '@chainboard/contract'
import type { Devnet } from '@chainboard/devnet'
import { Type } from 'typebox'
import { toStoreEnv } from '../../server/testing/storeEnv.ts'
import { forkServer } from '../../tools/serverProcess.ts'
import { parseJson, readJson } from '../checkShape.ts'
import { adopt } from '../children.ts'
import { createHttpClient, type HttpClient } from '../httpClient.ts'
import { serverEnv } from '../inheritedEnv.ts'
import { NotMeasured } from '../notMeasured.ts'
import { receive } from '../receive.ts'
import type { Rows } from './chainFacts.ts'
import type { Indexer, Room, RunningIndexer, Swapped } from './indexer.ts'

const completeMsMax = 120_000
/** What a price in the API may differ by from the pool's own: it travels as a float. */
const priceTolerance = 1e-9
const networkFile = resolve(import.meta.dirname, '../../networks/devnet.json')

/** Our server as `npm start` runs it, on an empty store. */
export function chainboard(store: 'SQLite' | 'PostgreSQL'): Indexer {
  const { chain } = readJson(Type.Object({ chain: Type.Object({ pollMs: Type.Integer() }) }), networkFile)
  return { name: 'Chainboard', store, pollMs: chain.pollMs, start: (room) => start(store, room) }
}

async function start(store: 'SQLite' | 'PostgreSQL', room: Room): Promise<RunningIndexer> {
  const databaseUrl = store === 'PostgreSQL' ? await room.postgres?.createDatabase(`chainboard_${room.runId}`) : undefined
  const startedAt = performance.now()
  const server = adopt('the server', forkServer(toEnvironment(room, databaseUrl)))
  const patience = { what: 'the server', msMax: completeMsMax, signal: room.signal }
  const time = async <T>(message: Promise<T>) => ({ message: await message, at: performance.now() })
  const heard = Promise.all([
    time(receive(server, Type.Object({ listening: Type.String() }), patience)),
    time(receive(server, Type.Object({ full: Type.String() }), patience)),
  ])
  heard.catch(() => {})
  let client: HttpClient | undefined
  const ask = async (path: string) => {
    client ??= createHttpClient((await heard)[1].message.full)
    return client.get(path)
  }
  return {
    pid: server.pid,
    startedAt,
    complete: heard.then(([listening, full]) => ({ listeningAt: listening.at, completeAt: full.at })),
    countRows: () => countRows(room, databaseUrl),
    shows: (swapped) => shows(ask, room.devnet, swapped),
    stop: async () => {
      client?.close()
      await server.stop()
    },
  }
}

function toEnvironment({ devnet, folder }: Room, databaseUrl: string | undefined): NodeJS.ProcessEnv {
  return serverEnv({
    NETWORK: 'devnet',
    RPC_URL: devnet.rpcUrl,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...(databaseUrl ? toStoreEnv({ databaseUrl }) : {}),
  })
}

const counts = [
  'select count(*) from swaps',
  'select count(*) from pool_hours where swap_count > 0',
  'select count(*) from pool_days where swap_count > 0',
  'select count(*) from pool_events',
] as const

/** Straight from the tables, while the server runs. */
async function countRows({ folder, postgres }: Room, databaseUrl: string | undefined): Promise<Rows> {
  const [swaps = 0, hours = 0, days = 0, otherEvents = 0] = databaseUrl
    ? await Promise.all(counts.map(async (sql) => Number(await postgres?.queryOne(databaseUrl, sql))))
    : countInFile(join(folder, 'devnet', 'chainboard.db'))
  return { swaps, hours, days, otherEvents }
}

function countInFile(file: string): number[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return counts.map((sql) => Number(Object.values(db.prepare(sql).get() ?? {})[0]))
  } finally {
    db.close()
  }
}

/** The token list has the pool's price: only for a pool of a token and the stable coin. */
async function shows(ask: HttpClient['get'], devnet: Devnet, { pool, sqrtPriceX96 }: Swapped): Promise<boolean> {
  const find = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)
  const [base, quote] = [find(pool.base), find(pool.quote)]
  if (!base || !quote) throw new NotMeasured(`the devnet lists no token ${pool.base} or ${pool.quote}`)
  const { status, body } = await ask(`/assets.json?addresses=${base.address}`)
  if (status !== 200) throw new NotMeasured(`the server answered ${status}: ${body.slice(0, 200)}`)
  const ratio = (Number(sqrtPriceX96) / 2 ** 96) ** 2
  const quotePerBase = (pool.token0 === base.address ? ratio : 1 / ratio) * 10 ** (base.decimals - quote.decimals)
  const [token] = parseJson(routes.listTokens.schema.response[200], body, 'The list')
  return token !== undefined && Math.abs((token.lastPriceUsd ?? 0) / quotePerBase - 1) < priceTolerance
}
