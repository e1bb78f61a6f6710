/** Queries of one client that may run or wait at once: of all the places there are, so that nobody takes them all. */
export const queriesOfClientMax = 4
/** Time of the thread that one client's queries may take within a minute. */
export const threadMsOfClientMax = 20_000
const windowMs = 60_000

/** What each client has of the thread that answers queries. */
export type ClientShares = {
  /** Why a client's query is not taken, as the text of its error; undefined when it is. */
  refuse(client: string): string | undefined
  enter(client: string): void
  /** A query has its answer; `threadMs` is 0 for one that never ran. */
  leave(client: string, threadMs: number): void
}

type Share = { readonly open: number; readonly spentMs: number }

/** Makes the shares. Clients are forgotten a minute after their last query. @param now milliseconds of any clock */
export function createClientShares(now: () => number): ClientShares {
  const none: Share = { open: 0, spentMs: 0 }
  const shares = new Map<string, Share>()
  let startedMs = now()
  const refresh = () => {
    if (now() - startedMs < windowMs) return
    startedMs = now()
    for (const [client, { open }] of shares) {
      if (open === 0) shares.delete(client)
      else shares.set(client, { open, spentMs: 0 })
    }
  }
  return {
    refuse: (client) => {
      refresh()
      const { open, spentMs } = shares.get(client) ?? none
      if (open >= queriesOfClientMax) return 'Too many queries are waiting. Try again in a few seconds'
      if (spentMs < threadMsOfClientMax) return undefined
      return `Too many queries: yours took more than ${threadMsOfClientMax / 1_000} s within a minute. Try again in a minute`
    },
    enter: (client) => {
      const share = shares.get(client) ?? none
      shares.set(client, { ...share, open: share.open + 1 })
    },
    leave: (client, threadMs) => {
      const { open, spentMs } = shares.get(client) ?? none
      shares.set(client, { open: Math.max(0, open - 1), spentMs: spentMs + threadMs })
    },
  }
}
