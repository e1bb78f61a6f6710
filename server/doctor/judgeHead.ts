import type { Header } from '../chain/chain.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'

/** Behind the newest of all nodes by this much, a node's answers are old. */
const behindSecondsMax = 30
/** A block this far in the future means that a clock is wrong. */
const aheadSecondsMax = 60

export type HeadContext = {
  readonly nowSeconds: number
  /** Age of a block from which prices count as old. */
  readonly staleAfterSeconds: number
  /** Of the newest head that any node has. */
  readonly newest: Header
}

/** Whether a node's newest block is recent, and as new as that of the others. Pure. */
export function judgeHead(field: string, head: Header, { nowSeconds, staleAfterSeconds, newest }: HeadContext): Finding {
  const ageSeconds = Math.round(nowSeconds - head.timestampSeconds)
  const found = `newest block ${head.number} is ${ageSeconds} s old`
  if (ageSeconds < -aheadSecondsMax)
    return warn({
      field,
      found: `newest block ${head.number} is ${-ageSeconds} s ahead of this machine's clock`,
      wanted: 'a clock that is right',
      todo: "Set this machine's clock",
    })
  const behindSeconds = newest.timestampSeconds - head.timestampSeconds
  if (behindSeconds > behindSecondsMax)
    return fail({
      field,
      found: `${found}, ${newest.number - head.number} blocks behind another node`,
      wanted: `at most ${behindSecondsMax} s behind`,
      todo: 'Remove the node until it has caught up',
    })
  if (ageSeconds > staleAfterSeconds)
    return fail({
      field,
      found,
      wanted: `at most ${staleAfterSeconds} s: older prices are stale`,
      todo: 'The node is behind, the chain has stopped, or prices.staleAfterSeconds is too low for the block time',
    })
  return ok(field, found)
}
