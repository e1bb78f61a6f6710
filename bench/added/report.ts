import { at } from '../../devnet/at.ts'
import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { Case, Measured } from './addedCase.ts'
import type { Served } from './watchRest.ts'
import { figures } from './watchToken.ts'

type Told = Measuring & {
  readonly cases: readonly (readonly [Case, Measured])[]
}

const toSeconds = (seconds: number | undefined) => (seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`)
const count = (value: number) => value.toLocaleString('en-US')

/** The section "Added token" of the document. */
export function toSection({ cases, ...measuring }: Told): string {
  const [{ chain, limits }] = at(cases, 0)
  const days = Math.round((chain.blocks * chain.periodSeconds) / 86_400)
  const rows: (readonly [string, (measured: Measured) => string])[] = [
    ['swaps in the index', ({ swaps }) => count(swaps)],
    ['token shown', ({ seen }) => toSeconds(seen.shown)],
    ...figures.map((figure) => [`${figure} right`, ({ seen }: Measured) => toSeconds(seen.right.get(figure))] as const),
    ['pools being read', ({ seen }) => toSeconds(seen.phases.get('reading'))],
    ['pools in, blocks being valued', ({ seen }) => toSeconds(seen.phases.get('valuing'))],
    ['all blocks valued', ({ seen }) => (seen.phases.has('whole') ? toSeconds(seen.phases.get('whole')) : 'not in time')],
    ['comparisons at the same block', ({ seen }) => count(seen.compared)],
    ['wrong figures', ({ seen }) => describeWrong(seen.wrong)],
    ['`eth_getLogs` of old blocks for the token', ({ calls }) => count(calls.own)],
    ['blocks in them', ({ calls }) => count(calls.ownBlocks)],
    ['contracts in them', ({ calls }) => count(calls.ownContracts)],
    ['`eth_getLogs` of old blocks for other tokens', ({ calls }) => count(calls.others)],
    ['the same in the 30 s before', ({ quietCalls }) => count(quietCalls.others)],
    ...['list', 'chart', 'swaps'].flatMap((kind) => [
      [`${kind} of other tokens before, p99 and max`, ({ quiet }: Measured) => describeMs(quiet, kind)] as const,
      [`${kind} of other tokens meanwhile, p99 and max`, ({ busy }: Measured) => describeMs(busy, kind)] as const,
    ]),
    ['errors of other tokens', ({ busy }) => count(busy.errors.length)],
    ['rows compared in the end', ({ comparison }) => (comparison ? count(comparison.rows) : 'not compared')],
    ['rows that differ', ({ comparison }) => (comparison ? comparison.differences.join('; ') || 'none' : 'not compared')],
  ]
  return [
    ...toHead({
      ...measuring,
      title: 'Added token',
      about: `How soon the figures of a token are right after it is added to the list of a full index. The chain has ${count(chain.blocks)} blocks in ${days} days, and
the index has the pools of the listed tokens. The node answers after ${limits.latencyMs} ms and takes ${count(limits.blocksMax ?? 0)} blocks per call. The token has a pool with the
wrapped coin or the dollar, and one with a token that is not listed.`,
    }),
    `Seconds count from the moment the list file was written. A second server, with an index made from scratch with the longer list, follows the same chain.
_Right_: from then on the figure was there, and equal to the second server’s at the same block, whenever both were read. _Meanwhile_: from the list file until
the end. At the end both chains stop at the same block. If all blocks are valued by then, all rows of both indexes are compared.`,
    toTable(
      ['', ...cases.map(([{ name }]) => name)],
      rows.map(([what, tell]) => [what, ...cases.map(([, measured]) => tell(measured))]),
    ),
  ].join('\n\n')
}

function describeWrong(wrong: ReadonlyMap<string, number>): string {
  return [...wrong].map(([figure, times]) => `${figure} ${times} times`).join(', ') || 'none'
}

function describeMs({ ms }: Served, kind: string): string {
  const times = ms.get(kind) ?? []
  return times.length === 0 ? 'not requested' : `${percentile(times, 99).toFixed(0)}, ${Math.max(...times).toFixed(0)} ms`
}
