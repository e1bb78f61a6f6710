import type { Address } from '@chainboard/core'
import type { Problem } from '../findProblems.ts'
import { type ListedToken, listedMax, type TokenList } from './tokenList.ts'

/** PORT to the token list as it is now. Who keeps something that follows from a list works it out again for another one. */
export type LiveList = {
  /** Another object for every list; a list itself does not change. */
  current(): TokenList
  /** A token of the current list. */
  find(token: Address): ListedToken | undefined
  /** The tokens of it all of whose figures are there. */
  complete(): TokenList
  /** What the index holds of a token. */
  holdOf(token: Address): Hold
  /** Calls `listener` after every change. @returns ends that */
  watch(listener: () => void): () => void
  status(): ListStatus
}

/**
 * What an index holds of a token that is added to it. `none`: nothing that a figure could rest on. `quotes`: its pools with the network's
 * quotes, but not those with others. `newest`: all of its pools, of which the newest blocks are valued. `all`: everything.
 */
export type Hold = 'none' | 'quotes' | 'newest' | 'all'

/** What became of the newest list. Times are unix milliseconds. */
export type ListStatus = {
  /** Tokens that are shown. */
  readonly tokens: number
  /** When the current list was taken. */
  readonly takenAtMs: number
  /** Why a newer one was not; undefined when the current one is the newest. */
  readonly refused: Refusal | undefined
  /** Tokens of the current list that figures may be missing of: the index does not have all of their pools, or their history is being valued. */
  readonly beingRead: readonly ListedToken[]
  /** How far the index is with them. */
  readonly readProgress: ReadProgress | undefined
  /** Undefined: there is no list of the web. */
  readonly remote: RemoteStatus | undefined
}

/**
 * `waiting`: for the index itself, or for other tokens. `reading`: so many blocks of their pools' history are read. `valuing`: the pools
 * are in the index, of which so many blocks are valued again.
 */
export type ReadProgress = {
  readonly phase: 'waiting' | 'reading' | 'valuing'
  /** Undefined while it waits. */
  readonly blocks: { readonly read: number; readonly all: number } | undefined
}

/** What became of the list of the web. */
export type RemoteStatus = {
  readonly tokens: number
  /** When its server last answered with a right list, or that it has not changed; undefined: not since the start. */
  readonly answeredAtMs: number | undefined
  readonly refused: Refusal | undefined
  /** Tokens of it that are not taken, and why. */
  readonly leftOut: readonly Problem[]
}

export type Refusal = { readonly sinceMs: number; readonly problems: readonly Problem[] }

export type LiveListHolder = LiveList & {
  /** Puts another list in place, for everybody at once. */
  put(list: TokenList): void
  /** Keeps the current list, and notes why the newest was not taken. */
  refuse(problems: readonly Problem[]): void
  /** The newest list is the current one again. */
  keep(): void
  /** Puts the tokens of the list of the web in place. A token that the operator's own list has is as that says. */
  putRemote(tokens: readonly ListedToken[]): void
  noteRemote(status: RemoteStatus): void
  /** Puts these tokens of the list in the place of those that its files feature; undefined: as the files say. */
  putFeatured(tokens: readonly Address[] | undefined): void
  /** The newest that was put. */
  newest(): TokenList
  /** Looks again which tokens the index has. @param isOther whether they are other ones than before */
  noteIndexed(progress: ReadProgress | undefined, isOther: boolean): void
}

type LiveListOptions = {
  readonly nowMs: () => number
  /** What the index holds of a token; absent: everything of every one. */
  readonly holdOf?: ((token: Address) => Hold) | undefined
  /** Of the list of the web, at the start. */
  readonly remote?: readonly ListedToken[] | undefined
}

/** @param first the list of the files, which has passed their schemas */
export function createLiveList(first: TokenList, { nowMs, holdOf = () => 'all', remote = [] }: LiveListOptions): LiveListHolder {
  let sources: Sources = { own: first, remote, featured: undefined }
  let remoteStatus: RemoteStatus | undefined
  let takenAtMs = nowMs()
  let refused: Refusal | undefined
  let readProgress: ReadProgress | undefined
  const listeners = new Set<() => void>()
  const change = (next: Partial<Sources>) => {
    sources = { ...sources, ...next }
    for (const listener of listeners) listener()
  }
  const toParts = fromList(
    () => sources,
    (from) => {
      const list = join(from)
      return {
        list,
        complete: pickTokens(list, (token) => isComplete(holdOf(token))),
        awaiting: list.tokens.filter(({ id }) => holdOf(id) !== 'all'),
      }
    },
  )
  const toMap = fromList(
    () => toParts().list,
    ({ tokens }) => new Map(tokens.map((token) => [token.id, token])),
  )
  return {
    current: () => toParts().list,
    find: (token) => toMap().get(token),
    complete: () => toParts().complete,
    holdOf,
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    status: () => ({
      tokens: toParts().list.tokens.length,
      takenAtMs,
      refused,
      beingRead: toParts().awaiting,
      readProgress,
      remote: remoteStatus,
    }),
    put: (next) => {
      takenAtMs = nowMs()
      refused = undefined
      change({ own: next })
    },
    refuse: (problems) => {
      refused = { sinceMs: refused?.sinceMs ?? nowMs(), problems }
    },
    keep: () => {
      refused = undefined
    },
    putRemote: (remote) => change({ remote }),
    putFeatured: (featured) => change({ featured }),
    noteRemote: (status) => {
      remoteStatus = status
    },
    newest: () => sources.own,
    noteIndexed: (progress, isOther) => {
      readProgress = progress
      if (isOther) change({})
    },
  }
}

type Sources = {
  readonly own: TokenList
  readonly remote: readonly ListedToken[]
  /** What operators feature in place of the files. */
  readonly featured: readonly Address[] | undefined
}

/** The operator's tokens, then those of the list of the web that are not among them. */
function join({ own, remote, featured }: Sources): TokenList {
  const ids = new Set(own.tokens.map(({ id }) => id))
  const others = remote.filter(({ id }) => !ids.has(id)).slice(0, Math.max(0, listedMax - own.tokens.length))
  const tokens = [...own.tokens, ...others]
  if (featured === undefined) return { ...own, tokens }
  // One that left the list is not featured any more.
  return { tokens, highlighted: featured.flatMap((id) => tokens.find((token) => token.id === id) ?? []) }
}

/** Whether the figures that are shown of a token are whole. */
export function isComplete(hold: Hold): boolean {
  return hold === 'all' || hold === 'newest'
}

function pickTokens({ tokens, highlighted }: TokenList, isShown: (token: Address) => boolean): TokenList {
  const pick = (all: readonly ListedToken[]) => all.filter(({ id }) => isShown(id))
  return { tokens: pick(tokens), highlighted: pick(highlighted) }
}

/** What follows from a value, worked out once for each: again when `current` has another one. */
export function fromList<L, T>(current: () => L, work: (list: L) => T): () => T {
  let kept: { readonly of: L; readonly made: T } | undefined
  return () => {
    const of = current()
    if (kept?.of !== of) kept = { of, made: work(of) }
    return kept.made
  }
}
