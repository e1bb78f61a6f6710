import type { Machine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { Times } from './measure.ts'

export type BesideTimes = { readonly alone: Times; readonly beside: Times; readonly heavy: Times }

export type AnswerTimes = { readonly question: string; readonly store: string; readonly graphql: Times; readonly sql: Times }

type Measured = {
  readonly command: string
  readonly machine: Machine
  readonly postgres: string | undefined
  readonly swaps: number
  readonly calls: number
  readonly answers: readonly AnswerTimes[]
  readonly beside: BesideTimes
}

/** The section "Subgraph" of the document. */
export function toSection({ command, machine, postgres, swaps, calls, answers, beside }: Measured): string {
  const words = [...machine.words, postgres ? `PostgreSQL ${postgres}, settings as it comes` : 'PostgreSQL: not installed']
  return [
    '## Subgraph',
    `What \`POST /subgraph\` costs over the database, on a pool with ${swaps.toLocaleString('en')} swaps in 31 days.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    words.map((line) => `- ${line}`).join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    '### Beside raw SQL',
    `${calls.toLocaleString('en')} calls one after the other, in milliseconds. _GraphQL_: over HTTP on loopback, from sending to the last byte, parsed by
the client: the route, the thread that answers, GraphQL, SQL and JSON. _Raw SQL_: a prepared statement for the same rows in the asking process, and its
rows as JSON. The answers were checked to have the same number of rows.`,
    toTable(
      ['Question, store', 'GraphQL p50', 'p99', 'Raw SQL p50', 'p99', 'p50 times', 'p99 times'],
      answers.map(({ question, store, graphql, sql }) => [
        `${question}, ${store}`,
        ...[graphql, sql].flatMap((times) => [show(times, 50), show(times, 99)]),
        ratio(graphql, sql, 50),
        ratio(graphql, sql, 99),
      ]),
    ),
    '### Prices beside heavy queries',
    `The whole server on SQLite: \`GET /assets.json\` every 20 ms, ${beside.alone.length} calls, first alone, then while queries for 3,000 swaps with their pools,
tokens and transactions run without a pause (${beside.heavy.length} of them, each ${show(beside.heavy, 50)} ms in the middle). In milliseconds.`,
    toTable(
      ['`/assets.json`', 'p50', 'p95', 'p99', 'max'],
      [
        ['alone', ...[50, 95, 99, 100].map((percent) => show(beside.alone, percent))],
        ['beside heavy queries', ...[50, 95, 99, 100].map((percent) => show(beside.beside, percent))],
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
