import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { runToEnd } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { startPostgres } from '../postgres.ts'
import { type Bench, runBackfills } from './backfill.ts'
import { toRunLine } from './backfillReport.ts'
import { chainboard } from './chainboard.ts'
import { readChainFacts } from './chainFacts.ts'
import type { Indexer } from './indexer.ts'
import { type LatencyRun, runLatency } from './latency.ts'
import { installPonder, ponderVersion } from './ponder/install.ts'
import { ponder } from './ponder/ponder.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- index [--rounds n] [--swaps n] [--no-ponder] [--out file]
  --rounds     of the backfill, each indexer once in each (default 3)
  --swaps      watched until they show in our API (default 200)
  --no-ponder  measures ours alone
  --out        the document whose section "Index" is written (default docs/benchmarks.md)`

const ponderSwaps = 30
/** Enough addresses that Ponder's rate limit does not show. */
const manyAddresses = 20
const ponderFastestPollMs = 100
const countMax = 1_000
const warmUpMsMax = 60_000

type Options = { readonly rounds: number; readonly swaps: number; readonly withPonder: boolean; readonly out: string }

/** Measures, prints, and writes the section. @throws Error when an indexer's rows are not the chain's */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const options = parseOptions(args)
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: the numbers will be worth little.')
  await warmUp(signal)
  const ponderFound = options.withPonder ? await tryInstallPonder(signal) : { missing: 'Ponder was left out by `--no-ponder`' }
  if ('missing' in ponderFound) console.warn(ponderFound.missing)
  const postgres = await startPostgres(signal)
  if (!postgres) console.warn('No PostgreSQL is installed: only the embedded stores are measured.')
  const devnet = await startDevnet({ live: false, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const bench = { signal, devnet, postgres }
    const facts = await readChainFacts(devnet)
    console.log(`The chain: ${facts.headNumber + 1} blocks, ${facts.rows.swaps} swaps, ${devnet.pools.length} pools`)
    const contestants = listContestants({ ponderFound, withPostgres: postgres !== undefined, swaps: options.swaps })
    const backfills = await runBackfills({ ...bench, facts }, contestants.backfill, options.rounds, (done) =>
      console.log(toRunLine(done)),
    )
    const latencies = await runLatencies(bench, contestants.latency)
    const command = `npm run bench -- index${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({
      command,
      machine,
      facts,
      backfills,
      latencies,
      postgres: postgres?.version,
      manyAddresses,
      ...ponderFound,
    })
    console.log(`\n${section}`)
    writeSection(options.out, 'index', section)
    console.log(`Written to ${options.out}`)
  } finally {
    await devnet.stop()
    await postgres?.stop()
  }
}

function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      swaps: { type: 'string', default: '200' },
      'no-ponder': { type: 'boolean', default: false },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
    },
  })
  const toCount = (option: 'rounds' | 'swaps') => parseCount({ option, text: values[option], max: countMax, usage })
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
    console.log(`Ponder ${ponderVersion}: installing it, unless it is there already`)
    return { installedIn: await installPonder(signal) }
  } catch (error) {
    if (signal.aborted) throw error
    console.warn((error as Error).message)
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
    console.log(`Watching ${swaps} swaps: ${indexer.name}, ${indexer.store}, looking every ${indexer.pollMs} ms`)
    runs.push(await runLatency(bench, indexer, { swaps, runId: `latency_${place}` }))
  }
  return runs
}
