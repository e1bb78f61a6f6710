import type { Machine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { Case, Measured } from './addedCase.ts'
import type { Served } from './watchRest.ts'
import { figures } from './watchToken.ts'

type Told = {
  readonly args: readonly string[]
  readonly machine: Machine
  readonly cases: readonly (readonly [Case, Measured])[]
}

const at = (seconds: number | undefined) => (seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`)
const count = (value: number) => value.toLocaleString('en-US')

/** The section "Added token" of the document. */
export function toSection({ args, machine, cases }: Told): string {
  const [{ chain, limits }] = cases[0] as (typeof cases)[number]
  const days = Math.round((chain.blocks * chain.periodSeconds) / 86_400)
  const rows: (readonly [string, (measured: Measured) => string])[] = [
    ['swaps in the index', ({ swaps }) => count(swaps)],
    ['token shown', ({ seen }) => at(seen.shown)],
    ...figures.map((figure) => [`${figure} right`, ({ seen }: Measured) => at(seen.right.get(figure))] as const),
    ['pools being read', ({ seen }) => at(seen.phases.get('reading'))],
    ['pools in, blocks being valued', ({ seen }) => at(seen.phases.get('valuing'))],
    ['all blocks valued', ({ seen }) => (seen.phases.has('whole') ? at(seen.phases.get('whole')) : 'not waited for')],
    ['looks at the same block', ({ seen }) => count(seen.compared)],
    ['figures that were another one', ({ seen }) => describeWrong(seen.wrong)],
    ['`eth_getLogs` of old blocks for the token', ({ calls }) => count(calls.own)],
    ['blocks of them', ({ calls }) => count(calls.ownBlocks)],
    ['contracts named in them', ({ calls }) => count(calls.ownContracts)],
    ['`eth_getLogs` of old blocks for anything else', ({ calls }) => count(calls.others)],
    ['the same in 30 s before', ({ quietCalls }) => count(quietCalls.others)],
    ...['list', 'chart', 'swaps'].flatMap((kind) => [
      [`${kind} of the rest before, p99 and worst`, ({ quiet }: Measured) => describeMs(quiet, kind)] as const,
      [`${kind} of the rest meanwhile, p99 and worst`, ({ busy }: Measured) => describeMs(busy, kind)] as const,
    ]),
    ['errors of the rest', ({ busy }) => count(busy.errors.length)],
    ['rows compared in the end', ({ comparison }) => (comparison ? count(comparison.rows) : 'not compared')],
    ['rows that differ', ({ comparison }) => (comparison ? comparison.differences.join('; ') || 'none' : 'not compared')],
  ]
  return [
    '## Added token\n',
    `How soon a token that is added to the list of a full index is right: a chain of ${count(chain.blocks)} blocks in ${days} days, of which the index has the pools of ` +
      `the listed tokens; a node that answers after ${limits.latencyMs} ms and takes ${count(limits.blocksMax ?? 0)} blocks a call. The token has a pool with the wrapped coin ` +
      'or the dollar, and one with a token that is not listed.\n',
    `\`\`\`sh\nnpm run bench -- added${args.map((arg) => ` ${arg}`).join('')}\n\`\`\`\n`,
    `${machine.words.map((word) => `- ${word}`).join('\n')}\n`,
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**\n'] : []),
    'Seconds count from the moment when the list file was written. A second server, whose index was made from scratch with the longer list, follows the same chain. _Right_: ' +
      'from then on the figure was there, and the same as that server’s at the same block, whenever both were read. _Meanwhile_: until the end. In the end both ' +
      'chains stop at one block, and all rows of both indexes are compared, if all blocks were valued by then.\n',
    toTable(
      ['', ...cases.map(([{ name }]) => name)],
      rows.map(([what, tell]) => [what, ...cases.map(([, measured]) => tell(measured))]),
    ),
  ].join('\n')
}

function describeWrong(wrong: ReadonlyMap<string, number>): string {
  return [...wrong].map(([figure, times]) => `${figure} ${times} times`).join(', ') || 'none'
}

function describeMs({ ms }: Served, kind: string): string {
  const times = ms.get(kind) ?? []
  return times.length === 0 ? 'never asked' : `${percentile(times, 99).toFixed(0)}, ${Math.max(...times).toFixed(0)} ms`
}
