/** The time of a block, and when it was first seen. */
export type Sighting = { readonly blockSeconds: number; readonly seenAtMs: number }

/**
 * How far the chain's clock is ahead of ours, in whole seconds: answers that rest on it are not made anew for less. Boosts end by the chain's clock, which nobody can read between two blocks: it
 * is taken to go on from the newest block as ours does. 0 where it is not ahead, or nothing was seen: a block that comes late, or is read
 * late, gives no boost more time.
 */
export function toLeadSeconds(newest: Sighting | undefined): number {
  return newest ? Math.max(0, Math.floor(newest.blockSeconds - newest.seenAtMs / 1000)) : 0
}
