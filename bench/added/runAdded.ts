import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { type Case, type Measured, measureCase } from './addedCase.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- added [--swaps n] [--blocks n] [--latency ms] [--range n] [--quotes listed|unlisted] [--minutes n] [--folder dir] [--out file]
  --swaps    of the chain; the index has most of them (default 1,100,000, and half as many more where the wrapped coin is not listed)
  --blocks   of the chain, one every 2 s (default 2,592,000: 60 days)
  --latency  of each answer of the node, in milliseconds (default 50)
  --range    blocks that the node takes in one call (default 1,000)
  --quotes   one case alone: whether the wrapped coin is listed (default both)
  --minutes  that it is waited for all blocks to be valued, after the figures are right (default 180); no rows are compared before
  --folder   keeps the indexes there, and uses them again the next time
  --out      the document whose section "Added token" is written (default docs/benchmarks.md)`

const periodSeconds = 2
/** Options that change no figure. */
const unshown = new Set(['--folder', '--out'])
const [pools, crossPools] = [2_000, 40]

/** Adds a token to a site with a full index, and writes the section. @throws Error when a figure was wrong, or the index is not the one from scratch */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...{ swaps: { type: 'string', default: '1100000' }, blocks: { type: 'string', default: '2592000' } },
      ...{ latency: { type: 'string', default: '50' }, range: { type: 'string', default: '1000' } },
      ...{ quotes: { type: 'string' }, minutes: { type: 'string', default: '180' }, folder: { type: 'string' } },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
    },
  })
  const { quotes, folder = makeFolder('added') } = values
  if (quotes !== undefined && quotes !== 'listed' && quotes !== 'unlisted')
    throw new Error(`--quotes: found ${quotes}, wanted listed or unlisted\n${usage}`)
  const count = (option: 'swaps' | 'blocks' | 'latency' | 'range' | 'minutes', min: number) =>
    parseCount({ option, text: values[option], min, max: 1_000_000_000, usage })
  const swaps = count('swaps', 1_000)
  const limits = { latencyMs: count('latency', 0), blocksMax: count('range', 10), tellsTimes: true }
  const chain: FabricatedOptions = {
    ...{ seed: 'an added token', chainId: 31_337, blocks: count('blocks', 10_000), pools, crossPools, swaps, periodSeconds },
    headSeconds: Math.floor(Date.now() / 1_000),
  }
  const machine = describeMachine()
  const cases: [Case, Measured][] = []
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
  const section = toSection({
    args: args.filter((arg, i) => !unshown.has(arg) && !unshown.has(args[i - 1] ?? '')),
    machine,
    cases,
  })
  console.log(`\n${section}`)
  writeSection(values.out, 'added', section)
  if (values.folder === undefined) removeFolder(folder)
  const broken = cases.flatMap(([, { comparison, busy, seen }]) => [
    ...(comparison?.differences ?? []),
    ...busy.errors,
    ...[...seen.wrong].map(([figure, times]) => `${figure} was another one ${times} times`),
  ])
  if (broken.length > 0) throw new Error(broken.join('\n'))
}
