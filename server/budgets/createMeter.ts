import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { Budget } from './budgets.ts'
import { networkOf } from './networkOf.ts'

/** Addresses and networks that are counted at a time; the one not seen for longest is forgotten first. */
const subjectsMax = 100_000
/**
 * The last fifth of what all clients together have is for those who have used little of their own. So a few greedy addresses do not use
 * up everybody's calls.
 */
const siteKept = { share: 0.2, littleShare: 0.05 }
/** What a call cost afterwards is owed for so many windows at most. */
const owedWindowsMax = 3

/** Whose budget decided. */
export type BudgetOf = 'address' | 'network' | 'site'

/** What came of it, for the one that is nearest to its limit. `remaining` is after this request, `resetSeconds` whole seconds from now. */
export type Spending = {
  readonly ok: boolean
  readonly of: BudgetOf
  readonly limit: number
  readonly windowSeconds: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** Counts what clients cause against one budget. In memory: a restart forgets it, and each server counts for itself. */
export type Meter = {
  /** Takes `cost` from address, network and site, or from none of them when one has too little left. */
  spend(client: string, cost?: number): Spending
  /** Counts what a request cost beyond what was known before: what is over the limit is owed to the next windows. */
  charge(client: string, cost: number): void
}

type Count = { startMs: number; used: number }
type Share = { readonly of: BudgetOf; readonly limit: number; readonly count: Count }

/** A budget of which nothing is used. @param nowMs milliseconds of any clock that never goes back */
export function createMeter(budget: Budget, nowMs: () => number): Meter {
  const { windowSeconds, address, network, site } = budget
  const windowMs = windowSeconds * 1_000
  const counts = new LRUCache<string, Count>(lruLimit(subjectsMax))
  const ofSite: Count = { startMs: nowMs(), used: 0 }

  const find = (subject: string): Count => {
    const known = counts.get(subject)
    if (known) return known
    const count = { startMs: nowMs(), used: 0 }
    counts.set(subject, count)
    return count
  }
  /** Begins a new window where one is over. */
  const turn = (limit: number, count: Count): Count => {
    const windows = Math.floor((nowMs() - count.startMs) / windowMs)
    if (windows < 1) return count
    count.used = Math.max(0, count.used - windows * limit)
    count.startMs = count.used > 0 ? count.startMs + windows * windowMs : nowMs()
    return count
  }
  const sharesOf = (client: string): [Share, ...Share[]] => [
    { of: 'address', limit: address, count: turn(address, find(`address ${client}`)) },
    { of: 'network', limit: network, count: turn(network, find(`network ${networkOf(client)}`)) },
    ...(site === undefined ? [] : [{ of: 'site' as const, limit: site, count: turn(site, ofSite) }]),
  ]
  const roomOf = ({ of, limit, count }: Share, own: Count): number => {
    const isModest = own.used < address * siteKept.littleShare
    return (of === 'site' && !isModest ? limit * (1 - siteKept.share) : limit) - count.used
  }
  const tell = ({ of, limit, count }: Share, ok: boolean, room: number): Spending => ({
    ...{ ok, of, limit, windowSeconds },
    remaining: Math.max(0, Math.floor(room)),
    // Who owes has to wait for further windows.
    resetSeconds: Math.ceil((count.startMs + windowMs * Math.max(1, Math.floor(count.used / limit)) - nowMs()) / 1_000),
  })

  return {
    spend: (client, cost = 1) => {
      const shares = sharesOf(client)
      const own = shares[0].count
      const refusing = shares.find((share) => roomOf(share, own) < cost)
      if (refusing) return tell(refusing, false, roomOf(refusing, own))
      for (const { count } of shares) count.used += cost
      const [first, ...others] = shares
      const roomAfter = ({ limit, count }: Share) => limit - count.used
      const nearest = others.reduce((least, each) => (roomAfter(each) < roomAfter(least) ? each : least), first)
      return tell(nearest, true, roomAfter(nearest))
    },
    charge: (client, cost) => {
      const shares = sharesOf(client)
      const owed = Math.min(cost, Math.max(0, address * owedWindowsMax - shares[0].count.used))
      for (const { count } of shares) count.used += owed
    },
  }
}
