import type { Act, Story } from './acts.ts'
import { openStoreFolder } from './faultyStore.ts'
import type { StoryFailure } from './runBatch.ts'
import { runStory } from './runStory.ts'

export type SweepOptions = {
  readonly where: 'store' | 'node'
  readonly side: 'before' | 'after'
  /** Every so many operations, from `offset` on; 1 for each. */
  readonly stride: number
  readonly offset: number
}

/** A short story with everything that writes: blocks, a reorg, a user. */
const story: Story = {
  seed: 'sweep',
  nodes: 1,
  blockMs: 2_000,
  pollMs: 2_000,
  confirmations: 6,
  spanMax: 10,
  history: 20,
  hourAtMs: 90_000,
  historySeconds: 600,
  activity: 2,
  quiet: false,
  latencyMs: 5,
  clients: 1,
  clientMs: 3_000,
  forMs: 24_000,
  acts: [{ id: 0, atMs: 9_000, kind: 'reorg', depth: 3, extra: 1 }],
}
const operationsMax = 5_000

/** Lets the process end at one operation after the other of a short story, until the story has no further one. */
export async function sweepCrashes({ where, side, stride, offset }: SweepOptions) {
  const folder = await openStoreFolder()
  const failures: StoryFailure[] = []
  let stories = 0
  try {
    for (let skip = offset; skip < operationsMax; skip += stride) {
      const crash: Act = { id: 1, atMs: 0, kind: 'crash', where, side, skip, downMs: 500 }
      const { violation, noted } = await runStory({ ...story, acts: [crash, ...story.acts] }, folder)
      if (violation) failures.push({ seed: `sweep ${where} ${side} ${skip}`, ...violation })
      if (noted.get('start') === 1) break
      stories += 1
    }
  } finally {
    folder.remove()
  }
  return { stories, failures }
}
