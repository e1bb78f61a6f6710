import type { Header } from './chain.ts'

/** A head that stands for so long is held against those of the other nodes: its node may have stopped, and answer on. */
const standsMs = 20_000
/** And so often one that lies below a head that was seen. */
const behindMs = 5_000
/** A head further on than this is held against those of the other nodes: it may be made up. */
const leapMax = 64
/** No chain is faster: nodes that are behind have older blocks. */
const blocksPerSecondMax = 10

export type HeadWatch = {
  /** Why the other nodes are to be asked for theirs; undefined: they are not. The first head is taken for a leap. */
  findDoubt(head: Header): 'leap' | 'stands' | undefined
  /** The head that counts, of those of all nodes. */
  take(head: Header): void
}

/** Watches whether the head advances, and by how much. */
export function createHeadWatch(nowMs: () => number): HeadWatch {
  let newest: Header | undefined
  let [sinceMs, askedAtMs] = [0, Number.NEGATIVE_INFINITY]
  /** Blocks that the head may advance at once. Those of many small steps are counted together: they would be a leap, too. */
  let [allowed, allowedAtMs] = [leapMax, nowMs()]
  const allow = () => {
    const seconds = (nowMs() - allowedAtMs) / 1_000
    allowed = Math.min(leapMax, allowed + blocksPerSecondMax * seconds)
    allowedAtMs = nowMs()
    return allowed
  }
  const take = (head: Header) => {
    newest = head
    sinceMs = nowMs()
  }
  return {
    findDoubt(head) {
      const isBehind = newest !== undefined && head.number < newest.number
      if (newest === undefined || head.number - newest.number > allow()) return 'leap'
      if (!isBehind && head.hash !== newest.hash) {
        allowed -= head.number - newest.number
        take(head)
        return undefined
      }
      const restedMs = nowMs() - Math.max(askedAtMs, isBehind ? Number.NEGATIVE_INFINITY : sinceMs)
      if (restedMs < (isBehind ? behindMs : standsMs)) return undefined
      askedAtMs = nowMs()
      return 'stands'
    },
    take(head) {
      take(head)
      allowed = leapMax
    },
  }
}

/** A node that imports more slowly than the chain grows ends so far before it at least. */
const late = { blocks: 2, seconds: 20 }

/**
 * Whether most of the other nodes are ahead of one: it comes last then. One other node alone may make its head up. Pure.
 * @param heads of other nodes; `others`: how many there are, silent ones included; `isLate`: by so much that its node is no moment late, as one
 * that advances may be
 */
export function isBehindMost(
  head: NumberedTime,
  heads: readonly NumberedTime[],
  { others, isLate }: { readonly others: number; readonly isLate: boolean },
): boolean {
  const [blocks, seconds] = isLate ? [late.blocks, late.seconds] : [1, 0]
  const ahead = heads.filter(
    (each) => each.number >= head.number + blocks && each.timestampSeconds >= head.timestampSeconds + seconds,
  )
  return ahead.length * 2 > others
}
type NumberedTime = Pick<Header, 'number' | 'timestampSeconds'>

/** Whether a head is so far ahead of another one that it may be made up. */
export function isLeap(head: Numbered, before: Numbered): boolean {
  return head.number > before.number + leapMax
}
type Numbered = Pick<Header, 'number'>

/**
 * The newest of the nodes' heads, unless more than half of all nodes end further below it than any chain grows between the times of both. Pure.
 * @param heads one at least
 * @param all how many nodes there are, silent ones included; `nowSeconds`: a block that is dated later is not newer for it
 */
export function pickHead<T extends { readonly head: NumberedTime }>(
  heads: readonly [T, ...T[]],
  all: { readonly nodes: number; readonly nowSeconds: number },
): T {
  const newest = heads.reduce((best, each) => (each.head.number > best.head.number ? each : best))
  const others = heads.filter((each) => each !== newest).toSorted((a, b) => b.head.number - a.head.number)
  const atSeconds = Math.min(newest.head.timestampSeconds, all.nowSeconds)
  const against = others.filter(({ head }) => {
    const seconds = Math.max(0, atSeconds - head.timestampSeconds)
    return newest.head.number > head.number + leapMax + blocksPerSecondMax * seconds
  })
  const [next, ...more] = others
  return next && against.length * 2 > all.nodes ? pickHead([next, ...more], all) : newest
}
