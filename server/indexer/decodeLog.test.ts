import { type Address, sqrtPriceX96AtTick } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import fc from 'fast-check'
import { parseAbi, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainLog } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { createViemChain } from '../chain/viemChain.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { decodeLog, findImpossible, indexedTopics } from './decodeLog.ts'

const abi = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
])

describe('logs of real contracts', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startShortDevnet()
  })
  afterAll(() => devnet.stop())

  it('read as viem reads them, every one', async () => {
    const chain = createViemChain([devnet.rpcUrl])
    const { number: to } = await chain.readHead()
    const { logs } = await chain.readRange({ from: 0, to, topics: indexedTopics, everyHeader: false })
    const ours = logs.map(decodeLog)
    const theirs = parseEventLogs({ abi, logs: logs as never }) as unknown as {
      eventName: string
      args: Record<string, unknown>
    }[]
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(ours, (event) => event?.kind ?? 'none')).map(([kind, all]) => [kind, all?.length]),
    )
    expect(counts).toMatchObject({ poolCreated: devnet.pools.length, initialize: devnet.pools.length })
    expect(counts['swap']).toBeGreaterThan(100)
    expect(theirs.length).toBe(ours.length)
    ours.forEach((event, i) => {
      const { eventName, args } = theirs[i] as (typeof theirs)[number]
      expect(event?.kind).toBe(`${eventName[0]?.toLowerCase()}${eventName.slice(1)}`)
      for (const [field, value] of Object.entries(event ?? {})) {
        if (args[field] === undefined) continue
        expect(value, `${eventName}.${field}`).toEqual(
          typeof value === 'string' ? String(args[field]).toLowerCase() : args[field],
        )
      }
    })
  })
})

describe('any event', () => {
  const address = fc.bigInt({ min: 1n, max: 2n ** 160n - 1n }).map((n) => `0x${n.toString(16).padStart(40, '0')}` as Address)
  const int = (bits: number) => fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n })
  const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
  const tick = fc.integer({ min: -887_272, max: 887_271 })

  async function logOf(name: 'Swap' | 'Burn' | 'Collect' | 'Flash' | 'Mint', args: Record<string, unknown>): Promise<ChainLog> {
    const chain = new FakeChain()
    chain.mine([{ address: `0x${'cc'.repeat(20)}`, name, args }])
    const { logs } = await chain.readRange({ from: 1, to: 1, topics: indexedTopics, everyHeader: false })
    return logs[0] as ChainLog
  }

  it('keeps the sign and every digit of a swap', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          sender: address,
          recipient: address,
          amount0: int(256),
          amount1: int(256),
          liquidity: uint(128),
          tick,
        }),
        async (fields) => {
          const args = { ...fields, sqrtPriceX96: sqrtPriceX96AtTick(fields.tick) }
          expect(decodeLog(await logOf('Swap', args))).toMatchObject({ kind: 'swap', ...args })
        },
      ),
      { numRuns: 200 },
    ))

  it('tells burns, collects, mints and flashes apart', () =>
    fc.assert(
      fc.asyncProperty(
        address,
        tick,
        fc.integer({ min: 1, max: 887_272 }),
        uint(128),
        uint(128),
        uint(128),
        async (owner, tickLower, width, amount, amount0, amount1) => {
          const tickUpper = Math.min(887_272, tickLower + width)
          const range = { owner, tickLower, tickUpper, amount0, amount1 }
          const other = { sender: owner, recipient: owner }
          expect(decodeLog(await logOf('Mint', { ...range, ...other, amount }))).toMatchObject({ kind: 'mint', ...range, amount })
          expect(decodeLog(await logOf('Burn', { ...range, amount }))).toMatchObject({ kind: 'burn', ...range, amount })
          expect(decodeLog(await logOf('Collect', { ...range, ...other }))).toMatchObject({
            kind: 'collect',
            ...range,
            amount: undefined,
          })
          const flash = { ...other, amount0: amount, amount1: amount, paid0: amount0, paid1: amount1 }
          expect(decodeLog(await logOf('Flash', flash))).toMatchObject({ kind: 'flash', ...flash })
        },
      ),
      { numRuns: 100 },
    ))

  it('is none when its shape is another one: too few words, other topics, no topics', async () => {
    const args = {
      sender: `0x${'11'.repeat(20)}`,
      recipient: `0x${'22'.repeat(20)}`,
      amount0: 1n,
      amount1: -1n,
      sqrtPriceX96: 2n ** 96n,
      liquidity: 1n,
      tick: 0,
    }
    const log = await logOf('Swap', args)
    expect(decodeLog({ ...log, data: log.data.slice(0, -2) as `0x${string}` })).toBeUndefined()
    expect(decodeLog({ ...log, topics: log.topics.slice(0, 2) })).toBeUndefined()
    expect(decodeLog({ ...log, topics: [] })).toBeUndefined()
    expect(decodeLog({ ...log, data: '0x' })).toBeUndefined()
  })

  const words = (...values: bigint[]) =>
    `0x${values.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')).join('')}` as const
  /** A Swap with other data: amounts, price, liquidity and tick. */
  const swapWith = async (price: bigint, liquidity: bigint, tick: bigint) => {
    const parties = { sender: `0x${'11'.repeat(20)}`, recipient: `0x${'22'.repeat(20)}` }
    const args = { ...parties, amount0: 1n, amount1: -1n, sqrtPriceX96: 2n ** 96n, liquidity: 1n, tick: 0 }
    return { ...(await logOf('Swap', args)), data: words(1n, -1n, price, liquidity, tick) }
  }

  // MIN_SQRT_RATIO, MAX_SQRT_RATIO and the bounds of ticks of Uniswap's TickMath; 2^96 is the price of tick 0.
  it.each<[string, bigint, bigint, bigint]>([
    ['no price', 0n, 1n, 0n],
    ['a price under the lowest', 4_295_128_738n, 1n, -887_272n],
    ['the price over the highest', 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n, 1n, 887_272n],
    ['a tick above its price', 79_228_162_514_264_337_593_543_950_336n, 1n, 1n],
    ['a tick two under its price', 79_228_162_514_264_337_593_543_950_336n, 1n, -2n],
    ['a tick that is none', 79_228_162_514_264_337_593_543_950_336n, 1n, 887_273n],
    [
      'more liquidity than fits',
      79_228_162_514_264_337_593_543_950_336n,
      340_282_366_920_938_463_463_374_607_431_768_211_456n,
      0n,
    ],
  ])('with %s is none, and could be of no pool', async (_name, price, liquidity, tick) => {
    const log = await swapWith(price, liquidity, tick)
    expect(decodeLog(log)).toBeUndefined()
    expect(findImpossible(log)).toMatchObject({ kind: 'swap' })
  })

  it('at the price of a tick is at that tick, or came down to it and is at the one below', async () => {
    const [price, liquidity] = [79_228_162_514_264_337_593_543_950_336n, 340_282_366_920_938_463_463_374_607_431_768_211_455n]
    for (const tick of [0n, -1n]) expect(decodeLog(await swapWith(price, liquidity, tick))).toMatchObject({ tick: Number(tick) })
    expect(decodeLog(await swapWith(4_295_128_739n, 1n, -887_272n))).toMatchObject({ kind: 'swap' })
    expect(findImpossible(await swapWith(price, 1n, 0n))).toBeUndefined()
  })

  it.each<[string, number, number]>([
    ['no width', 60, 60],
    ['its ends the wrong way round', 120, 60],
    ['an end under the lowest tick', -887_273, 60],
    ['an end over the highest tick', 60, 887_273],
  ])('of a position with %s is none, and could be of no pool', async (_name, tickLower, tickUpper) => {
    const range = {
      owner: `0x${'11'.repeat(20)}`,
      sender: `0x${'11'.repeat(20)}`,
      tickLower,
      tickUpper,
      amount0: 1n,
      amount1: 1n,
    }
    for (const [name, more] of [
      ['Mint', { amount: 1n }],
      ['Burn', { amount: 1n }],
      ['Collect', { recipient: range.owner }],
    ] as const) {
      const log = await logOf(name, { ...range, ...more })
      expect(decodeLog(log)).toBeUndefined()
      expect(findImpossible(log)).toMatchObject({ tickLower, tickUpper })
    }
  })
})
