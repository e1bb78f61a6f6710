import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import { WrongOption } from '../../tools/wrongOption.ts'
import { CheckFailed } from '../checkFailed.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { type Case, type Measured, measureCase } from './addedCase.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- added [--swaps n] [--blocks n] [--latency ms] [--range n] [--quotes listed|unlisted] [--minutes n] [--folder dir] [--out file]
  --swaps    in the chain; most are in the index (default 1,100,000, and 1.5 times as many where the wrapped coin is not listed)
  --blocks   in the chain, one every 2 s (default 2,592,000: 60 days)
  --latency  of each answer of the node, in milliseconds (default 50)
  --range    blocks that the node takes per call (default 1,000)
  --quotes   one case alone: whether the wrapped coin is listed (default: both)
  --minutes  to wait until all blocks are valued, after the figures are right (default 180); until then no rows are compared
  --folder   keeps the indexes there for the next run
  --out      the document with the section "Added token" (default docs/benchmarks.md)`

const periodSeconds = 2
/** Options that don't change the figures. */
const unshown = new Set(['--folder', '--out'])
const [pools, crossPools] = [2_000, 40]

/** Adds a token to a site with a full index. @throws CheckFailed when a figure was wrong, or the index differs from one made from scratch */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...{ swaps: { type: 'string', default: '1100000' }, blocks: { type: 'string', default: '2592000' } },
      ...{ latency: { type: 'string', default: '50' }, range: { type: 'string', default: '1000' } },
      ...{ quotes: { type: 'string' }, minutes: { type: 'string', default: '180' }, folder: { type: 'string' } },
      out: outOption,
    },
  })
  const { quotes, folder = makeFolder('added') } = values
  if (quotes !== undefined && quotes !== 'listed' && quotes !== 'unlisted')
    throw new WrongOption(`--quotes: found ${quotes}, expected listed or unlisted`)
  const count = (option: 'swaps' | 'blocks' | 'latency' | 'range' | 'minutes', min: number) =>
    parseCount({ option, text: values[option], min, max: 1_000_000_000 })
  const swaps = count('swaps', 1_000)
  const limits = { latencyMs: count('latency', 0), blocksMax: count('range', 10), tellsTimes: true }
  const chain: FabricatedOptions = {
    ...{ seed: 'an added token', chainId: 31_337, blocks: count('blocks', 10_000), pools, crossPools, swaps, periodSeconds },
    headSeconds: Math.floor(Date.now() / 1_000),
  }
  const cases: [Case, Measured][] = []
  const shown = args.filter((arg, i) => !unshown.has(arg) && !unshown.has(args[i - 1] ?? ''))
  await measureSection({ name: 'added', args: shown, out: values.out }, async (measuring) => {
    for (const name of ['listed', 'unlisted'] as const) {
      if (quotes !== undefined && quotes !== name) continue
      const own = join(folder, name)
      mkdirSync(own, { recursive: true })
      const one: Case = {
        name: `the wrapped coin is ${name === 'listed' ? 'listed' : 'not listed'}`,
        chain: { ...chain, swaps: name === 'listed' ? swaps : Math.round(swaps * 1.5) },
        listsQuotes: name === 'listed',
        ...{ limits, minutes: count('minutes', 0), folder: own, signal },
      }
      cases.push([one, await measureCase(one)])
    }
    return toSection({ ...measuring, cases })
  })
  if (values.folder === undefined) removeFolder(folder)
  const broken = cases.flatMap(([, { comparison, busy, seen }]) => [
    ...(comparison?.differences ?? []),
    ...busy.errors,
    ...[...seen.wrong].map(([figure, times]) => `${figure} was wrong ${times} times`),
  ])
  if (broken.length > 0) throw new CheckFailed(broken.join('\n'))
}
