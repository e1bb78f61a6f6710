import type { Act, Story } from './acts.ts'

const triesMax = 300

/**
 * The smallest story found that still breaks the same property: without the acts that do not matter, and with a smaller world.
 * @param breaks plays a story and says whether it does
 */
export async function shrinkStory(story: Story, breaks: (story: Story) => Promise<boolean>): Promise<Story> {
  let tries = 0
  const stillBreaks = async (smaller: Story) => {
    tries += 1
    return tries <= triesMax && (await breaks(smaller))
  }
  const fewer = await dropActs(story, stillBreaks)
  let best = fewer
  for (const smaller of simplerWorlds(best)) {
    const candidate = { ...best, ...smaller }
    if (await stillBreaks(candidate)) best = candidate
  }
  return dropActs(best, stillBreaks)
}

/** Drops ever smaller runs of acts (ddmin). */
async function dropActs(story: Story, stillBreaks: (story: Story) => Promise<boolean>): Promise<Story> {
  let acts: readonly Act[] = story.acts
  for (let size = acts.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < acts.length; ) {
      const rest = acts.toSpliced(from, size)
      if (rest.length < acts.length && (await stillBreaks({ ...story, acts: rest }))) acts = rest
      else from += size
    }
  }
  return { ...story, acts }
}

function simplerWorlds(story: Story): Partial<Story>[] {
  const last = story.acts.reduce((ms, { atMs }) => Math.max(ms, atMs), 0)
  return [
    { clients: 0 },
    { nodes: 1 },
    { forMs: Math.min(story.forMs, last + 70_000) },
    { forMs: Math.min(story.forMs, last + 15_000) },
    { history: 20 },
    { activity: 0.5 },
    { latencyMs: 2 },
    { spanMax: 2_000 },
    { confirmations: 6 },
  ]
}
