import { join } from 'node:path'
import type { Address } from '@chainboard/core'
import { createRandom } from '@chainboard/devnet'
import { openBackupReader } from '../../server/store/openStore.ts'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import { findBrokenRows } from '../../server/testing/findBrokenRows.ts'
import { startServerProcess } from '../../server/testing/serverProcess.ts'
import { toStoreEnv } from '../../server/testing/storeEnv.ts'
import { makeFolder } from '../children.ts'
import type { Market } from '../faults/market.ts'
import { compare, waitUntilLive } from '../faults/runTrial.ts'
import { type Clients, openClients } from './clients.ts'
import { publicUrl } from './keyOwners.ts'

/** What 100 kills, or so many as asked for, did to one store. */
export type Killed = {
  readonly store: 'SQLite' | 'PostgreSQL'
  readonly kills: number
  readonly reorgs: number
  readonly acknowledged: number
  /** What was acknowledged, but missing after a start, in words. */
  readonly lost: readonly string[]
  readonly answered: number
  readonly overAdmitted: number
  /** Milliseconds from a start until the server listened. */
  readonly startsMs: readonly number[]
  /** The first difference of the index from one from scratch, or of the kept sums from the rows. */
  readonly difference: string | undefined
}

/** One store, and what it is killed for. */
export type Plan = {
  readonly store: Killed['store']
  readonly databaseUrl: string | undefined
  readonly kills: number
  readonly seed: string
  readonly rpcUrl: string
  readonly networksDir: string
  readonly tokens: readonly Address[]
  readonly market: Market
  readonly signal: AbortSignal
}

const lifeMsMax = 2_500
/** One in so many is killed while it starts, one in so many lives has a reorg. */
const [atStartEvery, reorgEvery] = [10, 4]
const startKillMs = [100, 1_500] as const
const reorgDepthMax = 6
const liveMsMax = 60_000

/** Kills one server again and again while clients write and the chain trades, then looks for anything that is missing. */
export async function killOften(plan: Plan): Promise<Killed> {
  const { kills, market, signal, store } = plan
  const folder = makeFolder('kills')
  const settings = toSettings(plan, folder)
  const random = createRandom(`${plan.seed} ${store}`).next
  const clients = openClients(plan.tokens, random)
  const startsMs: number[] = []
  let reorgs = 0
  await startOnce(settings)
  for (let kill = 1; kill <= kills; kill += 1) {
    signal.throwIfAborted()
    if (kill % reorgEvery === 0) {
      market.reorg(1 + Math.floor(random() * reorgDepthMax))
      reorgs += 1
    }
    const startedAt = performance.now()
    const server = startServerProcess(settings)
    try {
      if (kill % atStartEvery === 0) await pass(startKillMs[0] + random() * (startKillMs[1] - startKillMs[0]))
      else {
        const url = await server.listening
        startsMs.push(performance.now() - startedAt)
        await clients.check(url)
        const writing = clients.write(url)
        await pass(random() * lifeMsMax)
        server.child.kill('SIGKILL')
        await writing
      }
    } finally {
      server.child.kill('SIGKILL')
      await server.ended
    }
    if (kill % 10 === 0) console.log(`${store}: ${kill} of ${kills} kills, ${clients.acknowledged()} acknowledged writes`)
  }
  const difference = await judge(plan, settings, clients, startsMs)
  return { store, kills, reorgs, startsMs, difference, ...clients.sums() }
}

/** A process that is killed leaves no compiled code behind: every start would compile all of it again. */
async function startOnce(settings: Record<string, string>): Promise<void> {
  const { child, listening, ended } = startServerProcess(settings)
  await listening
  child.kill('SIGTERM')
  await ended
}

function toSettings({ rpcUrl, networksDir, databaseUrl }: Plan, folder: string): Record<string, string> {
  return {
    ...{ NETWORK: 'devnet', HOST: '127.0.0.1', PROXIES: '1', LOG_LEVEL: 'warn', PUBLIC_URL: publicUrl },
    ...{ RPC_URL: rpcUrl, NETWORKS_DIR: networksDir, DATA_DIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    ...(databaseUrl ? toStoreEnv({ databaseUrl }) : {}),
  }
}

/** One more start, a look at everything, and an end in order. @returns the first difference */
async function judge(
  plan: Plan,
  settings: Record<string, string>,
  clients: Clients,
  startsMs: number[],
): Promise<string | undefined> {
  const { databaseUrl, market, signal } = plan
  const location: StoreLocation = databaseUrl
    ? { databaseUrl }
    : { file: join(settings['DATA_DIR'] ?? '', 'devnet', 'chainboard.db') }
  const startedAt = performance.now()
  const server = startServerProcess(settings)
  try {
    const url = await server.listening
    startsMs.push(performance.now() - startedAt)
    await clients.check(url, true)
    await waitUntilLive(url, { signal, msMax: liveMsMax })
    const difference = await market.still(() => compare({ site: { url }, location }, plan))
    server.child.kill('SIGTERM')
    const code = await server.ended
    return difference ?? (code === 0 ? await checkRows(location) : `the last server ended with ${code}`)
  } finally {
    server.child.kill('SIGKILL')
    await server.ended
  }
}

async function checkRows(location: StoreLocation): Promise<string | undefined> {
  const store = await openBackupReader(location)
  try {
    return await findBrokenRows(store)
  } finally {
    await store.close()
  }
}

/** Not a wait for something: the moment of the kill is what is drawn. */
function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
