import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, createTickList, type Hex, sqrtPriceX96AtTick } from '@chainboard/core'
import { createRandom, type Devnet, startDevnet } from '@chainboard/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { decodeLog, indexedTopics } from '../indexer/decodeLog.ts'
import { foldState } from '../indexer/foldEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { type WitnessedPool, witnessEvent } from './witnessEvent.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ history: 'short', live: false })
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

async function recompute(pool: Pool, spacing: number) {
  const chain = createViemChain([devnet.rpcUrl])
  const { number: to } = await chain.readHead()
  const address = pool.address.toLowerCase() as Address
  const { logs } = await chain.readRange({ from: 0, to, topics: indexedTopics, everyHeader: false, address })
  let before: WitnessedPool & typeof emptyPoolState = {
    ...emptyPoolState,
    ...{ feeGrowth0: 0n, feeGrowth1: 0n, feeProtocol: 0, fee: pool.feeTier, tickSpacing: spacing },
  }
  const ticks = createTickList()
  const counts: Record<string, number> = {}
  const misfits: unknown[] = []
  for (const log of logs) {
    const event = decodeLog(log)
    if (!event || event.kind === 'poolCreated') continue
    counts[event.kind] = (counts[event.kind] ?? 0) + 1
    if (event.kind === 'setFeeProtocol') {
      before = { ...before, feeProtocol: event.feeProtocol }
      continue
    }
    const { misfit, ...growth } = witnessEvent(before, ticks, event)
    if (misfit) misfits.push([misfit, event, before])
    before = { ...before, ...foldState(before, event), ...growth }
  }
  return { before, counts, misfits, ticks }
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
      const { before, counts, misfits } = await recompute(pool, spacing)
      console.log(counts)
      expect(misfits).toEqual([])
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
      expect(counts['swap']).toBeGreaterThan(1_000)
    },
  )
})
