import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure, token1Price } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { readHourRows } from './hourRow.ts'
import { readPoolRows } from './poolRow.ts'
import { compareSwaps, readSwapRows } from './swapRow.ts'

const dataDir = resolve(import.meta.dirname, '../../../../shared/data/subgraph')
const q96 = 2n ** 96n
const address = (byte: string) => `0x${byte.repeat(20)}`

const usdcWeth = { id: address('AB'), token0: { decimals: '6' }, token1: { decimals: '18' } }

const hour = {
  id: 'x',
  periodStartUnix: 3_600,
  sqrtPrice: `${20_000n * q96}`,
  open: '2500',
  high: '10000',
  low: '625',
  volumeToken0: '12.5',
  volumeToken1: '0.005',
  volumeUSD: '0',
  txCount: '3',
  pool: usdcWeth,
}

describe('an hour row', () => {
  it('has token0Prices, of which the highest is the lowest root', () =>
    expect(readHourRows([hour])).toEqual([
      {
        pool: address('ab'),
        startSeconds: 3_600,
        sqrtPriceX96: 20_000n * q96,
        open: 20_000n * q96,
        isOpenKnown: true,
        high: 40_000n * q96,
        low: 10_000n * q96,
        volume0: 12_500_000n,
        volume1: 5n * 10n ** 15n,
        swapCount: 3,
      },
    ]))

  it('counts no swaps where nothing was traded', () =>
    expect(readHourRows([{ ...hour, volumeToken0: '0', volumeToken1: '0' }])[0]?.swapCount).toBe(0))

  it("says 0 for the open of a pool's first hour, which is no price", () => {
    const [first] = readHourRows([{ ...hour, open: '0', low: '0' }])
    expect(first).toMatchObject({ isOpenKnown: false, open: 20_000n * q96, high: 20_000n * q96, low: 10_000n * q96 })
  })

  it('takes numbers for texts and texts for numbers', () =>
    expect(readHourRows([{ ...hour, periodStartUnix: '3600', volumeToken0: 12.5, txCount: 3 }])).toEqual(readHourRows([hour])))

  it.each([1e21, -1e21, 2 ** 53])('is wrong with the number %d, whose digits are lost', (sqrtPrice) => {
    expect(() => readHourRows([{ ...hour, sqrtPrice }])).toThrow(
      expect.objectContaining({ name: 'Failure', code: 'upstream-invalid' }),
    )
  })

  it('is left out when its tokens cannot be counted', () => {
    const hostile = ['2147483647', '-5', 'x', null].map((decimals) => ({ ...hour, pool: { ...usdcWeth, token1: { decimals } } }))
    expect(readHourRows([...hostile, hour]).length).toBe(1)
  })

  it('of another form is refused, and the field named', () => {
    const read = () => readHourRows([{ ...hour, sqrtPrice: 'NaN' }])
    expect(read).toThrow(Failure)
    expect(read).toThrow(expect.objectContaining({ code: 'upstream-invalid' }))
    try {
      read()
    } catch (error) {
      expect(JSON.stringify((error as Failure).detail)).toContain('/0/sqrtPrice')
    }
  })

  it('is not worked out when it holds a number too long to be one', () =>
    expect(() => readHourRows([{ ...hour, volumeToken0: '1'.repeat(100_000) }])).toThrow(Failure))
})

describe('a pool row', () => {
  const token = (byte: string, decimals: string) => ({ id: address(byte), symbol: byte, decimals })
  const pool = {
    id: address('A1'),
    feeTier: '3000',
    liquidity: '1000000000000000000000000',
    sqrtPrice: '79228162514264337593543950336',
    totalValueLockedToken0: '-0.5',
    totalValueLockedToken1: '0.4670000000000000000000001',
    volumeToken0: '0.5',
    txCount: '12',
    createdAtTimestamp: '99',
    token0: token('10', '6'),
    token1: token('20', '18'),
  }

  it('is as deep as its liquidity in smallest units, as what is locked, and never below zero', () =>
    expect(readPoolRows([pool])).toMatchObject([
      {
        address: address('a1'),
        fee: 3_000,
        depth0: 0n,
        depth1: 467n * 10n ** 15n,
        createdAtSeconds: 99,
        txCount: 12,
        hasTraded: true,
      },
    ]))

  it('has not traded before its first volume', () =>
    expect(readPoolRows([{ ...pool, volumeToken0: '0' }])).toMatchObject([{ hasTraded: false }]))

  it('is left out before it was opened', () => expect(readPoolRows([{ ...pool, sqrtPrice: '0' }])).toEqual([]))

  it('keeps a token with impossible decimals, uncounted', () =>
    expect(readPoolRows([{ ...pool, token0: token('10', '99999999') }])[0]?.tokens[0].decimals).toBeUndefined())
})

describe('a swap row', () => {
  const swap = {
    timestamp: '1',
    sender: address('01'),
    recipient: address('02'),
    amount0: '1',
    amount1: '-1',
    sqrtPriceX96: '5',
    transaction: { id: `0x${'AA'.repeat(32)}`, blockNumber: '9' },
    pool: usdcWeth,
  }

  it.each([
    [{ id: '0xaa-4', logIndex: '17' }, 17],
    [{ id: '0xaa-4', logIndex: 17 }, 17],
    [{ id: '0xaa-4', logIndex: null }, 4],
    [{ id: '0xaa#119' }, 119],
    [{ id: '0xaabb' }, 0],
  ])('%j stands at %d', (own, logIndex) => expect(readSwapRows([{ ...swap, ...own }])[0]?.logIndex).toBe(logIndex))

  it('is put into the order of the chain', () => {
    const swaps = readSwapRows([
      { ...swap, id: '0x#10' },
      { ...swap, id: '0x#9' },
      { ...swap, id: '0x#1', timestamp: '2' },
    ])
    expect(swaps.sort(compareSwaps).map(({ logIndex }) => logIndex)).toEqual([9, 10, 1])
  })
})

type Recorded = { data: { pool: { id: string; swaps: Record<string, unknown>[] } } }

describe.skipIf(!existsSync(dataDir))('recorded rows', () => {
  const readJson = <T>(name: string) => JSON.parse(readFileSync(resolve(dataDir, name), 'utf8')) as T

  it('of swaps in the older style of ids are read to the last unit', () => {
    const { pool } = readJson<Recorded>('swaps.json').data
    const swaps = readSwapRows(pool.swaps.map((swap) => ({ ...swap, pool: { ...usdcWeth, id: pool.id } })))
    expect(swaps.length).toBe(100)
    expect(swaps[0]).toEqual({
      pool: '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
      txHash: '0x0804ff007263a885191f23c808a9346e62d502a1fc23be82eb14052408d76ae2',
      blockNumber: 12_376_891,
      logIndex: 2,
      timestampSeconds: 1_620_252_901,
      sender: '0xe592427a0aece92de3edee1f18e0157c05861564',
      recipient: '0xe592427a0aece92de3edee1f18e0157c05861564',
      amount0: -119_744_094n,
      amount1: 35_000_000_000_000_000n,
      sqrtPriceX96: 1_358_206_768_703_179_146_794_161_129_278_934n,
    })
  })

  it('of two swaps of one block come in the order of their hashes, and are put into that of the chain', () => {
    const { pool } = readJson<Recorded>('swaps.json').data
    const swaps = readSwapRows(pool.swaps.map((swap) => ({ ...swap, pool: { ...usdcWeth, id: pool.id } })))
    const ofBlock = ({ blockNumber }: (typeof swaps)[number]) => blockNumber === 12_378_630
    expect(swaps.filter(ofBlock).map(({ logIndex }) => logIndex)).toEqual([114, 113])
    // Both sold WETH: the root rises with the first and rises further with the second.
    const sorted = swaps.toSorted(compareSwaps).filter(ofBlock)
    expect(sorted.map(({ sqrtPriceX96 }) => sqrtPriceX96)).toEqual([
      1_340_925_577_532_545_254_270_432_592_280_808n,
      1_342_541_746_266_533_173_217_933_038_941_839n,
    ])
  })

  it('of a swap show the trap: one USDC (token0) costs what token1Price says, about 0.0003 WETH', () => {
    const { pool } = readJson<Recorded>('swaps.json').data
    const [swap] = readSwapRows(pool.swaps.slice(0, 1).map((row) => ({ ...row, pool: { ...usdcWeth, id: pool.id } })))
    const { numerator, denominator } = token1Price({ sqrtPriceX96: swap?.sqrtPriceX96 ?? 0n, decimals0: 6, decimals1: 18 })
    // The swap itself: 0.035 WETH for 119.744094 USDC is 0.00029229 WETH each, the fee of 0.05 % aside.
    expect(Number((numerator * 10n ** 18n) / denominator) / 1e18).toBeCloseTo(0.000294, 5)
  })

  it('of days have decimals of up to 34 digits that are numbers here', () => {
    const { poolDayDatas } = readJson<{ poolDayDatas: { date: number; volumeUSD: string; tvlUSD: string; feesUSD: string }[] }>(
      'poolDayDatas.json',
    )
    const hours = poolDayDatas.map(({ date, volumeUSD, tvlUSD }) => ({
      ...hour,
      periodStartUnix: date,
      volumeToken0: volumeUSD,
      volumeToken1: tvlUSD,
    }))
    const read = readHourRows(hours)
    expect(read.length).toBe(208)
    expect(read[0]).toMatchObject({
      startSeconds: 1_636_761_600,
      volume0: 451_384_631_773n,
      volume1: 196_699_286_342_662_913_455_987n,
    })
  })
})
