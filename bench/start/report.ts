import type { WireStatus } from '@chainboard/contract'
import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { OldChain } from './oldChain.ts'

type Measured = Measuring & {
  readonly facts: OldChain
  readonly urls: number
  /** When each milestone was reached, after the start of the process. */
  readonly seconds: ReadonlyMap<string, number>
  readonly peakMb: number
  readonly history: WireStatus['progress']
  readonly estimates: readonly Estimate[]
}

/** The time left that a server stated, and when. */
type Estimate = { readonly atSeconds: number; readonly leftSeconds: number }

/** Estimates so near the end are left out. */
const nearSeconds = 30

/** By what part of the true time left each estimate was wrong. @param end when the last milestone was reached */
export function toErrors(estimates: readonly Estimate[], end: number): number[] {
  return estimates
    .filter(({ atSeconds, leftSeconds }) => leftSeconds > 0 && end - atSeconds > nearSeconds)
    .map(({ atSeconds, leftSeconds }) => Math.abs(leftSeconds / (end - atSeconds) - 1))
}

/** The section "Start" of the document. */
export function toSection({ facts, urls, seconds, peakMb, history, estimates, ...measuring }: Measured): string {
  const { chain, limits } = facts
  const errors = toErrors(estimates, seconds.get('31 days') ?? 0)
  const count = (value: number) => value.toLocaleString('en-US')
  const sentences = [
    `Peak memory: ${peakMb.toFixed(0)} MB.`,
    ...(history ? [`The history then at ${count(history.blocksPerSecond)} blocks per second.`] : []),
    ...(errors.length > 0
      ? [`The server's estimate of the time left for the 31 days was wrong by ${(100 * median(errors)).toFixed(0)} % (median).`]
      : []),
  ]
  return [
    ...toHead({
      ...measuring,
      title: 'Start',
      about: `How soon a new server is useful on a chain with a long history: ${count(chain.blocks)} blocks, ${count(chain.pools)} pools, ${count(chain.swaps)} swaps. The server has ${urls} ${urls === 1 ? 'node' : 'nodes'} with a latency of
${limits.latencyMs} ms, ${limits.perSecond} calls per second and ${limits.blocksMax} blocks per call. The ${urls === 1 ? 'node has no times in its' : 'nodes have no times in their'} logs and ${urls === 1 ? 'returns' : 'return'} logs of named contracts only.`,
    }),
    toTable(
      ['', 'after'],
      [...seconds].map(([what, at]) => [what, `${at.toFixed(1)} s`]),
    ),
    sentences.join(' '),
  ].join('\n\n')
}
