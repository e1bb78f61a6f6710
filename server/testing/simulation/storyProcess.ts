// Plays stories in a process of its own, where nothing else needs the clock. The order as JSON comes in, the report as JSON goes out.
import { drawWorld } from './majority/drawWorld.ts'
import { playWorld } from './majority/playWorld.ts'
import { playEach, runBatch } from './runBatch.ts'
import type { StoryOrder } from './runInProcess.ts'
import { sweepCrashes } from './sweepCrashes.ts'

const order = JSON.parse(process.argv[2] ?? '{}') as StoryOrder
process.stdout.write(JSON.stringify(await play()))

async function play(): Promise<unknown> {
  if ('batch' in order) return runBatch(order.batch)
  if ('sweep' in order) return sweepCrashes(order.sweep)
  if ('worlds' in order) {
    const outcomes: unknown[] = []
    for (const world of order.worlds) outcomes.push(await playWorld(typeof world === 'number' ? drawWorld(world) : world))
    return outcomes
  }
  return (await playEach(order.stories)).map(({ violation }) => violation ?? null)
}
