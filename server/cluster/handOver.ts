import type { FollowStatus } from '../indexer/followChain.ts'

/** While the leader's nodes have failed for so long, a server whose nodes answer takes over. */
const failingMsMax = 60_000
/** How often a server then asks its own nodes. */
const askEveryMs = 5_000
/** What they answered is held good for so long. */
const freshMs = 15_000
/** Without a sign of life from a leader for this long, any server that can leads, whatever its nodes answer. */
const silentMsMax = 15_000

/** How the leader stands to the chain, its times on our clock, and milliseconds since it said so. */
export type LeaderWord = { readonly follow: Pick<FollowStatus, 'head' | 'trouble'>; readonly ageMs: number }

export type HandOverDeps = {
  readonly chain: { readHead(): Promise<{ readonly number: number }> }
  /** Undefined before the first word. */
  readonly leader: () => LeaderWord | undefined
  readonly isLeading: () => boolean
  /** Asks the leader to let this server lead. */
  readonly claim: () => Promise<void>
  /** Unix milliseconds. */
  readonly nowMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: { warn(facts: object, text: string): void }
}

export type HandOver = {
  /** Whether this server may stand for election: not while the last leader's nodes fail, and its own do not answer either. */
  isFit(): boolean
  /** Resolves when a look under way has ended. */
  stop(): Promise<void>
}

/** Whether a leader has to give way to a server whose nodes answer. Pure. */
export function mustGiveWay({ trouble }: LeaderWord['follow'], nowMs: number): boolean {
  return trouble?.kind === 'node' && nowMs - trouble.sinceMs > failingMsMax
}

/**
 * Watches, on a server that does not lead, whether the leader's nodes fail while its own answer, and claims the lead then. A leader
 * judges a claim by what it knows itself, so that one that comes late does nothing.
 */
export function watchHandOver({ chain, leader, isLeading, claim, nowMs, pause, log }: HandOverDeps): HandOver {
  const stopping = new AbortController()
  const { signal } = stopping
  let answeredAtMs = Number.NEGATIVE_INFINITY
  const findFailing = () => {
    const word = leader()
    return word && mustGiveWay(word.follow, nowMs()) ? word : undefined
  }
  const look = async () => {
    const failing = isLeading() ? undefined : findFailing()
    if (!failing) return
    // Without a newer block than the leader saw, they may be as far away from the chain as the leader's.
    if ((await chain.readHead()).number <= (failing.follow.head ?? -1)) return
    answeredAtMs = nowMs()
    log.warn({}, "The leader's nodes have failed for a minute, and those of this server answer: it asks for the lead")
    await claim()
  }
  const watching = (async () => {
    while (!signal.aborted) {
      await pause(askEveryMs, signal)
      // Its own nodes fail, too, or the database does: the next look tells.
      if (!signal.aborted) await look().catch(() => undefined)
    }
  })()
  return {
    isFit: () => {
      const failing = findFailing()
      return !failing || failing.ageMs > silentMsMax || nowMs() - answeredAtMs < freshMs
    },
    stop: async () => {
      stopping.abort()
      await watching
    },
  }
}
