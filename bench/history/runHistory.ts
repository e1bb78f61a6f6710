import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import { toStoreEnv } from '../../server/testing/storeEnv.ts'
import { WrongOption } from '../../tools/wrongOption.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { type Postgres, startPostgres } from '../postgres.ts'
import { settleStore } from './bulkStore.ts'
import { fillHistory } from './fillHistory.ts'
import { toChainOptions, writeNetwork } from './historyChain.ts'
import { measureHistory } from './measureHistory.ts'
import { type StoreTimes, toSection } from './report.ts'

export const usage = `npm run bench -- history [--swaps n] [--calls n] [--store sqlite|postgres] [--out file]
  --swaps  in 2,000 pools and 120 days (default 5000000)
  --calls  for charts, and for swaps (default 1000)
  --store  one database alone (default: both, if PostgreSQL is installed)
  --out    the document with the section "History" (default docs/benchmarks.md)`

const [swapsMin, swapsMax] = [100_000, 100_000_000]
const callsMax = 100_000
const days = 120

/** Fills each database, and measures the server on it. @throws NotMeasured when a server does not answer */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { swaps, calls, store, out } = parseOptions(args)
  await measureSection({ name: 'history', args, out }, async (measuring) => {
    const postgres = store === 'sqlite' ? undefined : await startPostgres(signal)
    try {
      const stores: StoreTimes[] = []
      if (store !== 'postgres') stores.push(await measureStore({ name: 'SQLite', swaps, calls, postgres, signal }))
      if (postgres) stores.push(await measureStore({ name: 'PostgreSQL', swaps, calls, postgres, signal }))
      return toSection({ ...measuring, postgres: postgres?.version, swaps, days, calls, stores })
    } finally {
      await postgres?.stop()
    }
  })
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      swaps: { type: 'string', default: '5000000' },
      calls: { type: 'string', default: '1000' },
      store: { type: 'string' },
      out: outOption,
    },
  })
  const { store } = values
  if (store !== undefined && store !== 'sqlite' && store !== 'postgres')
    throw new WrongOption(`--store: found ${store}, expected sqlite or postgres`)
  return {
    swaps: parseCount({ option: 'swaps', text: values.swaps, min: swapsMin, max: swapsMax }),
    calls: parseCount({ option: 'calls', text: values.calls, max: callsMax }),
    store,
    out: values.out,
  }
}

type Wish = {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly swaps: number
  readonly calls: number
  readonly postgres: Postgres | undefined
  readonly signal: AbortSignal
}

async function measureStore({ name, swaps, calls, postgres, signal }: Wish): Promise<StoreTimes> {
  const folder = makeFolder('history')
  // PostgreSQL's account reads rows from files in it.
  chmodSync(folder, 0o755)
  try {
    const networksDir = join(folder, 'networks')
    const options = toChainOptions(swaps, days, Math.floor(Date.now() / 1_000))
    const tokens = writeNetwork(networksDir, options)
    const database = name === 'PostgreSQL' ? await postgres?.createDatabase('history') : undefined
    const settings = {
      ...{ NETWORK: 'devnet', NETWORKS_DIR: networksDir, DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' },
      ...(database && toStoreEnv({ databaseUrl: database })),
    }
    const location: StoreLocation = database ? { databaseUrl: database } : { file: join(folder, 'devnet', 'chainboard.db') }
    console.log(`${name}: filling a store with ${swaps.toLocaleString('en')} swaps`)
    const from = performance.now()
    await fillHistory({ options, env: { ...settings, RPC_URL: 'http://127.0.0.1:9' }, networksDir, folder })
    const fillSeconds = (performance.now() - from) / 1_000
    await settleStore(location)
    const gigabytes = Number(await sizeOf(location, postgres)) / 1e9
    console.log(`${name}: filled in ${fillSeconds.toFixed(0)} s, ${gigabytes.toFixed(2)} GB`)
    const times = await measureHistory({ location, options, settings, tokens, calls, signal })
    return { store: name, fillSeconds, gigabytes, ...times }
  } finally {
    removeFolder(folder)
  }
}

async function sizeOf(location: StoreLocation, postgres: Postgres | undefined): Promise<string | undefined> {
  if ('file' in location) return execFileSync('du', ['--bytes', location.file], { encoding: 'utf8' }).split('\t')[0]
  return postgres?.queryOne(location.databaseUrl, 'select pg_database_size(current_database())')
}
