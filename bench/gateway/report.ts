import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { AttackName } from './attack.ts'
import type { Result } from './measure.ts'

type Measured = Measuring & {
  readonly results: readonly Result[]
  readonly seconds: number
  readonly connections: number
  readonly addresses: number
  readonly sockets: number
}

const abouts: Readonly<Record<AttackName, string>> = {
  none: 'none',
  loops: 'calls of a contract that runs until its 30,000,000 gas are gone',
  batches: 'the same, 20 in a batch',
  huge: 'calls whose answers are 2 MB each, which is too long',
  long: 'calls whose answers are 0.24 MB each',
  logs: 'logs of 1,000 blocks',
  sockets: 'connections that send the first line of a request',
}

/** What a run must not find, in words. Empty: the site went on. @param timesMax the p99 of the site's reads, compared with the quiet one */
export function listFaults(results: readonly Result[], timesMax: number): string[] {
  const quiet = results.find(({ name }) => name === 'none')
  return results.flatMap(({ name, read, blocksPerSecond, untrue }) => [
    ...(['pages', 'node'] as const)
      .filter((kind) => quiet && percentile(read[kind], 99) > timesMax * percentile(quiet.read[kind], 99))
      .map((kind) => `${name}: the p99 of ${kind} is over ${timesMax} times the quiet one`),
    ...(read.others > 0 ? [`${name}: ${read.others} reads of the site failed`] : []),
    ...(quiet && blocksPerSecond < quiet.blocksPerSecond / 2 ? [`${name}: the chain made less than half of its blocks`] : []),
    ...(untrue > 0 ? [`${name}: /api/status said live ${untrue} times when it was not`] : []),
  ])
}

/** The section "Gateway" of the document. */
export function toSection({ results, seconds, connections, addresses, sockets, ...measuring }: Measured): string {
  const ms = (times: readonly number[], percent: number) => percentile(times, percent).toFixed(1)
  const quiet = results.find(({ name }) => name === 'none')
  const times = (kind: 'pages' | 'node', { read }: Result) =>
    quiet ? (percentile(read[kind], 99) / percentile(quiet.read[kind], 99)).toFixed(2) : '–'
  return [
    ...toHead({
      ...measuring,
      title: 'Gateway',
      about: `Attacks on \`POST /rpc\` of a live devnet, ${seconds} s each, on ${connections} connections from ${addresses} addresses. Meanwhile a visitor reads
a page of tokens, and a wallet's balances, for which the server asks the node. _Sockets_: ${sockets} idle connections. Attackers, visitor, server and node
share the machine, and the attackers have the lowest priority. Goal: the p99 is at most twice that without an attack.`,
    }),
    toTable(
      [
        'Attack',
        'Page p50 ms',
        'p99',
        'times quiet',
        'Balances p50 ms',
        'p99',
        'times quiet',
        'Failed',
        'Blocks/s',
        'Not live',
        'Untrue',
      ],
      results.map((each) => [
        each.name,
        ...[ms(each.read.pages, 50), ms(each.read.pages, 99), times('pages', each)],
        ...[ms(each.read.node, 50), ms(each.read.node, 99), times('node', each)],
        ...[String(each.read.others), each.blocksPerSecond.toFixed(2), `${each.notLive}/${each.looks}`, String(each.untrue)],
      ]),
    ),
    toTable(
      ['Attack', 'What', 'Answers', 'JSON-RPC errors', 'MB'],
      results.flatMap(({ name, led }) =>
        led ? [[name, abouts[name], toCounts(led.statuses), String(led.errors), (led.bytes / 1e6).toFixed(1)]] : [],
      ),
      3,
    ),
  ].join('\n\n')
}

function toCounts(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
