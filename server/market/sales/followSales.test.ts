import { type Address, Failure, type Hex } from '@chainboard/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeClock } from '../../testing/fakeClock.ts'
import type { PoolSwap } from '../source.ts'
import type { TokenMarket } from '../tokenMarket.ts'
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

const router = addressOf(0xe0)
const [ann, ben, cat] = [addressOf(0xa1), addressOf(0xa2), addressOf(0xa3)]
const revert = () => {
  throw new Failure('rpc-refused', 'execution reverted', {})
}
/** What a node answers the probe of a holder (outcome, amount, arrived), and a transfer by the holder. */
const holders = {
  held: (isProbe: boolean) => (isProbe ? `0x${word(1)}${word(1_000)}${word(0)}` : revert()),
  codeOnly: (isProbe: boolean) => `0x${isProbe ? word(1) + word(1_000) + word(0) : word(1)}`,
  taxed: () => `0x${word(2)}${word(1_000)}${word(500)}`,
  honest: () => `0x${word(2)}${word(1_000)}${word(1_000)}`,
  empty: () => `0x${word(0)}${word(0)}${word(0)}`,
  refusing: () => {
    throw new Failure('rpc-refused', 'too many arguments, want at most 2', {})
  },
}
/** A buyer takes the token out of the pool; a seller brings it. The hash ends with who signed; `mute`: the node does not say who. */
const swapBy = (recipient: Address, amount0 = -5n, signer: Address = recipient) =>
  ({ recipient, amount0, amount1: -amount0, txHash: `0x${signer.slice(2).padStart(64, 'ab')}` }) as PoolSwap
const mute = addressOf(0xe1)

const marketOf = (n: number, isPriced = true, lastSwapAtSeconds = 1, baseReserveRaw?: bigint) =>
  ({
    token: { id: addressOf(n), symbol: `T${n}`, decimals: 0 },
    quote: isPriced
      ? { route: [{ pool, baseIsToken0: true, decimals0: 0, decimals1: 18, lastSwapAtSeconds, baseReserveRaw }] }
      : undefined,
  }) as unknown as TokenMarket

let stop = async () => {}
afterEach(() => stop())

/** A node that answers as `answerOf` says, and what was asked of it. */
type World = {
  readonly headOf?: () => number
  readonly blockSeconds?: () => number
  /** Of the pool, and what becomes of a sale by a buyer. */
  readonly swaps?: readonly PoolSwap[]
  readonly holderOf?: (buyer: Address) => keyof typeof holders
  /** What the exchange took of the token; undefined: not read yet. */
  readonly takenRaw?: () => bigint | undefined
}

function follow(
  markets: () => TokenMarket[],
  answerOf: (token: number) => Answer,
  { headOf, blockSeconds, swaps = [], holderOf = () => 'refusing', takenRaw = () => 0n }: World = {},
) {
  const clock = createFakeClock(1_000_000_000)
  const asked: number[] = []
  const looked: Hex[] = []
  const atMs: number[] = []
  let head = 100
  let underWay = 0
  const chain = {
    readHead: async () => ({ number: headOf?.() ?? head++ }) as never,
    forward: async (method: string, params: unknown) => {
      if (method === 'eth_gasPrice') return '0x1'
      if (method === 'eth_getTransactionByHash') {
        const [hash] = params as [Hex]
        looked.push(hash)
        if (hash.endsWith(mute.slice(2))) throw new Failure('rpc-refused', 'the method does not exist', {})
        return { hash, from: `0x${hash.slice(-40)}` }
      }
      const [{ from, to }] = params as [{ from: Address; to?: Address }]
      if (to) return holders[holderOf(from)](to === from)
      const [{ data }] = params as [{ data: Hex }]
      const token = Number(`0x${data.slice(-128, -64)}`)
      asked.push(token)
      atMs.push(clock.nowMs() - 1_000_000_000)
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
  const sales = followSales({
    chain,
    snapshot: () => ({ markets: markets(), atBlock: blockSeconds && ({ timestampSeconds: blockSeconds() } as never) }),
    listSwaps: async () => swaps,
    readTakings: async () => {
      const taken0 = takenRaw()
      return taken0 === undefined ? undefined : { taken0, taken1: 10n ** 9n }
    },
    log,
    nowMs: clock.nowMs,
    pause: clock.pause,
  })
  stop = sales.stop
  /** Lets so many seconds pass. */
  const seconds = async (count: number) => {
    const untilMs = clock.nowMs() + count * 1_000
    while (!(await clock.next(1, untilMs)));
    await clock.whenAsleep(1)
  }
  return {
    asked,
    looked,
    atMs,
    log,
    seconds,
    warningsOf: (n: number) => sales.find(addressOf(n)),
    textsOf: (n: number) => sales.find(addressOf(n)).map(({ text }) => text),
  }
}

/** A token that can be sold by who buys in the same block. */
const followHonest = (world: World) =>
  follow(
    () => [marketOf(1)],
    () => 'honest',
    world,
  )

describe('simulated sales', () => {
  it('warn of what two in a row have found, with the newest block', async () => {
    const { seconds, textsOf } = follow(
      () => [marketOf(1)],
      () => 'taxed',
    )
    await seconds(2)
    expect(textsOf(1)).toEqual([])
    await seconds(1)
    expect(textsOf(1)).toEqual(['Of 1,000 T1 sold, 950 arrived (simulated at block 101 with the pool 0x0000…b001)'])
  })

  it('a block that says something twice has said it once', async () => {
    let block = 100
    const { asked, seconds, textsOf } = follow(
      () => [marketOf(1)],
      () => 'held',
      { headOf: () => block },
    )
    await seconds(30)
    expect([asked, textsOf(1)]).toEqual([[1], []])
    block = 101
    await seconds(1)
    expect(textsOf(1)).toEqual([
      '1,000 T1 were bought and could not be sold back (simulated at block 101 with the pool 0x0000…b001)',
    ])
  })

  it('warn of a pool that has less than its events brought: a thousand times what was taken', async () => {
    const { seconds, textsOf } = follow(
      () => [marketOf(1, true, 1, 10_000_000n), marketOf(2, true, 1, 1_020_408n), marketOf(3, true, 1, 900_000n)],
      () => 'honest',
    )
    await seconds(3)
    expect(textsOf(1)).toEqual([
      'The pool has about 1,000,000 T1 and should have 10,000,000 by its trades and deposits (simulated at block 101 with the pool 0x0000…b001). Its TVL and depth count tokens that are not there',
    ])
    // Two percent may be between two blocks, and a gift is no lack.
    expect([textsOf(2), textsOf(3)]).toEqual([[], []])
  })

  it('warn of it only for what the exchange did not take', async () => {
    let takenRaw: bigint | undefined
    const { seconds, textsOf } = follow(
      () => [marketOf(1, true, 1, 1_100_000n)],
      () => 'honest',
      { takenRaw: () => takenRaw },
    )
    for (takenRaw of [undefined, 100_000n, 80_000n]) {
      await seconds(400)
      expect(textsOf(1)).toEqual([])
    }
    takenRaw = 60_000n
    await seconds(400)
    expect(textsOf(1)).toEqual([
      expect.stringMatching(/^The pool has about 1,000,000 T1 and should have 1,040,000 by its trades and deposits/),
    ])
  })

  it('what a node says once is not said', async () => {
    const said: Answer[] = ['held', 'honest', 'taxed', 'honest']
    const { seconds, textsOf } = follow(
      () => [marketOf(1)],
      () => said.shift() ?? 'honest',
    )
    for (let i = 0; i < 600; i += 1) {
      await seconds(1)
      expect(textsOf(1)).toEqual([])
    }
    expect(said).toEqual([])
  })

  it('a token that does another harm each time is warned of, by what it did last', async () => {
    const said: Answer[] = ['held', 'taxed']
    const { seconds, textsOf } = follow(
      () => [marketOf(1)],
      () => said.shift() ?? new Failure('rpc-unavailable', 'The node is not responding', { retryable: true }),
    )
    await seconds(3)
    expect(textsOf(1)).toEqual(['Of 1,000 T1 sold, 950 arrived (simulated at block 101 with the pool 0x0000…b001)'])
  })

  it('a warning ends with its cause, and outlives a node that is silent or does not know', async () => {
    let answer: Answer = 'held'
    const { seconds, textsOf } = follow(
      () => [marketOf(1)],
      () => answer,
    )
    await seconds(3)
    const text = '1,000 T1 were bought and could not be sold back (simulated at block 101 with the pool 0x0000…b001)'
    expect(textsOf(1)).toEqual([text])
    for (answer of [new Failure('rpc-unavailable', 'away', { retryable: true }), 'unknown'] as const) {
      await seconds(400)
      expect(textsOf(1)).toEqual([text])
    }
    answer = 'honest'
    await seconds(400)
    expect(textsOf(1)).toEqual([])
  })

  it('a token whose rules change while nobody trades it is warned of within three minutes and some seconds', async () => {
    let answer: Answer = 'honest'
    const { asked, seconds, textsOf } = follow(
      () => [marketOf(1), marketOf(2, false)],
      () => answer,
    )
    await seconds(2)
    answer = 'held'
    await seconds(178)
    expect([asked, textsOf(1)]).toEqual([[1], []])
    await seconds(4)
    expect(textsOf(1)).toHaveLength(1)
    expect(asked).toEqual([1, 1, 1])
  })

  it('one that trades then is within a minute, before quiet ones', async () => {
    let lastSwap = 1
    const { asked, atMs, seconds, textsOf } = follow(
      () => [marketOf(1), marketOf(2, true, lastSwap)],
      (token) => (token === 2 && lastSwap > 1 ? 'held' : 'honest'),
    )
    await seconds(2)
    lastSwap = 2
    await seconds(63)
    expect(textsOf(2)).toHaveLength(1)
    expect([asked, atMs]).toEqual([
      [1, 2, 2, 2],
      [1_000, 1_000, 61_000, 63_000],
    ])
  })

  it('the time of a chain that runs ahead of the clock counts', async () => {
    let timestampSeconds = 2_000_000
    const { asked, seconds } = followHonest({ blockSeconds: () => timestampSeconds })
    await seconds(10)
    expect(asked).toEqual([1])
    timestampSeconds += 180
    await seconds(1)
    expect(asked).toEqual([1, 1])
  })

  it('of a long list every token has its turn, twenty in half a minute, however many trade all the time', async () => {
    let swaps = 1
    const { asked, seconds } = follow(
      () => Array.from({ length: 150 }, (_, i) => marketOf(i + 1, true, i < 30 ? swaps++ : 1)),
      () => 'honest',
    )
    await seconds(1)
    expect(asked).toHaveLength(20)
    await seconds(29)
    expect(asked).toHaveLength(20)
    await seconds(1)
    expect(asked).toHaveLength(40)
    await seconds(11 * 30)
    expect(new Set(asked).size).toBe(150)
  })

  it('tokens that answer otherwise each time keep nobody from a turn', async () => {
    const changing = Array.from({ length: 30 }, (): Answer => 'held')
    const { asked, seconds } = follow(
      () => Array.from({ length: 60 }, (_, i) => marketOf(i + 1)),
      (token) => {
        if (token > 30) return 'honest'
        changing[token - 1] = changing[token - 1] === 'held' ? 'taxed' : 'held'
        return changing[token - 1] ?? 'held'
      },
    )
    await seconds(180)
    expect(new Set(asked).size).toBe(60)
  })

  it('a node that refuses costs two calls in 30 s, with and without a gas price, and one line in the log, and nothing is claimed', async () => {
    const { asked, atMs, log, seconds, textsOf } = follow(
      () => [marketOf(1), marketOf(2), marketOf(3)],
      () => new Failure('rpc-refused', 'the method does not exist', {}),
    )
    await seconds(90)
    expect([asked, atMs]).toEqual([
      [1, 1, 2, 2, 3, 3],
      [1_000, 1_000, 31_000, 31_000, 61_000, 61_000],
    ])
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(log.error).not.toHaveBeenCalled()
    expect([1, 2, 3].flatMap(textsOf)).toEqual([])
  })

  it.each([
    ['held', 'cannot-sell', 'It could not be sold by 2 of 2 wallets that bought it before: the transfer of 1,000 T1 failed'],
    ['taxed', 'sell-tax', 'It was taxed when sold by 2 of 2 wallets that bought it before: of 1,000 T1, 500 arrived'],
  ] as const)('warn of a token that only who buys in the same block can sell: %s', async (holderOf, code, text) => {
    const swaps = [swapBy(router, -5n, cat), swapBy(cat, 5n), swapBy(ann), swapBy(ben)]
    const { seconds, warningsOf } = followHonest({
      swaps,
      holderOf: (buyer) => (buyer === ann || buyer === ben ? holderOf : 'honest'),
    })
    await seconds(2)
    expect(warningsOf(1)).toEqual([])
    await seconds(1)
    expect(warningsOf(1)).toEqual([{ code, text: `${text} (0x0000…00a1, simulated at block 101 with the pool 0x0000…b001)` }])
  })

  it.each([
    ['one of the holders sells', [ann, ben], { [ann]: 'held', [ben]: 'honest' }],
    ['holders are refused for their code alone', [ann], { [ann]: 'codeOnly' }],
    ['buyers have nothing left', [ann, ben], { [ann]: 'empty', [ben]: 'empty' }],
    ['the node takes no code', [ann], { [ann]: 'refusing' }],
    ['the node does not say who signed', [mute], { [mute]: 'held' }],
  ] as const)('say nothing where %s', async (_, buyers, holding) => {
    const { seconds, textsOf } = followHonest({
      swaps: buyers.map((buyer) => swapBy(buyer)),
      holderOf: (buyer) => (holding as Record<Address, 'held'>)[buyer] ?? 'honest',
    })
    await seconds(400)
    expect(textsOf(1)).toEqual([])
  })

  it('say nothing of wallets that somebody else bought for', async () => {
    const blocked = [1, 2, 3, 4].map((n) => addressOf(0xb0c0 + n))
    const swaps = Array.from({ length: 100 }, (_, i) => swapBy(blocked[i % 4] as Address, -5n, cat))
    const { looked, seconds, textsOf } = followHonest({ swaps, holderOf: () => 'held' })
    await seconds(170)
    expect([looked.length, textsOf(1)]).toEqual([4, []])
  })

  it('look up eight purchases of as many buyers at most', async () => {
    const swaps = Array.from({ length: 50 }, (_, i) => swapBy(addressOf(0xd000 + i)))
    const { looked, seconds, warningsOf } = followHonest({ swaps, holderOf: () => 'held' })
    await seconds(3)
    expect([looked.length, warningsOf(1).length]).toEqual([16, 1])
  })

  it('what holders could not do stays said while there is none to try, and ends when one can', async () => {
    let holderOf: keyof typeof holders = 'held'
    const { seconds, textsOf } = followHonest({ swaps: [swapBy(ann)], holderOf: () => holderOf })
    await seconds(3)
    for (holderOf of ['refusing', 'empty'] as const) {
      await seconds(400)
      expect(textsOf(1)).toHaveLength(1)
    }
    holderOf = 'honest'
    await seconds(400)
    expect(textsOf(1)).toEqual([])
  })

  it('a token that loses its price is forgotten', async () => {
    let isPriced = true
    const { seconds, textsOf } = follow(
      () => [marketOf(1, isPriced)],
      () => 'taxed',
    )
    await seconds(3)
    expect(textsOf(1)).toHaveLength(1)
    isPriced = false
    await seconds(1)
    expect(textsOf(1)).toEqual([])
  })
})
