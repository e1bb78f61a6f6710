import type { Machine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { HistoryTimes } from './measureHistory.ts'

export type StoreTimes = HistoryTimes & { readonly store: string; readonly fillSeconds: number; readonly gigabytes: number }

type Measured = {
  readonly command: string
  readonly machine: Machine
  readonly postgres: string | undefined
  readonly swaps: number
  readonly days: number
  readonly calls: number
  readonly stores: readonly StoreTimes[]
}

/** The section "History" of the document. */
export function toSection({ command, machine, postgres, swaps, days, calls, stores }: Measured): string {
  const words = [...machine.words, postgres ? `PostgreSQL ${postgres}, settings as it comes` : 'PostgreSQL: not measured']
  const count = swaps.toLocaleString('en')
  return [
    '## History',
    `What a long past costs a server that follows the chain: a store with ${count} swaps of 2,000 pools in ${days} days, put in by SQL, written to the disk and counted
by the database, and a fabricated chain that continues it with a block a second.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    words.map((line) => `- ${line}`).join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    `_Start_: from the start of the process until it listens, and until the index has the newest block and the market was taken from it; the slowest of
${stores[0]?.starts.length ?? 0}. _Held_: the longest that another writer would have waited for the store, while blocks came one by one, and at a reorg of 4
blocks (the longest of ${stores[0]?.heldByReorgs.length ?? 0}): on SQLite the time of its one lock for writing, on PostgreSQL the age of a transaction
that wrote. _Chart_: \`GET /api/tokens/:address/chart?range=1m\`, _swaps_: the last 20, ${calls.toLocaleString('en')} calls each by one client that rests for 20 ms
after each, of 200 tokens in turn, so that few answers are in memory. In milliseconds.`,
    toTable(
      ['Store', 'GB', 'Filled in s', 'Listens', 'Full', 'Held, block', 'Held, reorg', 'Chart p50', 'p99', 'Swaps p50', 'p99'],
      stores.map((store) => [
        store.store,
        store.gigabytes.toFixed(2),
        store.fillSeconds.toFixed(0),
        Math.max(...store.starts.map(({ listening }) => listening)).toFixed(0),
        Math.max(...store.starts.map(({ full }) => full)).toFixed(0),
        store.heldByBlocks.toFixed(0),
        Math.max(...store.heldByReorgs).toFixed(0),
        ...[store.chart, store.swaps].flatMap((times) => [50, 99].map((percent) => percentile(times, percent).toFixed(1))),
      ]),
    ),
  ].join('\n\n')
}
