import { LRUCache } from 'lru-cache'

const answersMax = 500
/** Letters of the questions and answers together, and of one pair. */
const lettersMax = 8_000_000
const lettersOfOneMax = 500_000
const keptMs = 3_600_000

/** The body of an answer. `ageSeconds`: it was true so long ago, and is given because the store does not answer now. */
export type GraphAnswer = { readonly body: string; readonly ageSeconds?: number }

export type KeptAnswers = {
  keep(question: string, answer: string): void
  /** What the same question was last answered within the hour; undefined: it was not, or the answer was too long. */
  find(question: string): GraphAnswer | undefined
}

/** The last answers to each question, for while the store is away. @param nowMs milliseconds of a clock that never goes back */
export function createKeptAnswers(nowMs: () => number): KeptAnswers {
  const kept = new LRUCache<string, { readonly body: string; readonly atMs: number }>({
    max: answersMax,
    maxSize: lettersMax,
    maxEntrySize: lettersOfOneMax,
    sizeCalculation: ({ body }, question) => body.length + question.length,
  })
  return {
    keep: (question, body) => void kept.set(question, { body, atMs: nowMs() }),
    find: (question) => {
      const found = kept.get(question)
      if (!found || nowMs() - found.atMs > keptMs) return undefined
      return { body: found.body, ageSeconds: Math.floor((nowMs() - found.atMs) / 1_000) }
    },
  }
}
