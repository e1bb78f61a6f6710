import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { PriceTimes } from './measurePrices.ts'
import type { ThreadTimes } from './measureThread.ts'

type Measured = Measuring & {
  readonly tokens: number
  readonly threads: readonly ThreadTimes[]
  readonly prices: PriceTimes
}

/** The section "Rendering" of the document. */
export function toSection({ tokens, threads, prices, ...measuring }: Measured): string {
  const { alone, standIn, beside, first, pages } = prices
  const toRatio = (times: readonly number[], to: readonly number[]) => (percentile(times, 99) / percentile(to, 99)).toFixed(2)
  return [
    ...toHead({
      ...measuring,
      title: 'Rendering',
      about: `What rendering pages at the server costs with a list of ${tokens} tokens: its thread, and the price API beside it.`,
    }),
    `Milliseconds in which the thread was not idle, for one page, drawn and packed; the goal is 15. It happens at most once for each market and page. _KB_: packed.`,
    toTable(
      ['Page', 'Times', 'p50', 'p95', 'max', 'KB'],
      threads.map(({ name, times, bytes }) => [
        name,
        String(times.length),
        ...[50, 95, 100].map((percent) => percentile(times, percent).toFixed(1)),
        (bytes / 1_000).toFixed(1),
      ]),
    ),
    `Prices over one kept connection, in milliseconds: alone, and while visitors ask for the home page and for ten searches a second, which is as many as
the server renders. ${pages.drawn} pages came rendered, ${pages.empty} empty. The goal for the 99th percentile is 1.10 times that alone; it is ${toRatio(beside, alone)}.
The stand-in is a thread outside the server that computes as long as the server's thread for each search and touches nothing: beside it the 99th percentile is ${toRatio(standIn, alone)} times
that alone, and that with pages is ${toRatio(beside, standIn)} times that beside it, which is the server's own part. _The first pages_: the first seconds of rendering after a start,
before its code is compiled.`,
    toTable(
      ['Prices', 'Times', 'p50', 'p99', 'max'],
      [
        toPriceRow('alone', alone),
        toPriceRow('beside a stand-in', standIn),
        toPriceRow('while pages are rendered', beside),
        toPriceRow('while the first pages are rendered', first),
      ],
    ),
  ].join('\n\n')
}

function toPriceRow(name: string, times: readonly number[]): string[] {
  return [name, String(times.length), ...[50, 99, 100].map((percent) => percentile(times, percent).toFixed(2))]
}
