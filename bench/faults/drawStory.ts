import { createRandom } from '@chainboard/devnet'
import { at } from '../../devnet/at.ts'
import type { NodeFault } from './faultProxy.ts'
import { nodeKinds } from './nodeFaults.ts'

/** `reorgs`: their depths, perhaps none. `killAtMs`: milliseconds after the start; absent: no kill. */
export type DrawnStory = {
  readonly number: number
  readonly acts: readonly { readonly name: string; readonly fault: NodeFault; readonly ms: number; readonly calmMs: number }[]
  readonly reorgs: readonly number[]
  readonly killAtMs: number | undefined
}

/** How it ended. */
export type Told = Pick<DrawnStory, 'number' | 'acts' | 'reorgs'> & {
  readonly killed: boolean
  /** From the end of the last fault until the status was `live` with the newest block of that moment. */
  readonly recoverySeconds: number
  /** What was not survived, in words. */
  readonly trouble: string | undefined
}

const actsMax = 3
const [actMsMin, actMsMax] = [300, 2_500]
const calmMsMax = 500
const reorgDepthMax = 8
const [reorgChance, killChance] = [0.5, 0.25]
const kinds = nodeKinds.filter(({ atStart, withSecond }) => !atStart && !withSecond)

/** Draws a story. @param seed the same one draws the same story */
export function drawStory(seed: string, number: number): DrawnStory {
  const { next } = createRandom(seed)
  const below = (max: number) => Math.floor(next() * max)
  const acts = Array.from({ length: 1 + below(actsMax) }, () => {
    const { name, fault } = at(kinds, below(kinds.length))
    return { name, fault, ms: actMsMin + below(actMsMax - actMsMin), calmMs: next() < 0.5 ? 0 : below(calmMsMax) }
  })
  const lengthMs = acts.reduce((sum, { ms, calmMs }) => sum + ms + calmMs, 0)
  return {
    number,
    acts,
    reorgs: next() < reorgChance ? [1 + below(reorgDepthMax)] : [],
    killAtMs: next() < killChance ? below(lengthMs) : undefined,
  }
}
