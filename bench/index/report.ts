import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { BackfillRun } from './backfill.ts'
import { toMedianTable, toName, toRatioTable, toRoundTable } from './backfillReport.ts'
import type { ChainFacts } from './chainFacts.ts'
import type { LatencyRun, Sighting } from './latency.ts'
import { packages } from './ponder/install.ts'

type Measured = Measuring & {
  readonly facts: ChainFacts
  readonly backfills: readonly BackfillRun[]
  readonly latencies: readonly LatencyRun[]
  /** Its version; undefined where none is installed. */
  readonly postgres: string | undefined
  /** Under how many addresses Ponder got the node, besides one. */
  readonly manyAddresses: number
  /** Why Ponder was not measured. */
  readonly missing?: string
}

/** The section "Index" of the document. */
export function toSection(measured: Measured): string {
  const { command, machine, postgres, missing, latencies } = measured
  const ponder = missing ?? `Ponder ${packages.ponder} with viem ${packages.viem} and hono ${packages.hono}, on the same Node`
  return [
    ...toHead({
      command,
      machine,
      title: 'Index',
      about:
        'How fast a chain is indexed, and how soon a swap is in the API, compared with Ponder, a general indexing framework.',
      facts: [postgres ? `PostgreSQL ${postgres}, default settings, synced to disk` : 'PostgreSQL: not installed', ponder],
    }),
    '### Backfill',
    toBackfillWords(measured),
    'Median of the rounds:',
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

const ratioWords = "Ponder's time divided by Chainboard's in the same round: the median, then every round:"

function toBackfillWords({ facts, backfills }: Measured): string {
  const { rows, headNumber } = facts
  const rounds = Math.max(...backfills.map(({ round }) => round))
  return `A local chain of ${headNumber + 1} blocks over 31 days with ${rows.swaps} swaps, and the same node for all; no block is mined meanwhile.
${rounds} ${rounds === 1 ? 'round' : 'rounds'}. In each, every indexer starts once on an empty store, in a different order.

- _Start to complete_: from the start of the process until everything is in its API. Chainboard is complete when it reports that the market of the newest
  block is computed; Ponder when \`/ready\` answers 200 **and** its table has all swaps (polled every 100 ms).
- _API up to complete_: the same without the start. It begins when Chainboard reports that it listens, and with Ponder's first answer of \`/health\`
  (polled every 100 ms). It includes our first market. _Swaps/s_ are the chain's swaps divided by this time.
- _CPU s_, _peak RSS_: user and system time, and peak memory, of the process and its children, until complete. They include an embedded store.
  PostgreSQL's CPU time has its own column, its memory is not counted.

After every run the rows were compared with the node's own \`eth_getLogs\`: ${rows.swaps} swaps, ${rows.hours} hours and
${rows.days} days of pools; in ours also the ${rows.otherEvents} other events of pools.`
}

const latencyWords = `Swaps are sent one at a time at irregular moments, on the chain with its full history. The time begins when the node announces the block to a subscriber
(\`newHeads\`). It ends when an answer of the API has the price that this swap made (ours: \`GET /assets.json?addresses=…\` in US dollars; Ponder: the newest
hour's close through a route of its own API). The API is polled 10 ms after each response, over one keep-alive connection.

- _Since sent_: from before the swap was sent to the node: an upper bound that does not depend on the announcement.
- _Step_: from the last request that was too early to the answer with the price: the times may be too high by this much.`

function toLatencyTable(runs: readonly LatencyRun[]): string {
  const head = [
    'Indexer, store',
    'Polls every',
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
) => `- Ponder does less here: swaps, hours and days of pools. Chainboard also stores every other event, pool states and tokens, checks the links between
  blocks, and finally prices every listed token.
- Ponder requests every block with an event. By its own rule it starts with at most 20 requests per second and address, and increases that slowly,
  whatever the node could take. Our node is local and has no limits, so with one address Ponder mostly waits for its own rule. In the rows where the node was given
  ${manyAddresses} times, under ${manyAddresses} addresses, that rule hardly counts. Nobody runs Ponder that way, but it is a fairer measure of its own speed.
  A public node that limits every client would be another comparison, which was not made.
- Chainboard takes block times from the logs, which this node has; a node without them costs a request per block with an event.
- Our server runs as with \`npm start\`: with a small heap, its TypeScript compiled ahead. Ponder compiles its project at every start.
- Ponder runs in production mode (\`ponder start\`) with its defaults. PGlite is its default store and is less durable than SQLite as we run it
  (synced at every commit). PostgreSQL is the same server for both, with a new database each.
- Ponder serves any contract of any number of chains and offers GraphQL; this measures only the part that Chainboard does too.
- The polling interval is a setting: 100 ms is the least that Ponder takes. The network file of the devnet sets ours.`
