import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '@chainboard/core'
import { runToEnd } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { startPostgres } from '../postgres.ts'
import { withDevnet } from '../withDevnet.ts'
import { type BackfillRun, type Bench, runBackfills } from './backfill.ts'
import { toRunLine } from './backfillReport.ts'
import { chainboard } from './chainboard.ts'
import { readChainFacts } from './chainFacts.ts'
import type { Indexer } from './indexer.ts'
import { type LatencyRun, runLatency } from './latency.ts'
import { installPonder, ponderVersion } from './ponder/install.ts'
import { ponder } from './ponder/ponder.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- index [--rounds n] [--swaps n] [--no-ponder] [--out file]
  --rounds     of the backfill; each indexer runs once in each (default 3)
  --swaps      to find in our API (default 200)
  --no-ponder  measures ours alone
  --out        the document with the section "Index" (default docs/benchmarks.md)`

const ponderSwaps = 30
/** So many addresses that Ponder's rate limit has no effect. */
const manyAddresses = 20
const ponderFastestPollMs = 100
const countMax = 1_000
const warmUpMsMax = 60_000

type Options = { readonly rounds: number; readonly swaps: number; readonly withPonder: boolean; readonly out: string }

/** Compares our indexer with Ponder. @throws CheckFailed when an indexer's rows are not the chain's */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { rounds, swaps, withPonder, out } = parseOptions(args)
  await measureSection({ name: 'index', args, out }, async (measuring) => {
    await warmUp(signal)
    const ponderFound = withPonder ? await tryInstallPonder(signal) : { missing: 'Ponder was left out by `--no-ponder`' }
    if ('missing' in ponderFound) console.warn(ponderFound.missing)
    const postgres = await startPostgres(signal)
    if (!postgres) console.warn('PostgreSQL is not installed: only the embedded stores are measured.')
    try {
      const measured = await withDevnet({ live: false, signal }, async (devnet) => {
        const bench = { signal, devnet, postgres }
        const facts = await readChainFacts(devnet)
        console.log(`The chain: ${facts.headNumber + 1} blocks, ${facts.rows.swaps} swaps, ${devnet.pools.length} pools`)
        const contestants = listContestants({ ponderFound, withPostgres: postgres !== undefined, swaps })
        const onRun = (done: BackfillRun) => console.log(toRunLine(done))
        const backfills = await runBackfills({ ...bench, facts }, contestants.backfill, rounds, onRun)
        return { facts, backfills, latencies: await runLatencies(bench, contestants.latency) }
      })
      return toSection({ ...measuring, ...measured, postgres: postgres?.version, manyAddresses, ...ponderFound })
    } finally {
      await postgres?.stop()
    }
  })
}

function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      swaps: { type: 'string', default: '200' },
      'no-ponder': { type: 'boolean', default: false },
      out: outOption,
    },
  })
  const toCount = (option: 'rounds' | 'swaps') => parseCount({ option, text: values[option], max: countMax })
  return { rounds: toCount('rounds'), swaps: toCount('swaps'), withPonder: !values['no-ponder'], out: values.out }
}

/** Compiles the server ahead, as `npm start` does. */
async function warmUp(signal: AbortSignal): Promise<void> {
  const program = resolve(import.meta.dirname, '../../tools/warm.ts')
  await runToEnd({ command: process.execPath, args: [program] }, { msMax: warmUpMsMax, signal })
}

type PonderFound = { readonly installedIn: string } | { readonly missing: string }

async function tryInstallPonder(signal: AbortSignal): Promise<PonderFound> {
  try {
    console.log(`Ponder ${ponderVersion}: installing it, unless it is installed already`)
    return { installedIn: await installPonder(signal) }
  } catch (error) {
    if (signal.aborted) throw error
    console.warn(messageOf(error))
    return { missing: `Ponder ${ponderVersion} could not be installed: Chainboard was measured alone` }
  }
}

type Watching = { readonly indexer: Indexer; readonly swaps: number }

function listContestants({
  ponderFound,
  withPostgres,
  swaps,
}: {
  ponderFound: PonderFound
  withPostgres: boolean
  swaps: number
}) {
  const stores = withPostgres ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const)
  const ours = stores.map(chainboard)
  const theirs = (more: { addresses?: number; pollMs?: number }) =>
    'missing' in ponderFound
      ? []
      : stores.map((store) => ponder({ ...ponderFound, addresses: 1, store: store === 'SQLite' ? 'PGlite' : store, ...more }))
  const latency: Watching[] = [
    ...ours.map((indexer) => ({ indexer, swaps })),
    ...[...theirs({}), ...theirs({ pollMs: ponderFastestPollMs })].map((indexer) => ({ indexer, swaps: ponderSwaps })),
  ]
  return { backfill: [...ours, ...theirs({}), ...theirs({ addresses: manyAddresses })], latency }
}

async function runLatencies(bench: Bench, contestants: readonly Watching[]): Promise<LatencyRun[]> {
  const runs: LatencyRun[] = []
  for (const [place, { indexer, swaps }] of contestants.entries()) {
    console.log(`Watching ${swaps} swaps: ${indexer.name}, ${indexer.store}, polling every ${indexer.pollMs} ms`)
    runs.push(await runLatency(bench, indexer, { swaps, runId: `latency_${place}` }))
  }
  return runs
}
