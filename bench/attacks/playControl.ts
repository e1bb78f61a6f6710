import type { OpenedStage } from './openStage.ts'
import type { Sample } from './sample.ts'
import { withServer } from './withServer.ts'

type Options = {
  /** The place in the timeline from which on the server is looked at. */
  readonly watchedFrom: number
  /** Looks before the attack. */
  readonly calmBlocks: number
  readonly signal: AbortSignal
}

/**
 * Takes the chain back and plays its time again with the honest traders alone: the same blocks at the same seconds, without any
 * transaction, token or pool of the attack, followed by a fresh server.
 * @returns one look for each that was taken at the attack, in its order
 */
export async function playControl(stage: OpenedStage, { watchedFrom, calmBlocks, signal }: Options): Promise<Sample[]> {
  const steps = stage.timeline()
  const samples: Sample[] = []
  stage.watch(async () => {})
  await stage.restart()
  for (const step of steps.slice(0, watchedFrom)) await stage.repeat(step)
  await withServer(stage, { list: { made: [], stables: [] }, signal }, async (reader) => {
    stage.watch(async (head) => void samples.push(await reader.sample(head, stage.honest)))
    for (const step of steps.slice(watchedFrom)) await stage.repeat(step)
  })
  return samples.slice(calmBlocks)
}
