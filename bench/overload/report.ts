import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import type { Result } from './measure.ts'

/** The section "Overload" of the document. */
export function toSection({ results, ...measuring }: Measuring & { readonly results: readonly Result[] }): string {
  return [
    ...toHead({
      ...measuring,
      title: 'Overload',
      about: `Each kind of request arrives on 320 connections, five times as many as at capacity, while 64 other connections ask for prices. Goals: \`/healthz\` of
\`METRICS_PORT\` within 50 ms, at least 0.80 of the prices without a flood, at most 1.5 times the memory, and back to normal within 5 s.`,
    }),
    `- _Capacity_: answers per second on 64 connections. _Answered_, _refused_ (503, 429): per second on 320.
- _Price kept_, _by the clock_: prices during the flood, divided by the mean of those before and after it. _Price kept_ is per CPU second of the
  server, _by the clock_ per second of time. In the row _price_ it is that of the 320 connections. These and the answers are medians of the rounds;
  the other figures are the worst of the rounds.
- _Memory_: the peak during the flood, divided by that at capacity. _Calm after_: until five answers in a row took less than 100 ms each.`,
    toTable(
      [
        '',
        'Capacity',
        'Answered',
        'Refused',
        'Probe p99 ms',
        'Probes failed',
        'Price kept',
        'By the clock',
        'Memory, times',
        'Calm after s',
      ],
      results.map((each) => [
        each.kind,
        ...[each.capacity, each.answered, each.shed].map((value) => String(Math.round(value))),
        each.probeP99Ms.toFixed(1),
        String(each.probesFailed),
        each.priceShare.toFixed(2),
        each.clockShare.toFixed(2),
        each.memoryTimes.toFixed(2),
        each.recoverySeconds.toFixed(1),
      ]),
    ),
  ].join('\n\n')
}
