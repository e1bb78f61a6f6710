import { type Address, Failure, type Hex } from '@chainboard/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeClock } from '../../testing/fakeClock.ts'
import type { TokenMarket } from '../takeSnapshot.ts'
import { followSales } from './followSales.ts'

const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address
const pool = addressOf(0xb001)
const word = (n: number) => n.toString(16).padStart(64, '0')
/** What the probe answers: outcome, taken, received, returned. */
const answers = {
  honest: `0x${word(3)}${word(1_000)}${word(1_000)}${word(1_000)}`,
  taxed: `0x${word(3)}${word(1_000)}${word(1_000)}${word(950)}`,
  held: `0x${word(2)}${word(1_000)}${word(1_000)}${word(0)}`,
  unknown: `0x${word(0)}${word(1_000)}${word(0)}${word(0)}`,
} as const
type Answer = keyof typeof answers | Failure

const marketOf = (n: number, isPriced = true) =>
  ({
    token: { id: addressOf(n), symbol: `T${n}`, decimals: 0 },
    quote: isPriced ? { route: [{ pool, baseIsToken0: true, decimals0: 0, decimals1: 18 }] } : undefined,
  }) as unknown as TokenMarket

let stop = async () => {}
afterEach(() => stop())

/** A node that answers as `answerOf` says, and what was asked of it. */
function follow(markets: () => TokenMarket[], answerOf: (token: number) => Answer) {
  const clock = createFakeClock(1_000_000_000)
  const asked: number[] = []
  let head = 100
  let underWay = 0
  const chain = {
    readHead: async () => ({ number: head++ }) as never,
    forward: async (_: string, params: unknown) => {
      const [{ data }] = params as [{ data: Hex }]
      const token = Number(`0x${data.slice(-128, -64)}`)
      asked.push(token)
      underWay += 1
      expect(underWay).toBe(1)
      await new Promise((turn) => setImmediate(turn))
      underWay -= 1
      const answer = answerOf(token)
      if (answer instanceof Failure) throw answer
      return answers[answer]
    },
  }
  const log = { warn: vi.fn(), error: vi.fn() }
  const sales = followSales({ chain, snapshot: () => ({ markets: markets() }), log, nowMs: clock.nowMs, pause: clock.pause })
  stop = sales.stop
  const turns = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      await clock.whenAsleep(1)
      await clock.next(1, Number.POSITIVE_INFINITY)
    }
    await clock.whenAsleep(1)
  }
  return { asked, log, turns, textsOf: (n: number) => sales.find(addressOf(n)).map(({ text }) => text) }
}

describe('simulated sales', () => {
  it('warn of what two in a row have found, with the newest block', async () => {
    const { turns, textsOf } = follow(
      () => [marketOf(1)],
      () => 'taxed',
    )
    await turns(1)
    expect(textsOf(1)).toEqual([])
    await turns(1)
    expect(textsOf(1)).toEqual(['Of 1,000 T1 sold 950 arrived (simulated at block 101 with the pool 0x0000…b001)'])
  })

  it('what a node says once is not said', async () => {
    const said: Answer[] = ['held', 'honest', 'held', 'taxed']
    const { turns, textsOf } = follow(
      () => [marketOf(1)],
      () => said.shift() ?? 'honest',
    )
    for (let i = 0; i < 60; i += 1) {
      await turns(1)
      expect(textsOf(1)).toEqual([])
    }
  })

  it('a warning ends with its cause, and outlives a node that is silent or does not know', async () => {
    let answer: Answer = 'held'
    const { turns, textsOf } = follow(
      () => [marketOf(1)],
      () => answer,
    )
    await turns(2)
    const text = '1,000 T1 were bought and could not be sold back (simulated at block 101 with the pool 0x0000…b001)'
    expect(textsOf(1)).toEqual([text])
    for (answer of [new Failure('rpc-unavailable', 'away', { retryable: true }), 'unknown'] as const) {
      await turns(25)
      expect(textsOf(1)).toEqual([text])
    }
    answer = 'honest'
    await turns(25)
    expect(textsOf(1)).toEqual([])
  })

  it('each token is simulated every ten minutes, those without a price never', async () => {
    const { asked, turns } = follow(
      () => [marketOf(1), marketOf(2, false)],
      () => 'honest',
    )
    await turns(60)
    expect(asked).toEqual([1, 1, 1])
  })

  it('of a long list every token has its turn, twenty at a time, however many are due again before', async () => {
    const { asked, turns } = follow(
      () => Array.from({ length: 450 }, (_, i) => marketOf(i + 1)),
      () => 'honest',
    )
    await turns(1)
    expect(asked).toHaveLength(20)
    await turns(22)
    expect(new Set(asked).size).toBe(450)
  })

  it('a node that refuses costs one call a turn and one line in the log, and nothing is claimed', async () => {
    const { asked, log, turns, textsOf } = follow(
      () => [marketOf(1), marketOf(2), marketOf(3)],
      () => new Failure('rpc-refused', 'the method does not exist', {}),
    )
    await turns(3)
    expect(asked).toEqual([1, 2, 3])
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(log.error).not.toHaveBeenCalled()
    expect([1, 2, 3].flatMap(textsOf)).toEqual([])
  })

  it('a token that loses its price is forgotten', async () => {
    let isPriced = true
    const { turns, textsOf } = follow(
      () => [marketOf(1, isPriced)],
      () => 'taxed',
    )
    await turns(2)
    expect(textsOf(1)).toHaveLength(1)
    isPriced = false
    await turns(1)
    expect(textsOf(1)).toEqual([])
  })
})
