import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { HistoryTimes } from './measureHistory.ts'

/** All times of one database. */
export type StoreTimes = HistoryTimes & { readonly store: string; readonly fillSeconds: number; readonly gigabytes: number }

type Measured = Measuring & {
  readonly postgres: string | undefined
  readonly swaps: number
  readonly days: number
  readonly calls: number
  readonly stores: readonly StoreTimes[]
}

/** The section "History" of the document. */
export function toSection({ postgres, swaps, days, calls, stores, ...measuring }: Measured): string {
  const count = swaps.toLocaleString('en')
  return [
    ...toHead({
      ...measuring,
      title: 'History',
      about: `How much a long history slows down a server that follows the chain: a store with ${count} swaps of 2,000 pools in ${days} days, inserted by SQL,
and a simulated chain that continues it with a block per second.`,
      facts: [postgres ? `PostgreSQL ${postgres}, default settings` : 'PostgreSQL: not measured'],
    }),
    `In milliseconds:

- _Listens_, _full_: from the start of the process until it listens, and until the market of the newest block is computed; the slowest of
${stores[0]?.starts.length ?? 0}. - _Held_: the longest that another writer would have waited for the store, while blocks arrive one by one, and during a reorg of 4
blocks (the longest of ${stores[0]?.heldByReorgs.length ?? 0}): On SQLite it is how long the write lock was held, on
  PostgreSQL the age of a writing transaction.
- _Chart_: \`GET /api/tokens/:address/chart?range=1m\`, _swaps_: the last 20; ${calls.toLocaleString('en')} calls each by one client that pauses for 20 ms
after each, of 200 tokens in turn, so that few answers are in memory.`,
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
