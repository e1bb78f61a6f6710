import { at } from '../../devnet/at.ts'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import { type Beside, describeBeside } from './measureBeside.ts'

/** The server at one moment. Swaps are those of the blocks read so far; `bytes` of all its files. */
export type Sample = {
  readonly seconds: number
  readonly swaps: number
  readonly memoryMb: number
  readonly peakMb: number
  readonly bytes: number
  readonly processorSeconds: number
}

type Measured = Measuring & {
  readonly chain: FabricatedOptions
  readonly samples: readonly Sample[]
  /** Of all files after the end of the server. */
  readonly closedBytes: number
  readonly beside: Beside | undefined
}

/** The section "Backfill" of the document. */
export function toSection({ chain, samples, closedBytes, beside, ...measuring }: Measured): string {
  const count = (value: number) => Math.round(value).toLocaleString('en-US')
  const end = at(samples, samples.length - 1)
  const rows = samples.map((sample, i) => {
    const before = samples[i - 1] ?? { seconds: 0, swaps: 0, processorSeconds: 0 }
    const swaps = sample.swaps - before.swaps
    return [
      ...[count(sample.swaps), sample.seconds.toFixed(0), count(swaps / (sample.seconds - before.seconds))],
      ...[count((1e6 * (sample.processorSeconds - before.processorSeconds)) / swaps), count(sample.memoryMb)],
      ...[count(sample.peakMb), count(sample.bytes / sample.swaps)],
    ]
  })
  return [
    ...toHead({
      ...measuring,
      title: 'Backfill',
      about: `How fast a server stores a whole chain, in how much memory and on how much disk: ${count(chain.blocks)} blocks, ${count(chain.pools)} pools and ${count(chain.swaps)} swaps,
from one node without latency or limits on the same machine. SQLite.`,
    }),
    `From the start of the process to the last swap: ${end.seconds.toFixed(0)} s, **${count(chain.swaps / end.seconds)} swaps/s**. Peak memory: ${count(end.peakMb)} MB.
On disk after the end: ${count(closedBytes / chain.swaps)} bytes per swap.`,
    '_Swaps/s_ and _CPU_ (microseconds of the server per swap) since the row above; _disk_ includes the temporary files of SQLite.',
    toTable(['Swaps', 'After s', 'Swaps/s', 'CPU', 'Memory MB', 'Peak MB', 'Disk, bytes per swap'], rows),
    ...(beside ? [describeBeside(beside)] : []),
  ].join('\n\n')
}
