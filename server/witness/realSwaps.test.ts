import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, createTickList, type Hex, sqrtPriceX96AtTick } from '@chainboard/core'
import { createRandom, type Devnet } from '@chainboard/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { decodePoolEvent, indexedTopics } from '../indexer/decodeLog.ts'
import { foldState } from '../indexer/foldEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { type WitnessedPool, witnessEvent } from './witnessEvent.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
})
afterAll(() => devnet.stop())

const artifact = JSON.parse(readFileSync(join(import.meta.dirname, '../../devnet/artifacts/DevTrader.json'), 'utf8'))
const tokenAbi = parseAbi(['function mint(address to, uint256 amount)'])
const poolAbi = parseAbi(['function setFeeProtocol(uint8 feeProtocol0, uint8 feeProtocol1)'])

async function send(from: Address, to: Address | undefined, data: Hex): Promise<{ status: string; contractAddress: Address }> {
  const hash = await devnet.rpc<Hex>('eth_sendTransaction', [{ from, ...(to ? { to } : {}), data, gas: '0x5f5e100' }])
  for (;;) {
    const receipt = await devnet.rpc<{ status: string; contractAddress: Address } | null>('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
  }
}

async function ask(to: Address, data: Hex): Promise<bigint[]> {
  const answer = await devnet.rpc<Hex>('eth_call', [{ to, data }, 'latest'])
  return (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

type Pool = Devnet['pools'][number]

/** Random acts around the price; now and then far away, or dust. */
function drawActs(random: () => number, price: bigint, tick: number, spacing: number, count: number) {
  const pick = (n: number) => Math.floor(random() * n)
  const snap = (t: number) => Math.round(t / spacing) * spacing
  return Array.from({ length: count }, () => {
    const zeroForOne = random() < 0.5
    const size = BigInt(Math.floor(10 ** (random() * 21)))
    const limitTick = tick + (zeroForOne ? -1 : 1) * pick(random() < 0.1 ? 200_000 : 4_000)
    const base = { zeroForOne, amount: 0n, limit: 0n, tickLower: 0, tickUpper: 0, liquidity: 0n }
    const kind = random()
    if (kind < 0.12) {
      const lower = snap(tick - pick(3_000))
      const liquidity = BigInt(Math.floor(10 ** (6 + random() * 12)))
      return { ...base, kind: kind < 0.08 ? 1 : 2, tickLower: lower, tickUpper: lower + spacing * (1 + pick(20)), liquidity }
    }
    if (kind < 0.16) return { ...base, kind: 3, amount: size / 1_000_000n, limit: BigInt(pick(5_000)) }
    const limit =
      random() < 0.3
        ? random() < 0.3
          ? sqrtPriceX96AtTick(snap(limitTick))
          : price + (zeroForOne ? -1n : 1n) * (price / BigInt(1 + pick(5_000)))
        : sqrtPriceX96AtTick(limitTick)
    return { ...base, kind: 0, amount: random() < 0.4 ? -size : size, limit }
  })
}

async function playOn(pool: Pool, seed: string, rounds: number) {
  const spacing = { 500: 10, 3000: 60, 10000: 200 }[pool.feeTier] as number
  const [deployer] = devnet.accounts.map(({ address }) => address) as [Address]
  const { contractAddress: trader } = await send(deployer, undefined, artifact.bytecode)
  for (const token of [pool.token0, pool.token1])
    await send(deployer, token, encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [trader, 10n ** 40n] }))
  const { next: random } = createRandom(seed)
  for (let round = 0; round < rounds; round += 1) {
    if (round % 4 === 1) {
      const args = round % 8 === 1 ? ([4, 7] as const) : ([0, 10] as const)
      const data = encodeFunctionData({ abi: poolAbi, functionName: 'setFeeProtocol', args })
      expect((await send(deployer, pool.address, data)).status).toBe('0x1')
    }
    const [price, tick] = (await ask(pool.address, '0x3850c7bd')) as [bigint, bigint]
    const acts = drawActs(random, price, Number(BigInt.asIntN(24, tick)), spacing, 60)
    const data = encodeFunctionData({ abi: artifact.abi, functionName: 'run', args: [pool.address, acts] })
    expect((await send(deployer, trader, data)).status).toBe('0x1')
  }
  return spacing
}

type PoolEvents = readonly Exclude<ReturnType<typeof decodePoolEvent>, undefined>[]
type Standing = WitnessedPool & typeof emptyPoolState

async function readEvents(pool: Pool): Promise<PoolEvents> {
  const chain = createViemChain([devnet.rpcUrl])
  const { number: to } = await chain.readHead()
  const address = pool.address.toLowerCase() as Address
  const { logs } = await chain.readRange({ from: 0, to, topics: indexedTopics, everyHeader: false, address })
  return logs.flatMap((log) => decodePoolEvent(log) ?? [])
}

/** The pool after its events, and the place of the first one that does not fit. */
function recompute(events: PoolEvents, fee: number, tickSpacing: number) {
  let pool: Standing = { ...emptyPoolState, feeGrowth0: 0n, feeGrowth1: 0n, feeProtocol: 0, fee, tickSpacing }
  const ticks = createTickList()
  let misfitAt: number | undefined
  events.forEach((event, i) => {
    if (event.kind === 'setFeeProtocol') {
      pool = { ...pool, feeProtocol: event.feeProtocol }
      return
    }
    const { misfit, ...growth } = witnessEvent(pool, ticks, event)
    if (misfit) misfitAt ??= i
    pool = { ...pool, ...foldState(pool, event), ...growth }
  })
  return { pool, misfitAt }
}

const standing = ({ sqrtPriceX96, tick, liquidity }: Standing) => [sqrtPriceX96, tick, liquidity].join()
const growth = ({ feeGrowth0, feeGrowth1 }: Standing) => [feeGrowth0, feeGrowth1].join()

/** Leaves out one event at a time. @returns how often each check is the first to notice */
function omitEach(events: PoolEvents, fee: number, tickSpacing: number, kinds: readonly string[]) {
  const whole = recompute(events, fee, tickSpacing).pool
  const counts = { atNextSwap: 0, later: 0, byPrice: 0, byGrowth: 0, never: 0 }
  events.forEach((event, i) => {
    if (!kinds.includes(event.kind) || i % 20 !== 0) return
    const { pool, misfitAt } = recompute(events.toSpliced(i, 1), fee, tickSpacing)
    const next = events.slice(i + 1).findIndex(({ kind }) => kind === 'swap') + i
    if (misfitAt !== undefined) counts[misfitAt <= next ? 'atNextSwap' : 'later'] += 1
    else if (standing(pool) !== standing(whole)) counts.byPrice += 1
    else if (growth(pool) !== growth(whole)) counts.byGrowth += 1
    else counts.never += 1
  })
  return counts
}

describe('what events say about a pool, against its real contract', () => {
  it.each([
    ['0.05 %', 'QUIL', 500],
    ['0.3 %', 'CNDR', 3000],
    ['1 %', 'VERD', 10000],
  ])(
    'thousands of swaps in a pool of %s: fee growth, price and liquidity to the last unit, and no misfit',
    { timeout: 240_000 },
    async (_name, base, feeTier) => {
      const pool = devnet.pools.find((each) => each.base === base && each.quote === 'USDC' && each.feeTier === feeTier) as Pool
      const spacing = await playOn(pool, `seed ${base}`, 40)
      const events = await readEvents(pool)
      const { pool: before, misfitAt } = recompute(events, feeTier, spacing)
      expect(misfitAt).toBeUndefined()
      const [price, tick] = (await ask(pool.address, '0x3850c7bd')) as [bigint, bigint]
      const [[liquidity], [growth0], [growth1]] = await Promise.all([
        ask(pool.address, '0x1a686502'),
        ask(pool.address, '0xf3058399'),
        ask(pool.address, '0x46141319'),
      ])
      expect(before).toMatchObject({
        sqrtPriceX96: price,
        tick: Number(BigInt.asIntN(24, tick as bigint)),
        liquidity,
        feeGrowth0: growth0,
        feeGrowth1: growth1,
      })
      expect(events.filter(({ kind }) => kind === 'swap').length).toBeGreaterThan(1_000)
      // Every single swap that is left out shows, and most at the very next one.
      const { never, ...noticed } = omitEach(events, feeTier, spacing, ['swap', 'flash'])
      expect(never).toBe(0)
      expect(noticed.atNextSwap).toBeGreaterThan(50)
    },
  )
})
