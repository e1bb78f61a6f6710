import type { Header } from './chain.ts'

/** A head that stands for so long is held against those of the other nodes: its node may have stopped, and answer on. */
const standsMs = 20_000
/** And so often one that lies below a head that was seen. */
const behindMs = 5_000

export type HeadWatch = {
  /** Whether the other nodes are to be asked for theirs. */
  isDoubtful(head: Header): boolean
  /** The highest head of all nodes. */
  take(head: Header): void
}

/** Watches whether the head advances. */
export function createHeadWatch(nowMs: () => number): HeadWatch {
  let newest: Header | undefined
  let [sinceMs, askedAtMs] = [0, Number.NEGATIVE_INFINITY]
  const take = (head: Header) => {
    newest = head
    sinceMs = nowMs()
  }
  return {
    isDoubtful(head) {
      const isBehind = newest !== undefined && head.number < newest.number
      if (!isBehind && head.hash !== newest?.hash) {
        take(head)
        return false
      }
      const restedMs = nowMs() - Math.max(askedAtMs, isBehind ? Number.NEGATIVE_INFINITY : sinceMs)
      if (restedMs < (isBehind ? behindMs : standsMs)) return false
      askedAtMs = nowMs()
      return true
    },
    take,
  }
}
