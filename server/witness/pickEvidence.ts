/** What one node's receipts of a block say. */
export type Voice<T> = { readonly items: readonly T[]; readonly isProven: boolean }

/** What is taken for true of a block, and what it rests on. */
export type Verdict<T> = {
  readonly items: readonly T[]
  /** Receipts that prove themselves say so. */
  readonly isProven: boolean
  /** Nodes that say so, of those that say anything. */
  readonly agreeing: number
  readonly voices: number
}

/**
 * What of several answers counts, by the text of each: a proof before any number of other voices, and more than half of these.
 * Pure. No answer is better for being longer: who makes something up has more, not less.
 * @returns undefined of no answer; `tied` when none has more than half, or two proofs contradict each other
 */
export function pickEvidence<T>(voices: readonly Voice<T>[], textOf: (item: T) => string): Verdict<T> | 'tied' | undefined {
  const proven = voices.filter(({ isProven }) => isProven)
  const heard = proven.length > 0 ? proven : voices
  const groups = Map.groupBy(heard, ({ items }) => items.map(textOf).sort().join('\n'))
  const [most] = [...groups.values()].sort((a, b) => b.length - a.length)
  const [first] = most ?? []
  if (!most || !first) return undefined
  const wins = proven.length > 0 ? groups.size === 1 : most.length * 2 > voices.length
  return wins ? { items: first.items, isProven: first.isProven, agreeing: most.length, voices: voices.length } : 'tied'
}
