import { describe, expect, it } from 'vitest'
import { alpha } from '../testing/market.ts'
import { alphaSnapshot } from '../testing/priceApi.ts'
import type { Board, LeaderState } from './board.ts'
import { createBoardKeeper } from './boardKeeper.ts'
import { readBoardSite } from './boardSite.ts'

const board: Board = {
  snapshot: alphaSnapshot(),
  list: { tokens: [], highlighted: [] },
  holds: new Map(),
  cmc: { rows: undefined, listed: undefined, onChain: undefined },
}

/** A leader whose node answered so long ago, by its own clock. */
function stateAt(nowMs: number, contactAgeMs: number): LeaderState {
  return {
    nowMs,
    follow: {
      ...{
        cursor: undefined,
        head: 7,
        headAtSeconds: undefined,
        longestGapSeconds: undefined,
        contactAtMs: nowMs - contactAgeMs,
      },
      ...{ trouble: undefined, complete: true, faults: 0 },
    },
    sources: [],
    creditsSpent: undefined,
    list: { tokens: 0, takenAtMs: 0, refused: undefined, beingRead: [], readProgress: undefined, remote: undefined },
    boosts: {
      ...{ expirations: new Map([[alpha, 5]]), isKnown: true, leadSeconds: 0, pausedAtSeconds: undefined },
      ...{ answeredAtMs: undefined, doubts: 0, repairs: 0 },
    },
    rollbacks: 0,
    isFull: true,
  }
}

function open() {
  const clock = { now: 1_000_000, steady: 0 }
  const keeper = createBoardKeeper(board, { nowMs: () => clock.now, steadyMs: () => clock.steady })
  const site = readBoardSite({
    ...{ keeper, own: () => undefined, hasBoosts: true, listPayments: async () => ({ payments: [], total: 0 }) },
    listStatus: () => stateAt(0, 0).list,
  })
  return { clock, keeper, site }
}

describe('the board that a server answers from', () => {
  it('is the newest that came, told of once', () => {
    const { keeper } = open()
    const heard: number[] = []
    keeper.watch(({ seq }) => heard.push(seq))
    for (const seq of [3, 3, 2, 4]) keeper.take({ seq, epoch: 1, board: { ...board }, events: [] })
    expect([heard, keeper.seq()]).toEqual([[3, 4], 4])
  })

  it('has the times of a leader whose clock is an hour ahead, and of an old word, as they are', () => {
    const { keeper, site } = open()
    keeper.noteState(stateAt(1_000_000 + 3_600_000, 2_000), 0)
    expect(site.followStatus().contactAtMs).toBe(998_000)
    keeper.noteState(stateAt(500_000, 2_000), 60_000)
    expect(site.followStatus().contactAtMs).toBe(938_000)
    expect(site.followStatus().trouble).toMatchObject({ kind: 'node', text: 'No server follows the chain at the moment' })
  })

  it('tells that the chain was taken back, once, and nothing with the first word of a leader', () => {
    const { keeper } = open()
    let times = 0
    const end = keeper.watchRollbacks(() => {
      times += 1
    })
    for (const rollbacks of [4, 4, 5, 5, 7]) keeper.noteState({ ...stateAt(1_000_000, 0), rollbacks }, 0)
    expect(times).toBe(2)
    end()
    keeper.noteState({ ...stateAt(1_000_000, 0), rollbacks: 8 }, 0)
    expect(times).toBe(2)
  })

  it('says that no server leads after 10 s without a word, and knows of no boosts after 30 s', () => {
    const { clock, keeper, site } = open()
    expect([site.boosts.isKnown(), site.followStatus().complete]).toEqual([false, false])
    keeper.noteState(stateAt(1_000_000, 0), 0)
    const boosted = site.boosts.expirations()
    keeper.noteState(stateAt(1_000_000, 0), 0)
    expect(site.boosts.expirations()).toBe(boosted)
    clock.steady = 10_000
    expect(site.followStatus().trouble).toBeUndefined()
    clock.steady = 10_001
    expect(site.followStatus().trouble?.kind).toBe('node')
    clock.steady = 30_000
    expect([site.boosts.isKnown(), site.boosts.expirations().size]).toEqual([true, 1])
    clock.steady = 30_001
    expect([site.boosts.isKnown(), site.boosts.expirations().size]).toEqual([false, 0])
  })
})
