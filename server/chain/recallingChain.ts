import type { Chain } from './chain.ts'

const freshMsDefault = 4_000

/** A chain that remembers its newest block, for callers that accept one that was the newest seconds ago. */
export type RecallingChain = Chain & {
  /** Number of the newest block when the node was last asked, by whomever; undefined when that is more than 4 s ago. */
  recallHead(): number | undefined
}

/** Remembers the head that others read from `chain` anyway. @param options.nowMs a clock that never goes back */
export function toRecallingChain(
  chain: Chain,
  { freshMs = freshMsDefault, nowMs = () => performance.now() } = {},
): RecallingChain {
  let seen: { readonly number: number; readonly askedAtMs: number } | undefined
  return {
    ...chain,
    async readHead() {
      // A head is as old as the question: the answer may have taken its time.
      const askedAtMs = nowMs()
      const head = await chain.readHead()
      if (!seen || askedAtMs >= seen.askedAtMs) seen = { number: head.number, askedAtMs }
      return head
    },
    recallHead: () => (seen && nowMs() - seen.askedAtMs <= freshMs ? seen.number : undefined),
  }
}
