// How slow the node is by itself: a node far away or in trouble answers late, and nobody's calls are the reason.

/** Share of the newest answer in what cheap answers usually take. */
const newestShare = 1 / 4
/** What cheap answers take while strangers' calls may be the reason excuses a long call up to here. */
const usualMsMax = 500
/** A node whose cheap answers take this long is as wide as it is by default; one that takes twice as long, twice as wide. */
const wideFromMs = 250
const widthTimesMax = 16
/** What was learned while few heavy calls ran holds for so long. Then few run again, until it is measured again: the node may have recovered. */
const quietForMs = 30_000
/** An answer that came in less than this share of it ends it at once. */
const recoveredShare = 1 / 4

/** What is known of how long a node's cheap answers take. */
export type Slowness = {
  /** A cheap call has been answered. @param isQuiet no more heavy calls of strangers ran when it was sent than are harmless */
  learn(nodeMs: number, isQuiet: boolean): void
  /** How long cheap answers take now. */
  usualMs(): number
  /**
   * How many times as many calls may be with the node as with a fast one: from 1 to 16. An answer that takes long occupies a place, not the
   * node: with the places of a fast node, visitors of a slow one would wait for each other.
   */
  widthTimes(): number
  /** When the last cheap answer came, in the clock's milliseconds. */
  learnedAtMs(): number
}

/** Nothing is known yet. @param nowMs milliseconds of any clock that never goes back */
export function createSlowness(nowMs: () => number): Slowness {
  let usualMs: number | undefined
  let learnedAtMs = Number.NEGATIVE_INFINITY
  let quiet = { ms: 0, untilMs: 0 }
  /** Of the node alone. */
  const quietMs = () => (nowMs() < quiet.untilMs ? quiet.ms : 0)
  return {
    learn: (nodeMs, isQuiet) => {
      usualMs = usualMs === undefined ? nodeMs : usualMs + (nodeMs - usualMs) * newestShare
      learnedAtMs = nowMs()
      if (isQuiet || nodeMs < quietMs() * recoveredShare) quiet = { ms: nodeMs, untilMs: learnedAtMs + quietForMs }
    },
    usualMs: () => Math.min(usualMs ?? 0, Math.max(usualMsMax, quietMs())),
    widthTimes: () => Math.min(widthTimesMax, Math.max(1, quietMs() / wideFromMs)),
    learnedAtMs: () => learnedAtMs,
  }
}
