import { expect, test } from 'vitest'
import { poolAddresses } from './addresses.ts'
import { type Devnet, startDevnet } from './index.ts'
import type { Market } from './market.ts'
import { startLiveMarket } from './trade.ts'
import type { ChainWriter } from './writer.ts'

test('the live market mines swaps at the present, each trade its own transaction', async () => {
  const devnet = await startDevnet({ history: 'short' })
  try {
    const readHead = () =>
      devnet.rpc<{ number: string; timestamp: string; transactions: string[] }>('eth_getBlockByNumber', ['latest', false])
    const first = Number((await readHead()).number)
    await expect.poll(async () => Number((await readHead()).number), { timeout: 15_000 }).toBeGreaterThan(first + 2)
    const head = await readHead()
    expect(Date.now() / 1_000 - Number(head.timestamp)).toBeLessThan(4)
    const logs = await devnet.rpc<{ transactionHash: string }[]>('eth_getLogs', [
      { fromBlock: `0x${(first + 1).toString(16)}`, toBlock: 'latest', address: poolAddresses },
    ])
    const swaps = logs.length
    expect(swaps).toBeGreaterThan(2)
    expect(new Set(logs.map((log) => log.transactionHash)).size).toBeGreaterThan(swaps / 3)
  } finally {
    await devnet.stop()
  }
})

test('after a reorg of blocks that the market has seen, the time lost is filled at sane prices and trading continues', async () => {
  const told: string[] = []
  const devnet = await startDevnet({ history: 'short', onProgress: (text) => told.push(text) })
  try {
    const readHead = () => devnet.rpc<{ number: string; timestamp: string }>('eth_getBlockByNumber', ['latest', false])
    const first = Number((await readHead()).number)
    await expect.poll(async () => Number((await readHead()).number), { timeout: 15_000 }).toBeGreaterThan(first + 1)
    const before = await readSqrtPrices(devnet)
    await devnet.reorg(15)
    await expect.poll(() => told.filter((text) => text.startsWith('the market was stopped')), { timeout: 15_000 }).toHaveLength(1)
    await expect
      .poll(async () => Number((await readHead()).timestamp), { timeout: 15_000 })
      .toBeGreaterThan(Date.now() / 1_000 - 5)
    expect(told.filter((text) => text.includes('missed'))).toEqual([])
    const after = await readSqrtPrices(devnet)
    for (const [index, price] of after.entries()) expect(Math.abs(price / (before[index] ?? 0) - 1)).toBeLessThan(0.1)
  } finally {
    await devnet.stop()
  }
})

async function readSqrtPrices(devnet: Devnet): Promise<number[]> {
  const answers = await Promise.all(
    devnet.pools.map((pool) => devnet.rpc<string>('eth_call', [{ to: pool.address, data: '0x3850c7bd' }, 'latest'])),
  )
  return answers.map((answer) => Number(BigInt(answer.slice(0, 66))))
}

test('a failing node is reported, asked for its prices again and traded on', async () => {
  const problems: string[] = []
  let [resumed, mined] = [0, 0]
  const writer = {
    fillGap: async () => undefined,
    async mineNow() {
      mined += 1
      if (mined === 1) throw new Error('connection reset')
      return mined
    },
  } as unknown as ChainWriter
  const resume = async () => {
    resumed += 1
    return { next: () => [], usdOf: () => 1 } as Market
  }
  const live = startLiveMarket({ writer, resume, planGap: async () => [], onProblem: (text) => problems.push(text) })
  await expect.poll(() => mined, { timeout: 10_000 }).toBe(2)
  await live.stop()
  expect(problems).toEqual(['the live market missed a block: connection reset'])
  expect(resumed).toBe(2)
})
