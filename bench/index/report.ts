import type { Machine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { BackfillRun } from './backfill.ts'
import { toMedianTable, toName, toRatioTable, toRoundTable } from './backfillReport.ts'
import type { ChainFacts } from './chainFacts.ts'
import type { LatencyRun, Sighting } from './latency.ts'
import { packages } from './ponder/install.ts'

export type Measured = {
  readonly command: string
  readonly machine: Machine
  readonly facts: ChainFacts
  readonly backfills: readonly BackfillRun[]
  readonly latencies: readonly LatencyRun[]
  /** Its version; undefined where none is installed. */
  readonly postgres: string | undefined
  /** Under how many addresses Ponder was given the node, besides one. */
  readonly manyAddresses: number
  /** Why Ponder was not measured. */
  readonly missing?: string
}

/** The section "Index" of the document. */
export function toSection(measured: Measured): string {
  const { command, machine, postgres, missing, latencies } = measured
  const ponder = missing ?? `Ponder ${packages.ponder} with viem ${packages.viem} and hono ${packages.hono}, on the same Node`
  return [
    '## Index',
    'How fast a chain is indexed, and how soon a swap shows in the API; beside Ponder, a general indexing framework.',
    `\`\`\`sh\n${command}\n\`\`\``,
    [
      ...machine.words,
      postgres ? `PostgreSQL ${postgres}, settings as it comes, synced to disk` : 'PostgreSQL: not installed',
      ponder,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    '### Backfill',
    toBackfillWords(measured),
    'The middle of the rounds:',
    toMedianTable(measured.backfills),
    ...(missing ? [] : [ratioWords, toRatioTable(measured.backfills)]),
    'Every round:',
    toRoundTable(measured.backfills),
    '### From a swap to the API',
    latencyWords,
    toLatencyTable(latencies),
    ...(missing ? [] : ['### What can be compared, and what cannot', comparison(measured.manyAddresses)]),
  ].join('\n\n')
}

const ratioWords = 'How many times as long Ponder took as Chainboard in the same round; the middle first, then every round:'

function toBackfillWords({ facts, backfills }: Measured): string {
  const { rows, headNumber } = facts
  const rounds = Math.max(...backfills.map(({ round }) => round))
  return `A local chain of ${headNumber + 1} blocks over 31 days with ${rows.swaps} swaps, the same node for everybody; nothing is mined meanwhile.
${rounds} ${rounds === 1 ? 'round' : 'rounds'}, each indexer once in each, on an empty store, the first one another each time.

- _Start to complete_: from starting the process until everything is in its API. For Chainboard until it says itself that the newest block is
  indexed and the market was taken from it; for Ponder until \`/ready\` says so **and** all swaps are counted in its table (asked every 100 ms).
- _API up to complete_: the same without the start: Chainboard's from its word that it listens, Ponder's from the first answer of \`/health\`
  (asked every 100 ms). It contains our first market, too. _Swaps/s_ are the chain's swaps over this time.
- _CPU s_, _peak RSS_: user and system time, and most memory, of the process and all it started, until complete. An embedded store is in them;
  PostgreSQL's time is beside them, its memory is not counted.

After every run the rows of each were counted and compared with the node's own \`eth_getLogs\`: ${rows.swaps} swaps, ${rows.hours} hours and
${rows.days} days of pools; in ours the ${rows.otherEvents} other events of pools, too.`
}

const latencyWords = `Swaps one at a time at irregular moments, on the chain with its full history. Measured to the answer of the API that has the price which this
very swap made (ours: \`GET /assets.json?addresses=…\` in US dollars; Ponder: the newest hour's close through a route of its own API), asked again
10 ms after each answer over one kept connection. _Mined_ is the moment the node itself announces the block to a subscriber (\`newHeads\`).

- _Since sent_: counted from before the swap was sent to the node: an upper bound that does not rest on the node's word.
- _Step_: from the last question that came too early to the answer that had it: by so much the numbers may be too high.`

function toLatencyTable(runs: readonly LatencyRun[]): string {
  const head = [
    'Indexer, store',
    'Looks every',
    'Swaps',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'max ms',
    'Since sent: p50 ms',
    'Since sent: p99 ms',
    'Step: p50 ms',
  ]
  const rows = runs.map(({ indexer, sightings }) => {
    const at = (of: (sighting: Sighting) => number, percent: number) => percentile(sightings.map(of), percent).toFixed(0)
    return [
      toName(indexer),
      `${indexer.pollMs} ms`,
      String(sightings.length),
      ...[50, 95, 99, 100].map((percent) => at(({ sinceAnnouncedMs }) => sinceAnnouncedMs, percent)),
      ...[50, 99].map((percent) => at(({ sinceSentMs }) => sinceSentMs, percent)),
      at(({ questionStepMs }) => questionStepMs, 50),
    ]
  })
  return toTable(head, rows)
}

const comparison = (
  manyAddresses: number,
) => `- Ponder does less here: swaps, hours and days of pools. Chainboard also keeps every other event, pool states and tokens, checks block links,
  and its last step prices every listed token.
- Ponder asks for every block with an event, and by its own rule for at most 20 requests a second of one address at first, more by and by,
  whatever the node could do. Our node is local and knows no limits, so with one address Ponder mostly waits for itself. The rows in which it
  was given the one node under ${manyAddresses} addresses show it nearly without that rule: nobody runs it like that, but it is the fairer look at its own speed.
  Behind a public node that limits everybody, all of this is another race, which was not run.
- Chainboard takes block times from the logs, which this node supplies; a node that does not costs a request for each block with an event.
- Our server runs as \`npm start\` runs it: with a small heap, its TypeScript compiled ahead. Ponder compiles its project at every start.
- Ponder runs in production mode (\`ponder start\`) with its defaults. PGlite is its default store and promises less than SQLite as we run it
  (synced at every commit). PostgreSQL is the same server for both, a new database each.
- Ponder serves any contract of any number of chains and brings GraphQL; this measures the one thing that we need of it.
- How often each looks for blocks is a setting: 100 ms is the least Ponder takes. The network file of the devnet sets ours.`
