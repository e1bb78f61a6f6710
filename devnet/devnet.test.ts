import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, decodeFunctionResult, encodeFunctionData, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devnet, startDevnet } from './index.ts'
import { createRpc } from './rpc.ts'

const abi = parseAbi([
  'function symbol() view returns (string)',
  'function name() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function stakedBalance(address) view returns (uint256)',
  'function getPool(address, address, uint24) view returns (address)',
  'function getBlockNumber() view returns (uint256)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'struct Quote { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Quote) returns (uint256 amountOut, uint160, uint32, uint256)',
  'function trade(uint256[] words)',
  'function owner() view returns (address)',
  'function paymentAmount(address paymentToken) view returns (uint256)',
  'function remainingTime(address token) view returns (uint256)',
  'function approve(address spender, uint256 amount)',
  'struct Order { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Order)',
])
const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const networks = join(import.meta.dirname, '..', 'networks')
const readJson = (path: string) => JSON.parse(readFileSync(join(networks, path), 'utf8'))

type Log = { topics: string[]; transactionHash: string; blockNumber: string; data: string }
type Asset = { symbol: string; name: string; address: Address; decimals: number; supply: number; stakingContract?: Address }

let devnet: Devnet
let startMs: number

beforeAll(async () => {
  const before = Date.now()
  devnet = await startDevnet({ history: 'short', live: false })
  startMs = Date.now() - before
})
afterAll(() => devnet.stop())

async function call(to: Address, functionName: string, args: readonly unknown[] = []): Promise<unknown> {
  const data = encodeFunctionData({ abi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
  const answer = await devnet.rpc<`0x${string}`>('eth_call', [{ to, data }, 'latest'])
  return decodeFunctionResult({ abi, functionName, data: answer } as Parameters<typeof decodeFunctionResult>[0])
}
const readTick = async (pool: Address) => ((await call(pool, 'slot0')) as [bigint, number])[1]
const headNumber = async () => Number(await devnet.rpc<string>('eth_blockNumber'))
const mainPool = () => devnet.pools[0]?.address as Address

test('a short chain is there within 20 seconds on a busy machine, its head at the present', async () => {
  expect(startMs).toBeLessThan(20_000)
  const head = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  expect(Date.now() / 1_000 - Number(head.timestamp)).toBeLessThan(70)
})

test('a fresh chain has exactly the contracts that the committed network files name', async () => {
  const network = readJson('devnet.json')
  expect(network.dex.factory).toBe(devnet.contracts.factory)
  for (const asset of readJson('lists/devnet/assets.json') as Asset[]) {
    expect(await call(asset.address, 'symbol')).toBe(asset.symbol)
    expect(await call(asset.address, 'name')).toBe(asset.name)
    expect(await call(asset.address, 'decimals')).toBe(asset.decimals)
    expect(await call(asset.address, 'totalSupply')).toBe(BigInt(asset.supply) * 10n ** BigInt(asset.decimals))
  }
  expect(await call(network.wrappedNative.address, 'symbol')).toBe('WEMB')
  expect(await call(network.usdc.address, 'decimals')).toBe(6)
  expect(network.boost.address).toBe(devnet.contracts.boost)
  expect(await call(network.boost.address, 'owner')).toBe(devnet.accounts[0]?.address)
  expect(await call(network.boost.address, 'paymentAmount', [network.usdc.address])).toBe(25_000_000n)
})

test('every pool is the one the factory knows for its tokens and fee, and has liquidity', async () => {
  const known = await Promise.all(
    devnet.pools.map((pool) => call(devnet.contracts.factory, 'getPool', [pool.token0, pool.token1, pool.feeTier])),
  )
  expect(known).toEqual(devnet.pools.map((pool) => pool.address))
  expect(devnet.pools).toHaveLength(17)
  for (const pool of devnet.pools) expect(await call(pool.address, 'liquidity')).toBeGreaterThan(0n)
})

test('the demo user has coins, USDC, tokens and two stakes', async () => {
  const user = devnet.accounts.find((account) => account.role === 'demo')?.address
  const token = (symbol: string) => devnet.tokens.find((one) => one.symbol === symbol)
  expect(BigInt(await devnet.rpc<string>('eth_getBalance', [user, 'latest']))).toBe(42n * 10n ** 18n)
  expect(await call(token('USDC')?.address as Address, 'balanceOf', [user])).toBe(25_000_000_000n)
  expect(await call(token('LNTN')?.address as Address, 'balanceOf', [user])).toBe(30_000_000_000n)
  expect(await call(token('CNDR')?.stakingContract as Address, 'stakedBalance', [user])).toBe(1_200n * 10n ** 18n)
  expect(await call(token('HRBR')?.stakingContract as Address, 'stakedBalance', [user])).toBe(5n * 10n ** 18n)
})

test('a newcomer finds Orrery boosted for two days and Tidewater for one, paid by users', async () => {
  const find = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address as Address
  const hoursOf = async (symbol: string) =>
    Math.ceil(Number(await call(devnet.contracts.boost, 'remainingTime', [find(symbol)])) / 3_600)
  expect(await Promise.all(['ORRY', 'TIDE', 'CNDR'].map(hoursOf))).toEqual([48, 24, 0])
  expect(await call(find('USDC'), 'balanceOf', [devnet.contracts.boost])).toBe(75_000_000n)
  expect(await call(find('USDC'), 'balanceOf', [devnet.accounts[4]?.address])).toBe(9_950_000_000n)
})

test('Multicall3 and the quoter answer', async () => {
  expect(Number(await call(devnet.contracts.multicall3, 'getBlockNumber'))).toBe(await headNumber())
  const { token0, token1 } = devnet.pools[0] as Devnet['pools'][number]
  const [out] = (await call(devnet.contracts.quoter, 'quoteExactInputSingle', [
    { tokenIn: token1, tokenOut: token0, amountIn: 10n ** 18n, fee: 500, sqrtPriceLimitX96: 0n },
  ])) as [bigint]
  expect(Number(out) / 1e6).toBeGreaterThan(1_000)
  expect(Number(out) / 1e6).toBeLessThan(2_500)
})

test('a list of swaps looks like a market: many recipients, one transaction each in the last hours', async () => {
  const logs = await devnet.rpc<Log[]>('eth_getLogs', [
    { fromBlock: '0x0', toBlock: 'latest', address: mainPool(), topics: [swapTopic] },
  ])
  const last = logs.slice(-20)
  expect(new Set(last.map((log) => log.topics[2])).size).toBeGreaterThan(8)
  expect(new Set(last.map((log) => log.transactionHash)).size).toBeGreaterThan(9)
})

test('trade() mines one block in which each trade ends at its tick', async () => {
  const before = await headNumber()
  const target = (await readTick(mainPool())) + 150
  const { block } = await devnet.trade([
    { pool: mainPool(), toTick: target - 40 },
    { pool: mainPool(), toTick: target },
  ])
  expect(block).toBe(before + 1)
  expect(await headNumber()).toBe(block)
  expect(await readTick(mainPool())).toBe(target)
  await devnet.trade([{ pool: mainPool(), toTick: target - 150 }])
  expect(await readTick(mainPool())).toBe(target - 150)
})

test('trade() takes a time for its block', async () => {
  const head = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const seconds = Number(head.timestamp) + 7_200
  const { block } = await devnet.trade([{ pool: mainPool(), toTick: (await readTick(mainPool())) + 5 }], seconds)
  const mined = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', [numberToHex(block), false])
  expect(Number(mined.timestamp)).toBe(seconds)
})

test('a trade that cannot be done is an error, not a silence', async () => {
  const here = await readTick(mainPool())
  await devnet.trade([{ pool: mainPool(), toTick: here + 10 }])
  await expect(devnet.trade([{ pool: mainPool(), toTick: here + 10 }])).rejects.toThrow(
    'trade 0 of 1, in pool 0, failed on the chain',
  )
  await expect(devnet.trade([{ pool: devnet.contracts.factory, toTick: 0 }])).rejects.toThrow('is no pool of the devnet')
})

test("nobody but the makers can spend the market's holdings", async () => {
  const [admin] = devnet.accounts
  const data = encodeFunctionData({ abi, functionName: 'trade', args: [[1n]] })
  await expect(devnet.rpc('eth_call', [{ from: admin?.address, to: devnet.contracts.market, data }, 'latest'])).rejects.toThrow(
    /revert/,
  )
})

test.each([1, 2, 5, 11, 20])('a reorg of %i blocks undoes what they held and keeps the height', async (depth) => {
  const before = await readTick(mainPool())
  await devnet.trade([{ pool: mainPool(), toTick: before + 33 }])
  await devnet.mine(depth - 1)
  const height = await headNumber()
  const hash = async () =>
    (await devnet.rpc<{ hash: string }>('eth_getBlockByNumber', [numberToHex(height - depth + 1), false])).hash
  const oldHash = await hash()
  await devnet.reorg(depth)
  expect(await headNumber()).toBe(height)
  expect(await hash()).not.toBe(oldHash)
  expect(await readTick(mainPool())).toBe(before)
})

test("users' transactions are mined at once, also those that come while a block is being made", async () => {
  const from = devnet.accounts[2]?.address
  const send = () => devnet.rpc<string>('eth_sendTransaction', [{ from, to: devnet.accounts[3]?.address, value: '0x1' }])
  const here = await readTick(mainPool())
  const trades = Array.from({ length: 10 }, (_, place) => devnet.trade([{ pool: mainPool(), toTick: here + place + 1 }]))
  const hashes = [await send()]
  for (let count = 0; count < 20; count += 1) hashes.push(await send())
  await Promise.all(trades)
  const receipts = () =>
    Promise.all(hashes.map((hash) => devnet.rpc<{ status: string } | null>('eth_getTransactionReceipt', [hash])))
  await expect.poll(async () => (await receipts()).map((receipt) => receipt?.status)).toEqual(Array(21).fill('0x1'))
})

test('the demo user can sell USDC for wrapped coins through the router', async () => {
  const from = devnet.accounts[1]?.address as Address
  const { token0: usdc, token1: wrapped } = devnet.pools[0] as Devnet['pools'][number]
  const send = async (to: Address, data: string) => {
    // With gas to spare, as wallets add it: the first swap of a new second also writes the pool's oracle, which an estimate
    // made within the second of the block before does not count.
    const hash = await devnet.rpc<string>('eth_sendTransaction', [{ from, to, data, gas: '0x7a120' }])
    await expect.poll(() => devnet.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  }
  const before = (await call(wrapped, 'balanceOf', [from])) as bigint
  const router = devnet.contracts.swapRouter
  await send(usdc, encodeFunctionData({ abi, functionName: 'approve', args: [router, 150_000_000n] }))
  const order = {
    tokenIn: usdc,
    tokenOut: wrapped,
    fee: 500,
    recipient: from,
    deadline: 2n ** 40n,
    amountIn: 150_000_000n,
    amountOutMinimum: 1n,
    sqrtPriceLimitX96: 0n,
  }
  await send(router, encodeFunctionData({ abi, functionName: 'exactInputSingle', args: [order] }))
  const got = Number(((await call(wrapped, 'balanceOf', [from])) as bigint) - before) / 1e18
  expect(got).toBeGreaterThan(0.06)
  expect(got).toBeLessThan(0.15)
})

test('stop() may be called twice, and then nobody answers any more', async () => {
  const other = await startDevnet({ history: 'short', live: false })
  await Promise.all([other.stop(), other.stop()])
  await expect(other.rpc('eth_chainId')).rejects.toThrow(/ECONNREFUSED/)
  expect(await other.gone).toMatch(/^the node ended/)
})

test('a start that is called off leaves nothing running', async () => {
  const other = await startDevnet({ history: 'short', live: false })
  const port = Number(new URL(other.rpcUrl).port)
  await other.stop()
  const off = new AbortController()
  const onProgress = (text: string) => text.startsWith('market') && off.abort()
  const starting = startDevnet({ port, live: false, signal: off.signal, onProgress })
  await expect(starting).rejects.toThrow(/abort/)
  const rpc = createRpc(`http://127.0.0.1:${port}`)
  await expect(rpc.call('eth_chainId')).rejects.toThrow(/ECONNREFUSED/)
  rpc.close()
})

test('a port that is taken is named, and its owner is left in peace', async () => {
  const port = Number(new URL(devnet.rpcUrl).port)
  await expect(startDevnet({ port, history: 'short' })).rejects.toThrow(`port ${port} for the local chain cannot be used`)
  expect(await headNumber()).toBeGreaterThan(0)
})
