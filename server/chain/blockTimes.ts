import { invalid } from './parseAnswer.ts'

/** When a block was made; unix seconds. */
export type BlockTime = { readonly number: number; readonly timestampSeconds: number }

/**
 * What is wrong with the times of blocks, in words: one is earlier than a block before it, or has two times. Blocks of one second are
 * legal on many chains. Pure. Undefined when nothing is.
 */
export function findDisorder(times: readonly BlockTime[]): string | undefined {
  let before: BlockTime | undefined
  for (const time of times.toSorted((a, b) => a.number - b.number)) {
    const { number, timestampSeconds } = time
    if (before?.number === number && before.timestampSeconds !== timestampSeconds)
      return `The node gives block ${number} two times: ${before.timestampSeconds} and ${timestampSeconds}`
    if (before && before.timestampSeconds > timestampSeconds)
      return `The node dates block ${number} at ${timestampSeconds}, before block ${before.number} (${before.timestampSeconds})`
    before = time
  }
  return undefined
}

/** @throws Failure `rpc-invalid` for times that cannot be true */
export function checkOrder(times: readonly BlockTime[]): void {
  const why = findDisorder(times)
  if (why !== undefined) throw invalid(why)
}

/** How far a block may be ahead of the server's clock: clocks differ by seconds, and no chain takes a block from later than that. */
const leadSecondsMax = 300
/** A chain that stays further ahead for so long is ahead, or the clock is wrong. */
const leadWaitMs = 600_000

/** What is known of how far the chain is ahead of the clock; `sinceMs`: since when each look has found it too far ahead, by a clock that nobody sets. */
export type Lead = { readonly knownSeconds: number; readonly sinceMs: number | undefined }

/**
 * Whether a block may be as far ahead of the clock as it is. Pure.
 * @returns what is known now, and why it may not be, in words
 */
export function judgeLead(
  { knownSeconds, sinceMs }: Lead,
  { number, timestampSeconds }: BlockTime,
  { nowMs, steadyMs }: { readonly nowMs: number; readonly steadyMs: number },
): { readonly lead: Lead; readonly why?: string } {
  const ahead = timestampSeconds - Math.floor(nowMs / 1000)
  if (ahead <= Math.max(0, knownSeconds) + leadSecondsMax) return { lead: { knownSeconds, sinceMs: undefined } }
  const since = sinceMs ?? steadyMs
  if (steadyMs - since >= leadWaitMs) return { lead: { knownSeconds: ahead, sinceMs: undefined } }
  const minutesLeft = Math.ceil((since + leadWaitMs - steadyMs) / 60_000)
  const why = `Block ${number} is dated ${ahead} s ahead of this server's clock. If this persists, the server follows it in ${minutesLeft} min: check the clock and RPC_URL`
  return { lead: { knownSeconds, sinceMs: since }, why }
}
