import type { Address } from '@chainboard/core'
import type { PoolPlace } from './planLane.ts'
import { holdsLiquidity, type TickPlace, type Verdict } from './tickPlaces.ts'

/** So many pools whose ticks differ, and none that has one that agrees, are no omission: ticks mean something else here. */
const strangePools = 3
/** Looks without one answer after which that kind of place is not asked for any more: no such function is there. */
const unansweredLooks = 3
const kinds = ['tick', 'word'] as const

type Kind = TickPlace['kind']

/** What a contract's answer says of a place. */
export type JudgedPlace = { readonly place: PoolPlace; readonly verdict: Verdict }

/** Whether the ticks of this chain's pools are what Uniswap's are: forks may have others, or none. */
export type TickMeanings = {
  /** Whether contracts answer about this kind of place. */
  isAnswered(kind: Kind): boolean
  /** Whether a place of this kind that has liquidity ever agreed: only then does one that differs count. */
  isKnown(kind: Kind): boolean
  /** Learns from what one look has found. */
  note(judged: readonly JudgedPlace[]): void
  /** Why ticks are not compared on this chain; undefined where they are. */
  quirk(): string | undefined
}

/** Of nothing compared yet: every place is asked for, and no difference counts. */
export function createTickMeanings(): TickMeanings {
  const known = new Set<Kind>()
  /** Pools that differed before one agreed. */
  const strange: Record<Kind, Set<Address>> = { tick: new Set(), word: new Set() }
  /** Looks in which none was answered. */
  const unanswered: Record<Kind, number> = { tick: 0, word: 0 }
  const isAnswered = (kind: Kind) => unanswered[kind] < unansweredLooks
  const isStrange = (kind: Kind) => !known.has(kind) && strange[kind].size >= strangePools

  return {
    isAnswered,
    isKnown: (kind) => known.has(kind),
    note(judged) {
      for (const { place, verdict } of judged) {
        const { kind, pool } = place
        if (known.has(kind)) continue
        if (verdict === 'differs' && strange[kind].size < strangePools) strange[kind].add(pool.address)
        if (verdict === 'agrees' && holdsLiquidity(place, place.list, pool.tickSpacing)) known.add(kind)
      }
      for (const kind of kinds) {
        const own = judged.filter(({ place }) => place.kind === kind)
        // A contract that answered once has such functions: a node that does not answer now is asked again.
        if (own.length > 0 && !known.has(kind))
          unanswered[kind] = own.every(({ verdict }) => verdict === 'no answer') ? unanswered[kind] + 1 : 0
      }
    },
    quirk: () =>
      kinds.some((kind) => isStrange(kind) || !isAnswered(kind))
        ? 'The ticks of pools on this chain do not match their positions'
        : undefined,
  }
}
