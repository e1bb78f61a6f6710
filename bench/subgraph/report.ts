import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { Times } from './measure.ts'

/** Prices without heavy queries and during them, and the heavy queries. */
export type BesideTimes = { readonly alone: Times; readonly beside: Times; readonly heavy: Times }

/** One question in one store, asked in both ways. */
export type AnswerTimes = { readonly question: string; readonly store: string; readonly graphql: Times; readonly sql: Times }

type Measured = Measuring & {
  readonly postgres: string | undefined
  readonly swaps: number
  readonly calls: number
  readonly answers: readonly AnswerTimes[]
  readonly beside: BesideTimes
}

/** The section "Subgraph" of the document. */
export function toSection({ postgres, swaps, calls, answers, beside, ...measuring }: Measured): string {
  return [
    ...toHead({
      ...measuring,
      title: 'Subgraph',
      about: `How much longer \`POST /subgraph\` takes than the database, for a pool with ${swaps.toLocaleString('en')} swaps in 31 days.`,
      facts: [postgres ? `PostgreSQL ${postgres}, default settings` : 'PostgreSQL: not installed'],
    }),
    '### Compared with raw SQL',
    `${calls.toLocaleString('en')} calls one after the other, in milliseconds. _GraphQL_: over HTTP on loopback, from sending to the last byte, parsed by
the client: the route, the thread that answers, GraphQL, SQL and JSON. _Raw SQL_: a prepared statement for the same rows in the client's process, and its
rows as JSON. Both answers were checked to have the same number of rows.`,
    toTable(
      ['Question, store', 'GraphQL p50', 'p99', 'Raw SQL p50', 'p99', 'p50 times', 'p99 times'],
      answers.map(({ question, store, graphql, sql }) => [
        `${question}, ${store}`,
        ...[graphql, sql].flatMap((times) => [show(times, 50), show(times, 99)]),
        ratio(graphql, sql, 50),
        ratio(graphql, sql, 99),
      ]),
    ),
    '### Prices during heavy queries',
    `The whole server on SQLite: \`GET /assets.json\` every 20 ms, ${beside.alone.length} calls, first alone, then while queries for 3,000 swaps with their pools,
tokens and transactions run without a pause (${beside.heavy.length} of them, median ${show(beside.heavy, 50)} ms). In milliseconds.`,
    toTable(
      ['`/assets.json`', 'p50', 'p95', 'p99', 'max'],
      [
        ['alone', ...[50, 95, 99, 100].map((percent) => show(beside.alone, percent))],
        ['during heavy queries', ...[50, 95, 99, 100].map((percent) => show(beside.beside, percent))],
      ],
    ),
  ].join('\n\n')
}

function show(times: Times, percent: number): string {
  return percentile(times, percent).toFixed(2)
}

function ratio(a: Times, b: Times, percent: number): string {
  return `${(percentile(a, percent) / percentile(b, percent)).toFixed(1)}x`
}
