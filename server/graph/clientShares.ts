import { budgets } from '../budgets/budgets.ts'
import { networkOf } from '../budgets/networkOf.ts'

/** Queries that may run or wait at once, of all the places there are, so that nobody takes them all: of one client, and of one network. */
const queriesMax = { client: 4, network: 12 } as const
const { windowSeconds, address, network } = budgets.graphThread
/** Time of the thread that queries may take within a window: of one client, and of one network. */
const threadMsMax = { client: address, network } as const

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
    if (now() - startedMs < windowSeconds * 1_000) return
    startedMs = now()
    for (const [subject, { open }] of shares) {
      if (open === 0) shares.delete(subject)
      else shares.set(subject, { open, spentMs: 0 })
    }
  }
  const change = (client: string, openBy: 1 | -1, spentMs: number) => {
    for (const { subject } of sharesOf(client)) {
      const share = shares.get(subject) ?? none
      shares.set(subject, { open: Math.max(0, share.open + openBy), spentMs: share.spentMs + spentMs })
    }
  }
  return {
    refuse: (client) => {
      refresh()
      for (const { subject, of } of sharesOf(client)) {
        const { open, spentMs } = shares.get(subject) ?? none
        if (open >= queriesMax[of]) return 'Too many queries are waiting. Try again in a few seconds'
        if (spentMs >= threadMsMax[of]) return describeSpent(of)
      }
      return undefined
    },
    enter: (client) => change(client, 1, 0),
    leave: (client, threadMs) => change(client, -1, threadMs),
  }
}

/** Whose shares a query takes. */
function sharesOf(client: string) {
  return [
    { of: 'client', subject: `client ${client}` },
    { of: 'network', subject: `network ${networkOf(client)}` },
  ] as const
}

function describeSpent(of: 'client' | 'network'): string {
  const whose = of === 'client' ? 'yours' : 'those of your network'
  return `Too many queries: ${whose} took more than ${threadMsMax[of] / 1_000} s within a minute. Try again in a minute`
}
