import type { Readiness } from '@chainboard/contract'
import { daySeconds } from '@chainboard/core'
import type { Clock, Following, Market, StoreProbe } from '../deps.ts'
import { toStatus } from '../toStatus.ts'

export type ReadinessDeps = StoreProbe & Market & Following & Clock

/** A store that does not answer for so long counts as away. */
const pingMsMax = 2_000

/** An index so far behind the chain's newest block is still reading its history: what it says is of other days. */
const behindSecondsMax = daySeconds

/**
 * Whether requests should be sent here. Ready means: there is data to serve, and it is of today as far as the chain is known. A node
 * that is down makes the data old, not the server useless. The one body of `/readyz`, wherever it is asked.
 */
export async function readReadiness(deps: ReadinessDeps, draining: boolean): Promise<Readiness> {
  const store = await answers(deps.pingStore())
  return { ready: store && !draining && isServed(deps), store, draining, index: toStatus(deps) }
}

function isServed({ snapshot, followStatus }: ReadinessDeps): boolean {
  const { atBlock } = snapshot()
  const { headAtSeconds } = followStatus()
  if (!atBlock) return false
  return headAtSeconds === undefined || headAtSeconds - atBlock.timestampSeconds <= behindSecondsMax
}

async function answers(ping: Promise<void>): Promise<boolean> {
  const { promise: tooLong, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), pingMsMax)
  const answered = ping.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answered, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
