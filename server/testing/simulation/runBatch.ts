import type { Story } from './acts.ts'
import { drawStory, type Family } from './drawStory.ts'
import { openStoreFolder } from './faultyStore.ts'
import { runStory, type StoryResult } from './runStory.ts'

export type BatchOptions = {
  /** Seeds are `first`, `first + 1` and so on. */
  readonly first: number
  /** As many stories, or as many as fit into `secondsMax`. */
  readonly stories: number
  readonly secondsMax: number
  readonly families: readonly Family[]
  /** Every so many stories one is played twice, and both must go the same way; 0 for none. */
  readonly twiceEvery: number
  /** Ends after so many failures. */
  readonly failuresMax?: number
  readonly onFailure?: (failure: StoryFailure) => void
  readonly signal?: AbortSignal
}

export type StoryFailure = { readonly seed: string; readonly property: string; readonly detail: string; readonly atMs: number }

export type BatchReport = {
  readonly stories: number
  readonly events: number
  readonly virtualSeconds: number
  readonly seconds: number
  /** How often each thing happened, over all stories. */
  readonly noted: Readonly<Record<string, number>>
  readonly failures: readonly StoryFailure[]
  readonly twice: number
}

const failuresMaxDefault = 1_000

/** Plays stories one after the other. */
export async function runBatch(options: BatchOptions): Promise<BatchReport> {
  const folder = await openStoreFolder()
  const noted = new Map<string, number>()
  const failures: StoryFailure[] = []
  const { failuresMax = failuresMaxDefault } = options
  const fail = (failure: StoryFailure) => {
    failures.push(failure)
    options.onFailure?.(failure)
  }
  const startMs = performance.now()
  const seconds = () => (performance.now() - startMs) / 1_000
  let [stories, events, virtualMs, twice] = [0, 0, 0, 0]
  try {
    while (stories < options.stories && seconds() < options.secondsMax && failures.length < failuresMax) {
      if (options.signal?.aborted) break
      const story = drawStory(String(options.first + stories), options.families)
      stories += 1
      const result = await runStory(story, folder)
      events += result.events
      virtualMs += result.virtualMs
      for (const [what, count] of result.noted) noted.set(what, (noted.get(what) ?? 0) + count)
      if (result.violation) fail({ seed: story.seed, ...result.violation })
      if (options.twiceEvery === 0 || stories % options.twiceEvery !== 0) continue
      twice += 1
      const again = await runStory(story, folder)
      if (!isSame(result, again)) fail({ seed: story.seed, atMs: 0, ...differentAgain })
    }
  } finally {
    folder.remove()
  }
  const sorted = [...noted].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    stories,
    events,
    virtualSeconds: Math.round(virtualMs / 1_000),
    seconds: seconds(),
    noted: Object.fromEntries(sorted),
    failures,
    twice,
  }
}

const differentAgain = { property: 'a seed replays', detail: 'the second run did not go as the first one' }

function isSame(a: StoryResult, b: StoryResult): boolean {
  return a.trace === b.trace && a.events === b.events && a.violation?.detail === b.violation?.detail
}

/** Plays one story by itself. */
export async function playOnce(story: Story): Promise<StoryResult> {
  const [result] = await playEach([story])
  return result as StoryResult
}

/** Plays each of these, one after the other: their tables are made once. */
export async function playEach(stories: readonly Story[]): Promise<StoryResult[]> {
  const folder = await openStoreFolder()
  const results: StoryResult[] = []
  try {
    for (const story of stories) results.push(await runStory(story, folder))
  } finally {
    folder.remove()
  }
  return results
}
