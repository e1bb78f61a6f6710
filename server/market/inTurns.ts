import { setImmediate } from 'node:timers/promises'

/** A request waits no longer than this for work that is done in turns, twice: for the turn in which it comes, and for one before its own. */
const turnMs = 1.5

/**
 * Does long work that makes room for others: at each of its yields they may have their turn.
 * @param steps each of them short
 * @returns what the last one returns. Fails as they do
 */
export async function inTurns<T>(steps: Iterator<void, T>): Promise<T> {
  await setImmediate()
  let sinceMs = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - sinceMs <= turnMs) continue
    await setImmediate()
    sinceMs = performance.now()
  }
}

/** Maps a long list, a step each. */
export function* mapSteps<T, R>(items: Iterable<T>, map: (item: T, place: number) => R): Generator<void, R[]> {
  const mapped: R[] = []
  for (const item of items) {
    mapped.push(map(item, mapped.length))
    yield
  }
  return mapped
}
