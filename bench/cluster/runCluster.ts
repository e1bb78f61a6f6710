import { parseArgs } from 'node:util'
import type { Devnet } from '@chainboard/devnet'
import { WrongOption } from '../../tools/wrongOption.ts'
import { CheckFailed } from '../checkFailed.ts'
import { type Market, startMarket } from '../faults/market.ts'
import { makeNetworks } from '../faults/networks.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { startPostgres } from '../postgres.ts'
import { withDevnet } from '../withDevnet.ts'
import { measureColdStarts } from './coldStarts.ts'
import { measureLeaders } from './leaderTrials.ts'
import { findFailures, type Measured, toSection } from './report.ts'
import { measureRestarts } from './restarts.ts'
import { type Place, startNode } from './servers.ts'
import { measureLag, measureReconnects } from './streamTrials.ts'

export const usage = `npm run bench -- cluster [--starts n] [--kills n] [--hangs n] [--hang-seconds n] [--boards n] [--reconnects n] [--restarts n] [--away-seconds n] [--out file]
  --starts        of three servers at once on an empty database (default 20)
  --kills         of the leader by kill -9 (default 20)
  --hangs         of the leader by SIGSTOP (default 20)
  --hang-seconds  of each (default 30)
  --boards        that are followed on all servers (default 120)
  --reconnects    of readers, each to another server (default 10000)
  --restarts      of PostgreSQL (default 10)
  --away-seconds  that PostgreSQL is away once more at the end (default 60)
  --out           the document with the section "Several servers" (default docs/benchmarks.md)`

const defaults = {
  starts: 20,
  kills: 20,
  hangs: 20,
  'hang-seconds': 30,
  boards: 120,
  reconnects: 10_000,
  restarts: 10,
  'away-seconds': 60,
}
type Counts = Readonly<Record<keyof typeof defaults, number>>

/** Three servers on one PostgreSQL, whose leader and database are ended in several ways. @throws CheckFailed when anything is lost */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const option = (count: number) => ({ type: 'string', default: String(count) }) as const
  const { values } = parseArgs({
    args,
    options: {
      starts: option(defaults.starts),
      kills: option(defaults.kills),
      hangs: option(defaults.hangs),
      'hang-seconds': option(defaults['hang-seconds']),
      boards: option(defaults.boards),
      reconnects: option(defaults.reconnects),
      restarts: option(defaults.restarts),
      'away-seconds': option(defaults['away-seconds']),
      out: outOption,
    },
  })
  const { out, ...texts } = values
  const read = (name: keyof typeof defaults) => parseCount({ option: name, text: texts[name], min: 0, max: 100_000 })
  const counts: Counts = {
    ...{ starts: read('starts'), kills: read('kills'), hangs: read('hangs'), 'hang-seconds': read('hang-seconds') },
    ...{
      boards: read('boards'),
      reconnects: read('reconnects'),
      restarts: read('restarts'),
      'away-seconds': read('away-seconds'),
    },
  }
  await measureSection({ name: 'cluster', args: [], out }, async (measuring) => {
    const measured = await withDevnet({ history: 'short', live: false, signal }, (devnet) => measureAll(devnet, counts, signal))
    signal.throwIfAborted()
    const section = toSection(measuring, measured)
    const failures = findFailures(measured)
    if (failures.length > 0) throw new CheckFailed([section, ...failures].join('\n'))
    return section
  })
}

async function measureAll(devnet: Devnet, counts: Counts, signal: AbortSignal): Promise<Measured> {
  const postgres = await startPostgres(signal)
  if (!postgres) throw new WrongOption('PostgreSQL is not installed')
  const market: Market = startMarket(devnet)
  const place: Place = { rpcUrl: devnet.rpcUrl, networksDir: makeNetworks(), signal }
  const head = async () => Number(await devnet.rpc<string>('eth_blockNumber'))
  try {
    const starts = await measureColdStarts(place, { starts: counts.starts, postgres, market, head })
    const databaseUrl = await postgres.createDatabase('cluster')
    const nodes = await Promise.all([0, 1, 2].map(() => startNode(place, databaseUrl, 'full')))
    const lag = await measureLag(place, nodes, { databaseUrl, boards: counts.boards })
    const reconnects = await measureReconnects(place, nodes, counts.reconnects)
    const leaders = await measureLeaders(place, nodes, {
      ...{ databaseUrl, market, head },
      ...{ kills: counts.kills, hangs: counts.hangs, hangSeconds: counts['hang-seconds'] },
    })
    const { restarts, 'away-seconds': awaySeconds } = counts
    const restarted = await measureRestarts(place, nodes, { postgres, databaseUrl, restarts, awaySeconds })
    await Promise.all(nodes.map(({ child }) => child.stop()))
    return { starts, lag, reconnects, leaders, restarts: restarted }
  } finally {
    await market.stop()
    await postgres.stop()
  }
}
