import { LRUCache } from 'lru-cache'

/** Answers that pages share. */
const answersMax = 64
/** An answer tells ages: a page adds no more than this to its own. */
const sharedMsMax = 1_000
/** One that has not come by then may never come: it fails the pages that wait for it, and the next page asks again. */
const pendingMsMax = 200
/** What the page puts behind every address, so that no cache answers (web/lib/fetchJson.ts). */
const cacheBuster = /[?&]_=[^&]*$/

/**
 * Pages of one market ask for much the same: each answer is read once for all that are drawn within a second.
 * @param read asks the site for a path. What fails is not kept
 * @param nowMs of any clock that never goes back
 */
export function shareAnswers<T extends { readonly status: number }>(
  read: (path: string) => Promise<T | undefined>,
  nowMs: () => number,
) {
  const kept = new LRUCache<string, { readonly answer: Promise<T | undefined>; readonly askedAtMs: number; pending: boolean }>({
    max: answersMax,
  })
  let current: number | undefined
  return {
    /** Nothing of an earlier market is shared any more. @param market its number */
    begin(market: number): void {
      if (market !== current) kept.clear()
      current = market
    },
    async ask(path: string): Promise<T | undefined> {
      const key = path.replace(cacheBuster, '')
      const known = kept.get(key)
      if (known && nowMs() - known.askedAtMs <= (known.pending ? pendingMsMax : sharedMsMax)) return known.answer
      const own = { answer: read(path), askedAtMs: nowMs(), pending: true }
      kept.set(key, own)
      const answer = await own.answer
      own.pending = false
      if (answer?.status !== 200 && kept.peek(key) === own) kept.delete(key)
      return answer
    },
  }
}
