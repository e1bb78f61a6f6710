import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { operator } from '../../server/testing/signProof.ts'
import { toStoreEnv } from '../../server/testing/storeEnv.ts'
import { type Child, makeFolder } from '../children.ts'
import { startServer } from '../startServer.ts'
import { poll } from '../waiting.ts'
import type { Place, Stage } from './trial.ts'

/** One of the servers. `name` is that of its sessions in the database. */
export type Node = { readonly name: string; readonly child: Child; readonly url: string }

const settleMsMax = 60_000
/** A site with an address of its own shows its figures to nobody else. */
const metricsToken = 'of-servers-that-are-only-trials-0123456789'
let names = 0

type Start = {
  /** `full`: until it answers from a whole index. */
  readonly until?: 'listening' | 'full'
  readonly env?: Readonly<Record<string, string>>
  /** The program of another version. */
  readonly main?: string | undefined
}

/** Starts a server and waits until it listens, or answers from a whole index. */
export async function startNode(
  place: Place,
  databaseUrl: string,
  { until = 'listening', env: own = {}, main }: Start = {},
): Promise<Node> {
  names += 1
  const name = `server${names}`
  const env = {
    RPC_URL: place.rpcUrl,
    NETWORKS_DIR: place.networksDir,
    DATA_DIR: makeFolder('cluster'),
    PROXIES: '1',
    PUBLIC_URL: 'https://board.example',
    METRICS_TOKEN: metricsToken,
    ADMIN_WALLETS: operator.address,
    LOG_LEVEL: 'error',
    ...toStoreEnv({ databaseUrl: `${databaseUrl}?application_name=${name}` }),
    ...own,
  }
  const { server, url } = await startServer(env, { until, signal: place.signal, main })
  return { name, child: server, url }
}

/** Three servers that answer from a whole index, on a new database. */
export async function startThree(stage: Stage, name: string): Promise<{ databaseUrl: string; nodes: Node[] }> {
  const databaseUrl = await stage.postgres.createDatabase(name)
  return { databaseUrl, nodes: await Promise.all([0, 1, 2].map(() => startNode(stage, databaseUrl, { until: 'full' }))) }
}

export async function stopAll(nodes: readonly Node[]): Promise<void> {
  await Promise.all(nodes.map(({ child }) => child.stop()))
}

/** A figure of `/metrics`. NaN where the server has none. */
export async function readFigure({ url }: Pick<Node, 'url'>, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}

/** The one that leads, once one does. */
export function findLeader(nodes: readonly Node[], { signal }: Place): Promise<Node> {
  const look = async () => {
    for (const node of nodes) if ((await readFigure(node, 'chainboard_leader').catch(() => 0)) === 1) return node
    return undefined
  }
  return poll(look, { what: 'a leader', everyMs: 50, msMax: settleMsMax, signal })
}

/** How many lead. */
export async function countLeaders(nodes: readonly Node[]): Promise<number> {
  const figures = await Promise.all(nodes.map((node) => readFigure(node, 'chainboard_leader')))
  return figures.filter((figure) => figure === 1).length
}

/** Waits until every server tells of this block. */
export async function untilAt(nodes: readonly Node[], block: number, { signal }: Place): Promise<void> {
  const isThere = async () => {
    for (const { url } of nodes) {
      const status: { readonly block: number | null } = await (await fetch(`${url}/api/status`)).json()
      if ((status.block ?? -1) < block) return undefined
    }
    return true
  }
  await poll(isThere, { what: `block ${block} on all servers`, everyMs: 50, msMax: settleMsMax, signal })
}

/** Servers that have ended, though nobody asked them to. */
export function countEnded(nodes: readonly Node[]): number {
  return nodes.filter(({ child: { process: own } }) => own.exitCode !== null || own.signalCode !== null).length
}

/** Works with a connection to a database, and ends it. */
export async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The first column of the first row, as a number. */
export async function readNumber(client: Client, sql: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await client.query({ text: sql, values: [...values], rowMode: 'array' })
  return Number(rows[0]?.[0])
}

/** Milliseconds until a block above `block` is stored. */
export async function untilStoredAbove(client: Client, block: number, { signal }: Place): Promise<number> {
  const fromMs = performance.now()
  while (!signal.aborted) {
    if ((await readNumber(client, 'select block_number from sync_cursor')) > block) break
    await sleep(10)
  }
  return performance.now() - fromMs
}
