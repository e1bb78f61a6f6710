import { join } from 'node:path'
import type { Family } from '../../server/testing/simulation/drawStory.ts'
import { runInProcess } from '../../server/testing/simulation/runInProcess.ts'
import { CheckFailed } from '../checkFailed.ts'
import { plantedBugs } from './plantedBugs.ts'

const secondsMax = 60
const storiesMax = 200

/** Plants each known bug and plays stories until it is found. @param only a text that the names contain @throws CheckFailed with those that were not found within a minute */
export async function tryPlantedBugs(signal: AbortSignal, only = ''): Promise<void> {
  const missed: string[] = []
  for (const { name, families } of plantedBugs.filter((bug) => bug.name.includes(only))) {
    signal.throwIfAborted()
    const healthy = await isHealthy(families, signal)
    if (!healthy) {
      console.log(`not judged: ${name} (the code as it is fails such stories)`)
      continue
    }
    const { failures, seconds, stories } = await play(families, signal, name)
    const [first] = failures
    if (first)
      console.log(`found: ${name} (story ${stories}, ${seconds.toFixed(1)} s: ${first.property}: ${first.detail.slice(0, 120)})`)
    else missed.push(name)
    if (!first) console.log(`MISSED: ${name} (${stories} stories, ${seconds.toFixed(1)} s)`)
  }
  if (missed.length > 0) throw new CheckFailed(`Not found within ${secondsMax} s: ${missed.join('; ')}`)
}

const judged = new Map<string, Promise<boolean>>()

/** Whether the code as it is passes the same stories: only then a failure is the bug's. */
function isHealthy(families: readonly Family[], signal: AbortSignal): Promise<boolean> {
  const key = families.join()
  const known = judged.get(key) ?? play(families, signal).then(({ failures }) => failures.length === 0)
  judged.set(key, known)
  return known
}

function play(families: readonly Family[], signal: AbortSignal, bug?: string) {
  const planted = { imports: [join(import.meta.dirname, 'plantBug.ts')], env: { CHAINBOARD_PLANTED_BUG: bug } }
  return runInProcess({
    first: 1,
    stories: storiesMax,
    secondsMax,
    families,
    twiceEvery: 0,
    failuresMax: 1,
    signal,
    ...(bug ? planted : {}),
  })
}
