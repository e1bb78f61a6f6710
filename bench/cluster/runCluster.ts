import { parseArgs } from 'node:util'
import type { Devnet } from '@chainboard/devnet'
import { WrongOption } from '../../tools/wrongOption.ts'
import { CheckFailed } from '../checkFailed.ts'
import { startMarket } from '../faults/market.ts'
import { makeNetworks } from '../faults/networks.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { startPostgres } from '../postgres.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import { withDevnet } from '../withDevnet.ts'
import { measureColdStarts } from './coldStarts.ts'
import { measureCost } from './costTrial.ts'
import { measureFanout } from './fanoutTrial.ts'
import { measureHandOver } from './handOverTrial.ts'
import { measureHangs, measureKills } from './leaderTrials.ts'
import { measurePins } from './pinTrials.ts'
import { measureQuotas } from './quotaTrials.ts'
import { measureReplica } from './replicaTrial.ts'
import { measureRestarts } from './restarts.ts'
import { measureLag, measureReconnects } from './streamTrials.ts'
import type { Stage, Trial } from './trial.ts'
import { measureUpgrade } from './upgradeTrial.ts'

const hangSeconds = 30
const awaySeconds = 60

type Part = {
  readonly title: string
  /** How often, unless told otherwise. */
  readonly count: number
  readonly run: (stage: Stage, count: number, from: string | undefined) => Promise<Trial>
}

const parts: Readonly<Record<string, Part>> = {
  starts: { title: 'cold starts', count: 20, run: measureColdStarts },
  kills: { title: 'killed leaders', count: 20, run: measureKills },
  hangs: {
    title: 'leaders that hang',
    count: 20,
    run: (stage, count) => measureHangs(stage, count, hangSeconds),
  },
  handover: { title: 'a leader without nodes', count: 2, run: measureHandOver },
  quotas: { title: 'quotas', count: 20, run: measureQuotas },
  pins: { title: 'wrong PINs', count: 60, run: measurePins },
  lag: { title: 'one board for all', count: 120, run: measureLag },
  reconnects: { title: 'streams', count: 10_000, run: measureReconnects },
  restarts: {
    title: 'restarts of PostgreSQL',
    count: 10,
    run: (stage, count) => measureRestarts(stage, count, awaySeconds),
  },
  upgrade: { title: 'a rolling upgrade', count: 50_000, run: measureUpgrade },
  cost: { title: 'what a request costs', count: 5, run: measureCost },
  replica: { title: 'a replica for reading', count: 100, run: measureReplica },
  fanout: { title: 'how many', count: 30, run: measureFanout },
}

export const usage = `npm run bench -- cluster [--part name] [--count n] [--tokens n] [--from commit] [--out file]
  --part     one of ${Object.keys(parts).join(', ')} (default: all, one after the other)
  --count    how often, with --part (defaults: ${Object.entries(parts)
    .map(([name, { count }]) => `${name} ${count}`)
    .join(', ')})
  --tokens   in the list (default: the devnet's own)
  --from     the commit that is upgraded (default: this one before its newest migration)
  --out      the document with the sections "Several servers: …" (default docs/benchmarks.md)`

/** Three servers on one PostgreSQL, whose leader, database and program are ended in several ways. @throws CheckFailed when anything is lost */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      part: { type: 'string' },
      count: { type: 'string' },
      tokens: { type: 'string' },
      from: { type: 'string' },
      out: outOption,
    },
  })
  const { part: only, count, tokens, from, out } = values
  const wanted = Object.entries(parts).filter(([name]) => only === undefined || name === only)
  if (wanted.length === 0) throw new WrongOption(`--part: found ${only}, expected one of ${Object.keys(parts).join(', ')}`)
  if (count !== undefined && only === undefined) throw new WrongOption('--count: expected together with --part')
  const often = count === undefined ? undefined : parseCount({ option: 'count', text: count, max: 1_000_000 })
  const listed = tokens === undefined ? undefined : parseCount({ option: 'tokens', text: tokens, max: 10_000 })
  const failures: string[] = []
  await withDevnet({ history: 'short', live: false, signal }, (devnet) =>
    withStage(devnet, listed, signal, async (stage) => {
      for (const [name, part] of wanted) {
        await measureSection({ name: `cluster-${name}`, args: [], out }, async ({ machine }) => {
          const { rows, failures: found } = await part.run(stage, often ?? part.count, from)
          signal.throwIfAborted()
          failures.push(...found)
          const command = ['npm run bench -- cluster', ...args].join(' ')
          const head = toHead({ command, machine, title: `Several servers: ${part.title}`, about: toAbout(listed) })
          return [...head, toTable(['What', 'How often', 'Result'], rows, 3), ...found.map((each) => `**${each}**`)].join('\n\n')
        })
      }
    }),
  )
  if (failures.length > 0) throw new CheckFailed(failures.join('\n'))
}

function toAbout(tokens: number | undefined): string {
  const list = tokens === undefined ? '' : ` The list has ${tokens} tokens.`
  return `Three servers as processes on one PostgreSQL, while a real chain has a trade per second.${list} Times are the median and the 99th percentile.`
}

async function withStage(
  devnet: Devnet,
  tokens: number | undefined,
  signal: AbortSignal,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const postgres = await startPostgres(signal)
  if (!postgres) throw new WrongOption('PostgreSQL is not installed')
  const market = startMarket(devnet)
  try {
    await work({
      ...{ devnet, market, postgres, rpcUrl: devnet.rpcUrl, networksDir: makeNetworks({ tokens }), signal },
      head: async () => Number(await devnet.rpc<string>('eth_blockNumber')),
    })
  } finally {
    await market.stop()
    await postgres.stop()
  }
}
