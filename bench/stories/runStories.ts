import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Story } from '../../server/testing/simulation/acts.ts'
import { drawStory, type Family, families } from '../../server/testing/simulation/drawStory.ts'
import { playOnce, runBatch } from '../../server/testing/simulation/runBatch.ts'
import { shrinkStory } from '../../server/testing/simulation/shrinkStory.ts'
import { sweepCrashes } from '../../server/testing/simulation/sweepCrashes.ts'
import { WrongOption } from '../../tools/wrongOption.ts'
import { CheckFailed } from '../checkFailed.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { outOption } from '../measureSection.ts'
import { NotMeasured } from '../notMeasured.ts'
import { parseCount } from '../parseCount.ts'
import { tryPlantedBugs } from './planted.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- stories [--stories n] [--minutes n] [--first n] [--families a,b] [--doublecheck]
npm run bench -- stories --seed n [--families a,b] [--keep file]
npm run bench -- stories --story file
npm run bench -- stories --planted [--only text]
npm run bench -- stories --sweep
  --stories      to play (default 10000), --minutes at most (default 60)
  --first        the first seed (default: the time)
  --families     kinds of faults: ${families.join(', ')} (default: ${families.join(',')})
  --doublecheck  plays every story twice, and compares all calls and answers
  --seed         plays this one story and prints the smallest one that fails the same way
  --keep         writes that story into a file
  --story        plays the story of such a file
  --planted      plants known bugs one after the other, and checks that each is found; --only: those with the text in their names
  --sweep        ends the process at each operation of a short story, one after the other
  --out          the document with the section "Stories" (default docs/benchmarks.md)`

const options = {
  stories: { type: 'string', default: '10000' },
  minutes: { type: 'string', default: '60' },
  first: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
  families: { type: 'string', default: families.join() },
  doublecheck: { type: 'boolean', default: false },
  planted: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  sweep: { type: 'boolean', default: false },
  seed: { type: 'string' },
  story: { type: 'string' },
  keep: { type: 'string' },
  out: outOption,
} as const

/** Plays simulated stories through the server's own parts. @throws CheckFailed with the first seed that failed */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options })
  if (values.planted) return tryPlantedBugs(signal, values.only)
  if (values.sweep) return sweep()
  const wanted = parseFamilies(values.families)
  if (values.story !== undefined) return replay(readStory(values.story), values.keep)
  if (values.seed !== undefined) return replay(drawStory(values.seed, wanted), values.keep)
  const first = parseCount({ option: 'first', text: values.first, max: Number.MAX_SAFE_INTEGER })
  const stories = parseCount({ option: 'stories', text: values.stories, max: 100_000_000 })
  const minutes = parseCount({ option: 'minutes', text: values.minutes, max: 10_000 })
  console.log(`Seeds from ${first}, families ${wanted.join()}`)
  const report = await runBatch({
    first,
    stories,
    secondsMax: minutes * 60,
    families: wanted,
    twiceEvery: values.doublecheck ? 1 : 50,
    signal,
    onFailure: ({ seed, property, detail }) => console.log(`seed ${seed}: ${property}: ${detail.slice(0, 300)}`),
  })
  const section = toSection({ report, first, families: wanted, machine: describeMachine().words })
  console.log(`\n${section}`)
  signal.throwIfAborted()
  const { failures } = report
  if (failures.length > 0) {
    const again = `npm run bench -- stories --families ${wanted.join()} --seed ${failures[0]?.seed}`
    throw new CheckFailed(`${failures.length} of ${report.stories} stories failed. Replay the first of them with: ${again}`)
  }
  writeSection(values.out, 'stories', section)
  console.log(`Written to ${values.out}`)
}

async function sweep(): Promise<void> {
  for (const side of ['before', 'after'] as const) {
    for (const where of ['store', 'node'] as const) {
      const { stories, failures } = await sweepCrashes({ where, side, stride: 1, offset: 0 })
      console.log(`The process ended ${side} each of ${stories} operations of the ${where}: ${failures.length} failed`)
      if (failures.length > 0) throw new CheckFailed(JSON.stringify(failures, null, 2))
    }
  }
}

/** Plays one story; when it fails, looks for the smallest one that fails the same way. */
async function replay(story: Story, keep: string | undefined): Promise<void> {
  const { violation, noted, trace } = await playOnce(story)
  console.log(Object.fromEntries([...noted].toSorted()))
  console.log(`trace ${trace}`)
  if (!violation) return console.log('The story holds.')
  console.log(
    `${violation.property}, ${violation.atMs} ms after the start: ${violation.detail}\nLooking for the smallest such story`,
  )
  const smallest = await shrinkStory(story, async (each) => (await playOnce(each)).violation?.property === violation.property)
  const text = JSON.stringify(smallest, null, 2)
  if (keep) writeFileSync(keep, `${text}\n`)
  const { violation: last } = await playOnce(smallest)
  throw new CheckFailed(`${text}\n${last?.property}, ${last?.atMs} ms after the start: ${last?.detail}`)
}

/** A story that `--keep` wrote. @throws NotMeasured for a file that holds none */
function readStory(path: string): Story {
  const story: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isStory(story)) throw new NotMeasured(`${path} holds no story`)
  return story
}

/** The parts that every story has; what they hold is checked as it is played. */
function isStory(value: unknown): value is Story {
  return typeof value === 'object' && value !== null && 'seed' in value && 'acts' in value && Array.isArray(value.acts)
}

function parseFamilies(text: string): Family[] {
  return text.split(',').map((each) => {
    const family = families.find((known) => known === each)
    if (!family) throw new WrongOption(`--families: found ${each}, expected some of ${families.join(', ')}`)
    return family
  })
}
