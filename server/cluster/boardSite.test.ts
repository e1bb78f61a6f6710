import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { ListStatus } from '../market/liveList.ts'
import type { BoostState, LeaderState } from './board.ts'
import type { BoardKeeper } from './boardKeeper.ts'
import { readBoardSite } from './boardSite.ts'

const token: Address = `0x${'20'.repeat(20)}`
const boosted: BoostState = {
  ...{ expirations: new Map([[token, 9]]), isKnown: true, leadSeconds: 3, pausedAtSeconds: 5, answeredAtMs: 7 },
  ...{ doubts: 1, repairs: 2 },
}
const emptyList: ListStatus = {
  ...{ tokens: 0, takenAtMs: 0, refused: undefined, beingRead: [], readProgress: undefined, remote: undefined },
}

function stateAt(head: number, boosts: BoostState = boosted): LeaderState {
  return {
    nowMs: 0,
    follow: {
      ...{ cursor: undefined, head, headAtSeconds: undefined, longestGapSeconds: undefined, contactAtMs: undefined },
      ...{ trouble: undefined, complete: true, faults: 0 },
    },
    ...{ sources: [], creditsSpent: head, rollbacks: 0, isFull: true, boosts, list: { ...emptyList, tokens: head } },
  }
}

/** What a server knows: the leader's state as it was published, for how long that was all, and its own while it leads. */
type Known = { told?: LeaderState; silentMs?: number; own?: LeaderState; hasBoosts?: boolean }

function open(known: Known) {
  const keeper: Pick<BoardKeeper, 'state' | 'silentMs'> = { state: () => known.told, silentMs: () => known.silentMs }
  return readBoardSite({
    keeper: keeper as BoardKeeper,
    own: () => known.own,
    hasBoosts: known.hasBoosts ?? true,
    listPayments: async () => ({ payments: [], total: 0 }),
    listStatus: () => ({ ...emptyList, tokens: 99 }),
  })
}

describe('a server of several', () => {
  it('says what the leader has published of the chain', () => {
    const site = open({ told: stateAt(7) })
    expect([site.followStatus().head, site.creditsSpent(), site.listStatus().tokens]).toEqual([7, 7, 7])
    expect(site.followStatus().trouble).toBe(undefined)
  })

  it('says what it knows itself while it leads, however old its last publication is', () => {
    const site = open({ told: stateAt(7), own: stateAt(8), silentMs: 60_000 })
    expect([site.followStatus().head, site.creditsSpent(), site.listStatus().tokens]).toEqual([8, 8, 8])
    expect(site.followStatus().trouble).toBe(undefined)
  })

  it('says that nobody follows the chain since the leader said its last word', () => {
    const before = Date.now()
    const { head, trouble } = open({ told: stateAt(7), silentMs: 12_000 }).followStatus()
    expect([head, trouble?.kind, trouble?.text]).toEqual([7, 'node', 'No server follows the chain at the moment'])
    expect(trouble?.sinceMs).toBeGreaterThanOrEqual(before - 12_000)
    expect(trouble?.sinceMs).toBeLessThanOrEqual(Date.now() - 12_000)
  })

  it('knows nothing but its own list before any leader has published', () => {
    const site = open({})
    expect([site.followStatus().head, site.followStatus().complete, site.sources()]).toEqual([undefined, false, []])
    expect([site.creditsSpent(), site.listStatus().tokens]).toEqual([undefined, 99])
  })
})

describe('boosts at a server of several', () => {
  it('are what the leader has published, on the leader, too: lists are written from one object', () => {
    const { boosts } = open({ told: stateAt(7), own: stateAt(8, { ...boosted, expirations: new Map() }) })
    expect([boosts.expirations() === boosted.expirations, boosts.isKnown()]).toEqual([true, true])
    expect([boosts.leadSeconds(), boosts.pausedAtSeconds(), boosts.answeredAtMs()]).toEqual([3, 5, 7])
    expect([boosts.doubts(), boosts.repairs()]).toEqual([1, 2])
  })

  it('are told for half a minute after the leader said its last word, and are unknown then', () => {
    const known: Known = { told: stateAt(7), silentMs: 30_000 }
    const { boosts } = open(known)
    expect([boosts.isKnown(), boosts.expirations().size]).toEqual([true, 1])
    known.silentMs = 30_001
    expect([boosts.isKnown(), boosts.expirations().size]).toEqual([false, 0])
  })

  it('are unknown where the leader does not know them', () => {
    const { boosts } = open({ told: stateAt(7, { ...boosted, isKnown: false }) })
    expect([boosts.isKnown(), boosts.expirations().size]).toEqual([false, 0])
  })

  it('before any leader has published are unknown, but none where there is no contract', () => {
    expect(open({}).boosts.isKnown()).toBe(false)
    expect(open({ hasBoosts: false }).boosts.isKnown()).toBe(true)
  })
})
