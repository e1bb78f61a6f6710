import type { Board, BoostState, LeaderState, Publication } from './board.ts'

/** Without a word from the leader for so long, nobody leads, or the way to it is broken. */
const silentMsMax = 10_000

/** What this server answers from: what was published last, by whichever server leads. */
export type BoardKeeper = {
  board(): Board
  /** Number of the board, and the epoch it was made in; 0 before the first that was published. */
  seq(): number
  epoch(): number
  /** When it came, on the clock that nobody sets. */
  takenAtMs(): number | undefined
  /** How the leader stands, its times moved to our clock; undefined before its first word. */
  state(): LeaderState | undefined
  /** Milliseconds since the leader's last word; undefined before the first. */
  stateAgeMs(): number | undefined
  /** The same while it is too long ago, else undefined. */
  silentMs(): number | undefined
  /** Puts a publication in place, unless a later one is there. */
  take(publication: Publication): void
  /** @param ageMs how long ago the leader was so */
  noteState(state: LeaderState, ageMs: number): void
  /** After every board. @returns ends that */
  watch(listener: (publication: Publication) => void): () => void
  /** When the chain was taken back, or may have been. @returns ends that */
  watchRollbacks(listener: () => void): () => void
}

type Clocks = { readonly nowMs: () => number; readonly steadyMs: () => number }

/** @param first what is answered before anything was published */
export function createBoardKeeper(first: Board, { nowMs, steadyMs }: Clocks): BoardKeeper {
  const listeners = new Set<(publication: Publication) => void>()
  const ofRollbacks = new Set<() => void>()
  let board = first
  let [seq, epoch] = [0, 0]
  let takenAtMs: number | undefined
  let told: { readonly state: LeaderState; readonly atMs: number } | undefined
  const stateAgeMs = () => told && steadyMs() - told.atMs
  return {
    board: () => board,
    seq: () => seq,
    epoch: () => epoch,
    takenAtMs: () => takenAtMs,
    state: () => told?.state,
    stateAgeMs,
    silentMs: () => {
      const ms = stateAgeMs()
      return ms !== undefined && ms > silentMsMax ? ms : undefined
    },
    take: (publication) => {
      if (publication.seq <= seq) return
      ;({ board, seq, epoch } = publication)
      takenAtMs = steadyMs()
      for (const listener of listeners) listener(publication)
    },
    noteState: (state, ageMs) => {
      const next = shift(state, nowMs() - ageMs - state.nowMs)
      const isTakenBack = told !== undefined && told.state.rollbacks !== state.rollbacks
      told = { state: { ...next, boosts: keepExpirations(told?.state.boosts, next.boosts) }, atMs: steadyMs() - ageMs }
      if (isTakenBack) for (const listener of ofRollbacks) listener()
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    watchRollbacks: (listener) => {
      ofRollbacks.add(listener)
      return () => void ofRollbacks.delete(listener)
    },
  }
}

/** The same object as long as nothing in it changes: lists are written again for another one. */
function keepExpirations(before: BoostState | undefined, next: BoostState): BoostState {
  const [old, expirations] = [before?.expirations, next.expirations]
  if (!old || old.size !== expirations.size) return next
  return [...expirations].every(([token, until]) => old.get(token) === until) ? { ...next, expirations: old } : next
}

/** Moves what is measured by the leader's clock to ours, `byMs` ahead of it: two machines seldom agree to the second. */
function shift(state: LeaderState, byMs: number): LeaderState {
  const move = (ms: number | undefined) => (ms === undefined ? undefined : ms + byMs)
  const { follow, sources, boosts } = state
  return {
    ...state,
    nowMs: state.nowMs + byMs,
    follow: {
      ...follow,
      contactAtMs: move(follow.contactAtMs),
      trouble: follow.trouble && { ...follow.trouble, sinceMs: follow.trouble.sinceMs + byMs },
    },
    sources: sources.map((source) => ({
      ...source,
      readAtMs: move(source.readAtMs),
      failingSinceMs: move(source.failingSinceMs),
    })),
    boosts: { ...boosts, answeredAtMs: move(boosts.answeredAtMs) },
  }
}
