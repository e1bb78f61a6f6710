import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { Heard, Reading } from './reading.ts'

/** Of the server: memory in MB before the readers came, at most and in the end, and CPU time meanwhile. */
export type Memory = { readonly beforeMb: number; readonly peakMb: number; readonly endMb: number; readonly cpuSeconds: number }

type Measured = Measuring & {
  readonly reading: Reading
  readonly seconds: number
  readonly heard: Heard
  readonly memory: Memory
}

/** What a run must not find, in words. Empty: no reader missed anything. */
export function listFaults({ missed, odd, lost, events, errors }: Heard): string[] {
  return [
    ...(missed > 0 ? [`${missed} changes missed`] : []),
    ...(odd > 0 ? [`${odd} repeated or out of order`] : []),
    ...errors,
    ...(lost > 0 ? [`${lost} reconnects not resumed`] : []),
    ...(events === 0 ? ['no event at all'] : []),
  ]
}

/** The section "Stream" of the document. */
export function toSection({ reading, seconds, heard, memory, ...measuring }: Measured): string {
  const delay = (percent: number) => percentile(heard.delaysMs, percent).toFixed(1)
  return [
    ...toHead({
      ...measuring,
      title: 'Stream',
      about: `${reading.readers} streams of prices for ${seconds} s on a live devnet, ${reading.choosing} of them for one token each. Every reader drops its connection once a
minute on average and resumes with \`Last-Event-ID\`. Events are numbered, so a missed or repeated event is noticed.`,
    }),
    toTable(
      ['', 'Number'],
      [
        ['Changes', String(heard.events)],
        ['Deliveries', String(heard.deliveries)],
        ['Reconnects', String(heard.reconnects)],
        ['Reconnects not resumed', String(heard.lost)],
        ['Changes missed', String(heard.missed)],
        ['Changes repeated or out of order', String(heard.odd)],
      ],
    ),
    '_Delay_: milliseconds after the first reader received the same event; all readers share one process. Memory of the server in MB, its CPU time in seconds.',
    toTable(
      ['Delay p50', 'p95', 'p99', 'max', 'Memory before', 'Peak', 'End', 'CPU'],
      [
        [
          ...[50, 95, 99, 100].map(delay),
          ...[memory.beforeMb, memory.peakMb, memory.endMb, memory.cpuSeconds].map((value) => value.toFixed(0)),
        ],
      ],
      0,
    ),
  ].join('\n\n')
}
