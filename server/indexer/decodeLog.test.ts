import type { Address } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import fc from 'fast-check'
import { parseAbi, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainLog } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { createViemChain } from '../chain/viemChain.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { decodeLog, indexedTopics } from './decodeLog.ts'

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
  const tick = fc.integer({ min: -887_272, max: 887_272 })

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
          sqrtPriceX96: uint(160),
          liquidity: uint(128),
          tick,
        }),
        async (args) => {
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
        tick,
        uint(128),
        uint(128),
        uint(128),
        async (owner, tickLower, tickUpper, amount, amount0, amount1) => {
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
      sqrtPriceX96: 5n,
      liquidity: 1n,
      tick: 0,
    }
    const log = await logOf('Swap', args)
    expect(decodeLog({ ...log, data: log.data.slice(0, -2) as `0x${string}` })).toBeUndefined()
    expect(decodeLog({ ...log, topics: log.topics.slice(0, 2) })).toBeUndefined()
    expect(decodeLog({ ...log, topics: [] })).toBeUndefined()
    expect(decodeLog({ ...log, data: '0x' })).toBeUndefined()
  })
})
