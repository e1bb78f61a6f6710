import type { Outcome } from './endpoints.ts'

export type NodeCalls = {
  /** For `onOutcome` of the endpoints. */
  count(place: number, outcome: Outcome): void
  /** Since the start. `place`: of the node in the list of URLs, from 0; its address may hold a key. */
  list(): readonly { readonly place: number; readonly outcome: Outcome; readonly count: number }[]
}

/** How often each node answered, failed, or was outrun by another one. */
export function createNodeCalls(nodes: number): NodeCalls {
  const outcomes: readonly Outcome[] = ['answered', 'failed', 'outrun']
  const counts = Array.from({ length: nodes }, () => ({ answered: 0, failed: 0, outrun: 0 }))
  return {
    count: (place, outcome) => {
      const own = counts[place]
      if (own) own[outcome] += 1
    },
    list: () => counts.flatMap((own, place) => outcomes.map((outcome) => ({ place, outcome, count: own[outcome] }))),
  }
}
