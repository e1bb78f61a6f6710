import type { Address, Hex } from '@chainboard/core'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { decodeFunctionResult, encodeFunctionData, parseAbi, RpcRequestError, toEventSelector } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpNode } from '../chain/httpNode.ts'
import type { RpcNode } from '../chain/rpcNode.ts'
import { createNodeChain } from '../chain/viemChain.ts'
import { followChain } from '../indexer/followChain.ts'
import { pause } from '../pause.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { followingDefaults, limitDefaults, strictLog, witnessDefaults } from '../testing/following.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createWitness } from './createWitness.ts'

const stores = createTempStores()
let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ history: 'short', live: false })
})
afterAll(() => devnet.stop())

const abi = parseAbi([
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function mint(Mint params) returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'function decreaseLiquidity(Decrease params)',
  'function collect(Collect params)',
  'function transfer(address to, uint256 amount)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
])
const topics = {
  mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  burn: toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)'),
  collect: toEventSelector('Collect(address,address,int24,int24,uint128,uint128)'),
}
const deadline = 2n ** 40n
const from = () => devnet.accounts[0]?.address as Address
const manager = () => devnet.contracts.positionManager
/** 0.3 % of the coin in dollars, so that ticks are 60 apart. */
const pool = () => devnet.pools[1]?.address as Address

async function send(to: Address, data: Hex): Promise<void> {
  await devnet.rpc('eth_sendTransaction', [{ from: from(), to, data, gas: '0x989680' }])
  await devnet.mine()
}

const ask = (to: Address, data: Hex) => devnet.rpc<Hex>('eth_call', [{ from: from(), to, data }, 'latest'])

const tokenOf = async (functionName: 'token0' | 'token1') =>
  decodeFunctionResult({ abi, functionName, data: await ask(pool(), encodeFunctionData({ abi, functionName })) })

/** Liquidity so far above the price that it is token0 alone, and no swap gets there. */
async function mintAway(tickLower: number): Promise<{ tokenId: bigint; liquidity: bigint }> {
  const [token0, token1] = [await tokenOf('token0'), await tokenOf('token1')]
  const amounts = { amount0Desired: 1_000n, amount1Desired: 0n, amount0Min: 0n, amount1Min: 0n }
  const range = { fee: 3_000, tickLower, tickUpper: tickLower + 60 }
  const params = { token0, token1, ...range, ...amounts, recipient: from(), deadline }
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [params] })
  const [tokenId, liquidity] = decodeFunctionResult({ abi, functionName: 'mint', data: await ask(manager(), data) })
  await send(manager(), data)
  return { tokenId, liquidity }
}

const burnAway = ({ tokenId, liquidity }: { tokenId: bigint; liquidity: bigint }) => {
  const params = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline }
  return send(manager(), encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [params] }))
}

const collectAll = (tokenId: bigint) => {
  const params = { tokenId, recipient: from(), amount0Max: 2n ** 128n - 1n, amount1Max: 2n ** 128n - 1n }
  return send(manager(), encodeFunctionData({ abi, functionName: 'collect', args: [params] }))
}

const refusal = (code: number, message: string) =>
  new RpcRequestError({ body: {}, error: { code, message }, url: 'http://node.invalid' })

type RpcLog = { topics: Hex[]; blockNumber: Hex }
type Options = {
  readonly omit?: (log: RpcLog) => boolean
  readonly bend?: (method: string, params: unknown, result: unknown) => unknown
}

/** Follows a node without blooms whose logs lack what `omit` names, in every answer; its receipts and contracts are whole. */
async function follow({ omit = () => false, bend = (_method, _params, result) => result }: Options = {}) {
  const real = createHttpNode(devnet.rpcUrl)
  const node: RpcNode = {
    request: async (method, params) => {
      const result = bend(method, params, await real.request(method, params))
      if (method === 'eth_getBlockByNumber') return { ...(result as object), logsBloom: undefined }
      return method === 'eth_getLogs' ? (result as RpcLog[]).filter((log) => !omit(log)) : result
    },
  }
  const store = await stores.openNew('sqlite')
  const chain = createNodeChain([node])
  const factory = devnet.contracts.factory.toLowerCase() as Address
  const warned: string[] = []
  let nowMs = Date.now()
  const witness = createWitness({
    ...witnessDefaults,
    nodes: [createNodeChain([node])],
    store,
    factory,
    multicall: devnet.contracts.multicall3.toLowerCase() as Address,
    log: { info: () => undefined, warn: (_facts, text) => void warned.push(text) },
    forward: chain.forward,
    // Every question takes a second of this clock.
    nowMs: () => (nowMs += 1_000),
  })
  const usdc = devnet.tokens.find(({ symbol }) => symbol === 'USDC')?.address.toLowerCase() as Address
  const follower = followChain({
    ...followingDefaults,
    chain,
    store,
    log: { ...strictLog, info: () => undefined, warn: () => undefined },
    pause: (_ms, signal) => pause(1, signal),
    limits: { ...limitDefaults, startBlock: 0, confirmations: 16, pollMs: 1, spanMax: 10_000 },
    scope: {
      factory,
      onlyTokens: undefined,
      valuation: { stables: [usdc], wrappedNative: usdc, depthFloorUsdE18: 0n, quotes: [], windowSeconds: 600 },
    },
    onChange: () => undefined,
    witness,
  })
  /** Every pool was compared at the chain's head, so often since now. */
  const looksAtHead = async (looks: number) => {
    const head = await headNumber()
    const seen = new Set<number | undefined>()
    const { checkedAtMs } = witness.status()
    await until(() => {
      const status = witness.status()
      if (status.verifiedBlock === head && status.checkedAtMs !== checkedAtMs) seen.add(status.checkedAtMs)
      return seen.size >= looks
    })
  }
  const isWell = () => {
    const { suspects, doubts, wrongBlock } = witness.status()
    return suspects === 0 && doubts.length === 0 && wrongBlock === undefined
  }
  const end = async () => {
    await follower.stop()
    await witness.stop()
    return dumpIndex(store)
  }
  return { witness, warned, looksAtHead, isWell, end }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5, new AbortController().signal)
}

const headNumber = async () => Number(await devnet.rpc<Hex>('eth_blockNumber'))

async function truth() {
  const followed = await follow()
  await followed.looksAtHead(1)
  return followed.end()
}

it.each([
  ['a mint', 'mint', 500_040],
  ['a burn', 'burn', 510_000],
  ['a collect', 'collect', 520_020],
] as const)(
  '%s away from the price that a node leaves out of every answer is seen at its contracts, and repaired',
  async (_name, kind, tick) => {
    const position = kind === 'mint' ? undefined : await mintAway(tick)
    if (kind === 'collect' && position) await burnAway(position)
    const before = await headNumber()
    let isLying = true
    const followed = await follow({
      omit: (log) => isLying && Number(log.blockNumber) > before && log.topics[0] === topics[kind],
    })
    await followed.looksAtHead(1)
    if (!position) await mintAway(tick)
    else if (kind === 'burn') await burnAway(position)
    else await collectAll(position.tokenId)
    await until(() => followed.witness.status().repairs > 0)
    isLying = false
    await until(followed.isWell)
    await followed.looksAtHead(1)
    expect(await followed.end()).toEqual(await truth())
  },
)

it('a mint that was left out long ago, of a node that keeps no old states: doubted, and repaired when the node tells of it', async () => {
  const before = await headNumber()
  await mintAway(530_040)
  await devnet.mine(60)
  let isLying = true
  const isOld = (params: unknown) => {
    const [, at] = params as [unknown, unknown]
    return typeof at === 'string' && Number(at) < before + 50
  }
  const followed = await follow({
    omit: (log) => isLying && Number(log.blockNumber) === before + 1,
    bend: (method, params, result) => {
      if (method === 'eth_call' && isOld(params)) throw refusal(-32_000, 'missing trie node')
      return result
    },
  })
  await until(() => followed.witness.status().doubts.length > 0 || false)
  expect(followed.witness.status().doubts).toMatchObject([{ pool: pool().toLowerCase(), what: 'ticks' }])
  isLying = false
  await until(followed.isWell)
  await followed.looksAtHead(1)
  expect(await followed.end()).toEqual(await truth())
})

it('gifts to pools are no doubt, and what moves without an event is looked at ever more seldom', async () => {
  const followed = await follow()
  await followed.looksAtHead(2)
  for (let gift = 1n; gift <= 4n; gift += 1n) {
    await send(await tokenOf('token1'), encodeFunctionData({ abi, functionName: 'transfer', args: [pool(), gift] }))
    await followed.looksAtHead(2)
  }
  await followed.looksAtHead(10)
  expect(followed.witness.status()).toMatchObject({ suspects: 0, doubts: [], repairs: 0, wrongBlock: undefined, quirks: [] })
  expect(followed.warned).toEqual([])
  await followed.end()
})

it.each([
  ['answer with other figures', (word: string) => `${word.slice(0, -1)}${word.endsWith('7') ? '8' : '7'}`],
  ['have no such functions', () => undefined],
])('pools of a chain whose ticks %s are no doubt: it is a quirk', async (_name, change) => {
  const followed = await follow({
    bend: (method, params, result) => {
      const [call] = params as [{ to: string; data: string }]
      if (method !== 'eth_call') return result
      // No multicall, so that each question is one of its own.
      if (call.to === devnet.contracts.multicall3.toLowerCase()) return '0x'
      if (!/^0x(f30dba93|5339c296)/.test(call.data)) return result
      const changed = change(String(result).slice(0, 66))
      if (changed === undefined) throw refusal(3, 'execution reverted')
      return `${changed}${String(result).slice(66)}`
    },
  })
  await until(() => followed.witness.status().quirks.length > 0)
  expect(followed.witness.status()).toMatchObject({ suspects: 0, doubts: [], repairs: 0, wrongBlock: undefined })
  expect(followed.warned).toEqual([])
  await followed.end()
})
