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
      about: `Five times the connections of the capacity, for each kind of request, while 64 connections ask for prices. Goals: \`/healthz\` of
\`METRICS_PORT\` within 50 ms, at least 0.80 of the prices without a flood, at most 1.5 times the memory, and calm again within 5 s.`,
    }),
    `_Capacity_: answers per second on 64 connections. _Answered_, _refused_ (503, 429): per second on 320. Where 320 connections ask for prices,
_price kept_ is theirs. Each round compares prices during the flood with the mean of the phases before and after it, without a flood. Shares are
the median of the rounds, limits the worst. _Price kept_ is per CPU second of the server, _by the clock_ per second of time. _Memory_: the peak
during the flood, divided by that at the capacity. _Calm after_: until five answers in a row took less than 100 ms each.`,
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
