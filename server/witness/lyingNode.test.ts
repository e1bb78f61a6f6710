import type { Address, Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { encodeFunctionData, pad, parseAbi, toEventSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpNode, type RpcNode } from '../chain/httpNode.ts'
import { createNodeChain } from '../chain/viemChain.ts'
import { decodeCreation, decodePoolEvent, indexedTopics } from '../indexer/decodeLog.ts'
import { type Follower, followChain } from '../indexer/followChain.ts'
import { revalueHour } from '../indexer/revalue.ts'
import { pause } from '../pause.ts'
import type { Store } from '../store/store.ts'
import { listUnconfirmedTokens } from '../store/tokens.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { followingDefaults, limitDefaults, strictLog } from '../testing/following.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createWitness, type Witness } from './createWitness.ts'

const stores = createTempStores()
const quiet = { info: () => undefined, warn: () => undefined }
let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
})
afterAll(() => devnet.stop())

type RpcLog = { address: string; topics: Hex[]; data: Hex; blockNumber: Hex; logIndex: Hex; removed?: boolean }
/** Whether a log is left out of an answer; told which answer of the node to `eth_getLogs` it is. */
type Omit = (log: RpcLog, answer: number) => boolean

/** The real node, but for the logs that it leaves out; its receipts and contracts are whole. */
function omitting(omit: Omit, { blooms = true } = {}): RpcNode & { omitted: number } {
  const real = createHttpNode(devnet.rpcUrl)
  let answers = 0
  const node = {
    omitted: 0,
    request: async (method: string, params: unknown) => {
      const result = await real.request(method, params)
      if (method === 'eth_getBlockByNumber' && !blooms) return { ...(result as object), logsBloom: undefined }
      if (method !== 'eth_getLogs') return result
      answers += 1
      const kept = (result as RpcLog[]).filter((log) => !omit(log, answers))
      node.omitted += (result as RpcLog[]).length - kept.length
      return kept
    },
  }
  return node
}

/** A node that has not got the last 5 blocks yet, whenever `isBehind`: it has no answer for their hashes, and empty ranges. */
function lagging(isBehind: () => boolean): RpcNode {
  const real = createHttpNode(devnet.rpcUrl)
  return {
    request: async (method, params) => {
      const behind = isBehind()
      const [first] = params as [never]
      if (!behind) return real.request(method, params)
      const head = (await headNumber()) - 5
      if (method === 'eth_getBlockByNumber') {
        if (first === 'latest') return real.request(method, [`0x${head.toString(16)}`, false])
        return Number(first) > head ? null : real.request(method, params)
      }
      const logs = await real.request(method, params)
      if (method !== 'eth_getLogs') return logs
      const known = (logs as RpcLog[]).filter(({ blockNumber }) => Number(blockNumber) <= head)
      const { blockHash } = first as { blockHash?: string }
      const block = blockHash && (await devnet.rpc<{ number: Hex }>('eth_getBlockByHash', [blockHash, false]))
      if (block && Number(block.number) > head) throw Object.assign(new Error('unknown block'), { code: -32_000 })
      return known
    },
  }
}

const honest = () => createHttpNode(devnet.rpcUrl)
const factory = () => devnet.contracts.factory.toLowerCase() as Address
const usdc = () => devnet.tokens.find(({ symbol }) => symbol === 'USDC')?.address.toLowerCase() as Address

const valuation = () => ({ stables: [usdc()], wrappedNative: usdc(), quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 })

type Followed = { readonly store: Store; readonly follower: Follower; readonly witness: Witness; end(): Promise<void> }

type Options = { readonly withWitness?: boolean; readonly startBlock?: number; readonly onWarn?: (text: string) => void }

async function follow(nodes: readonly RpcNode[], options: Options = {}): Promise<Followed> {
  const { withWitness = true, startBlock = 0, onWarn = () => undefined } = options
  const store = await stores.openNew('sqlite')
  const chain = createNodeChain(nodes)
  let nowMs = Date.now()
  const witness = createWitness({
    reorgDepthMax: 64,
    nodes: nodes.map((node) => createNodeChain([node])),
    store,
    topics: indexedTopics,
    decode: decodePoolEvent,
    decodeCreation,
    startBlock,
    factory: factory(),
    wants: () => true,
    isListed: () => true,
    multicall: devnet.contracts.multicall3.toLowerCase() as Address,
    log: { ...quiet, warn: (_facts, text) => onWarn(text) },
    forward: chain.forward,
    distrust: chain.distrust,
    // Every question takes a second of this clock.
    nowMs: () => (nowMs += 1_000),
  })
  const follower = followChain({
    ...followingDefaults,
    chain,
    store,
    log: { ...strictLog, ...quiet },
    pause: (_ms, signal) => pause(1, signal),
    limits: { ...limitDefaults, startBlock, confirmations: 16, pollMs: 1, spanMax: 10_000 },
    scope: {
      factory: factory(),
      onlyTokens: undefined,
      valuation: valuation(),
    },
    onChange: () => undefined,
    ...(withWitness ? { witness } : {}),
  })
  const end = async () => {
    await follower.stop()
    await witness.stop()
  }
  return { store, follower, witness, end }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5, new AbortController().signal)
}

async function headNumber(): Promise<number> {
  return Number(await devnet.rpc<Hex>('eth_blockNumber'))
}

const isAtHead = async ({ follower }: Followed) => follower.status().cursor?.number === (await headNumber())

async function truth() {
  const followed = await follow([honest()], { withWitness: false })
  await until(() => isAtHead(followed))
  await followed.end()
  return dumpIndex(followed.store)
}

let toTick = 200_500
/** Trades in the main pool, a block each. */
async function trade(blocks: number): Promise<number> {
  const pool = devnet.pools[0]?.address as Address
  let block = 0
  for (let i = 0; i < blocks; i += 1) {
    toTick += 7
    block = (await devnet.trade([{ pool, toTick }])).block
  }
  return block
}

const collectTopic = toEventSelector('Collect(address,address,int24,int24,uint128,uint128)')

/** A liquidity provider takes his fees out of a pool, which changes neither its price nor its liquidity. */
async function collectNothingAndTrade(): Promise<void> {
  const pool = devnet.pools[1]?.address as Address
  const from = devnet.accounts[0]?.address
  const data = encodeFunctionData({
    abi: parseAbi(['function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0, uint128 amount1)']),
    args: [from as Address, -60, 60, 1n, 1n],
  })
  await devnet.rpc('eth_sendTransaction', [{ from, to: pool, data, gas: '0x989680' }])
  await devnet.mine()
}

const isOf = (block: number) => (log: RpcLog) => Number(log.blockNumber) === block

describe('a node that leaves out logs', () => {
  beforeEach(() => trade(2))

  it('honest nodes are never doubted, and every pool is verified', async () => {
    const followed = await follow([honest(), honest()])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock !== undefined)
    await trade(3)
    const head = await headNumber()
    await until(() => followed.witness.status().verifiedBlock === head)
    await followed.end()
    expect(followed.witness.status()).toMatchObject({ doubts: [], repairs: 0, unverifiable: 0, trouble: undefined })
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('once, of the newest block: seen by the contract, and read again', async () => {
    let isLying = false
    let lieFrom = Number.MAX_SAFE_INTEGER
    const followed = await follow([omitting((log) => isLying && Number(log.blockNumber) >= lieFrom, { blooms: false })])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock !== undefined)
    lieFrom = (await headNumber()) + 1
    isLying = true
    await trade(1)
    await until(() => isAtHead(followed))
    isLying = false
    await until(() => followed.witness.status().repairs === 1)
    const head = await headNumber()
    await until(() => followed.witness.status().verifiedBlock === head)
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('in the middle of what was synced: the next swap of that pool does not fit, and the hole is found', async () => {
    const hidden = await trade(1)
    await trade(3)
    let isLying = true
    const followed = await follow([omitting((log) => isLying && isOf(hidden)(log))])
    await until(() => followed.follower.status().trouble !== undefined)
    expect(followed.follower.status().trouble?.text).toContain('leave something out: swap of pool')
    expect(followed.follower.status().cursor?.number ?? 0).toBeLessThan(hidden + 1)
    isLying = false
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('always, while another node does not: the other one is asked, without a person', async () => {
    const hidden = await trade(1)
    const last = await trade(3)
    const liar = omitting((log) => isOf(hidden)(log) || isOf(last)(log))
    const followed = await follow([liar, honest()])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    await followed.end()
    expect(liar.omitted).toBeGreaterThan(0)
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('always, and there is no other: the index follows on, and says what it doubts', async () => {
    const hidden = await trade(1)
    await trade(3)
    const followed = await follow([omitting(isOf(hidden))])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().doubts.length > 0)
    const block = await trade(2)
    await until(() => followed.follower.status().cursor?.number === block)
    await followed.end()
    const { doubts, repairs } = followed.witness.status()
    expect(doubts[0]).toMatchObject({ pool: devnet.pools[0]?.address.toLowerCase() })
    // Three at once, then at longer and longer waits.
    expect(repairs).toBeLessThanOrEqual(6)
  })

  it('of ranges alone, and there is no other: the bloom and the receipts of blocks since the event before show it', async () => {
    const hidden = await trade(1)
    await devnet.mine(60)
    await trade(2)
    await devnet.mine(60)
    const real = honest()
    const omit = isOf(hidden)
    const liar: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        const [filter] = params as [{ readonly blockHash?: Hex }]
        return method === 'eth_getLogs' && !filter.blockHash ? (answer as RpcLog[]).filter((log) => !omit(log)) : answer
      },
    }
    const followed = await follow([liar])
    const isRepaired = () => followed.witness.status().repairs > 0 && followed.witness.status().doubts.length === 0
    await until(async () => isRepaired() && (await isAtHead(followed)))
    await followed.end()
    expect(followed.witness.status().doubts).toEqual([])
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it("a pool's creation, so that the whole pool is hidden: who emits its events is asked whose pool it is", async () => {
    const pool = devnet.pools[2]?.address.slice(2).toLowerCase() as string
    let isLying = true
    const followed = await follow([omitting((log) => isLying && log.data.endsWith(pool))])
    await until(() => isAtHead(followed))
    expect((await dumpIndex(followed.store)).pools.length).toBe(devnet.pools.length - 1)
    isLying = false
    await trade(1)
    await until(async () => (await dumpIndex(followed.store)).pools.length === devnet.pools.length)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('another token of a pool, in its creation: the index is read again from there', async () => {
    const pool = devnet.pools[2]?.address.slice(2).toLowerCase() as string
    const other = devnet.tokens.findLast(({ address }) => address.toLowerCase() !== devnet.pools[2]?.token1.toLowerCase())
      ?.address as Address
    let isLying = true
    const real = honest()
    const liar: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        if (method !== 'eth_getLogs' || !isLying) return answer
        const lie = (log: RpcLog) => ({ ...log, topics: log.topics.with(2, pad(other.toLowerCase() as Address)) })
        return (answer as RpcLog[]).map((log) => (log.data.endsWith(pool) ? lie(log) : log))
      },
    }
    const followed = await follow([liar])
    await until(() => isAtHead(followed))
    expect((await dumpIndex(followed.store)).pools.map(({ token1 }) => token1)).toContain(other.toLowerCase())
    isLying = false
    await until(() => followed.witness.status().repairs > 0)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('of the first block of the index, which nothing is below of: it stays known, and is looked at ever more seldom', async () => {
    const first = Math.min(...(await truth()).pools.map((pool) => Number(pool.created_block)))
    let isLying = true
    const warned: string[] = []
    const onWarn = (text: string) => void warned.push(text)
    const liar = omitting((log) => isLying && isOf(first)(log), { blooms: false })
    const followed = await follow([liar], { startBlock: first, onWarn })
    await until(() => isAtHead(followed))
    isLying = false
    await until(() => followed.witness.status().wrongBlock === first)
    const since = followed.witness.status().checkedAtMs ?? 0
    const seen = new Set<number | undefined>()
    await until(() => {
      const { wrongBlock, checkedAtMs = 0 } = followed.witness.status()
      seen.add(wrongBlock)
      return checkedAtMs - since > 600_000
    })
    await followed.end()
    expect([...seen]).toEqual([first])
    // After 1, 2, 4 and 8 minutes.
    expect(warned.filter((text) => text.startsWith('The first block of the index')).length).toBeLessThanOrEqual(5)
    expect(followed.witness.status().repairs).toBe(0)
  })

  it('and says other decimals of tokens while the index is made: they are read again, and dollars valued again', async () => {
    let isLying = true
    const real = honest()
    const liar: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        const [call] = params as [{ data?: Hex }]
        const asksDecimals = method === 'eth_call' && call.data === '0x313ce567'
        return asksDecimals && isLying ? `0x${(BigInt(answer as Hex) - 2n).toString(16).padStart(64, '0')}` : answer
      },
    }
    const followed = await follow([liar, honest()])
    const { store, witness } = followed
    await until(() => isAtHead(followed))
    const misled = await dumpIndex(store)
    isLying = false
    await until(() => witness.status().unsure !== undefined)
    expect(witness.status().unsure).toContain('tokens have other decimals by the nodes than in the index')
    await until(async () => (await listUnconfirmedTokens(store.read, { limit: 1 })).length === 0)
    await followed.end()
    // What is stored is as it was, but for the decimals.
    expect(witness.status()).toMatchObject({
      unsure: 'Decimals of tokens were wrong and are corrected; the blocks with them are being valued again',
      doubts: [],
      repairs: 0,
    })
    while (await revalueHour({ store, valuation: valuation(), holder: { world: undefined }, isOurs: () => true }));
    const wanted = await truth()
    expect(misled.tokens.map(({ decimals }) => decimals)).toEqual(wanted.tokens.map(({ decimals }) => (decimals ?? 0) - 2))
    expect(misled.days).not.toEqual(wanted.days)
    expect(await dumpIndex(store)).toEqual(wanted)
  })

  it('half of the time, of any block', { timeout: 120_000 }, async () => {
    const dice = (answer: number) => (answer * 7919) % 10 < 4
    const followed = await follow([omitting((_log, answer) => dice(answer))])
    for (let i = 0; i < 6; i += 1) await trade(1)
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('an event that moves no price, near the head: its bloom shows it before it is stored', async () => {
    let isLying = false
    const followed = await follow([omitting((log) => isLying && log.topics[0] === collectTopic)])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock !== undefined)
    isLying = true
    await collectNothingAndTrade()
    await until(() => followed.follower.status().trouble !== undefined)
    expect(followed.follower.status().trouble?.text).toContain('which its receipts have')
    isLying = false
    await until(() => isAtHead(followed))
    await followed.end()
    expect(followed.witness.status().quirks).toEqual([])
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('an event that moves no figure of its contract, without a bloom: found when the block is read a second time', async () => {
    await collectNothingAndTrade()
    let isLying = true
    const followed = await follow([omitting((log) => isLying && log.topics[0] === collectTopic, { blooms: false })])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    isLying = false
    await until(() => followed.witness.status().repairs > 0)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(followed.witness.status()).toMatchObject({ doubts: [], suspects: 0 })
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it.each<[string, (logs: RpcLog[]) => unknown]>([
    ['a log twice', (logs) => [...logs, ...logs.slice(-1)]],
    ['data that is not hexadecimal', (logs) => logs.map((log, i) => (i === 0 ? { ...log, data: '0xnonsense' } : log))],
    ['logs that it calls removed', (logs) => logs.map((log) => ({ ...log, removed: true }))],
    ['logs of another block', (logs) => logs.map((log) => ({ ...log, blockNumber: '0xfffff' }))],
  ])('gives %s: refused, and read again by itself', async (_name, change) => {
    let isLying = true
    const real = honest()
    const liar: RpcNode = {
      request: async (method, params) => {
        const result = await real.request(method, params)
        return method === 'eth_getLogs' && isLying && (result as RpcLog[]).length > 0 ? change(result as RpcLog[]) : result
      },
    }
    const followed = await follow([liar])
    await until(() => followed.follower.status().trouble !== undefined)
    isLying = false
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('is a balancer that answers each call from a node that may be 5 blocks behind', { timeout: 120_000 }, async () => {
    let calls = 0
    const followed = await follow([lagging(() => (calls++ * 7919) % 10 < 4)])
    for (let i = 0; i < 12; i += 1) await trade(1)
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    await followed.end()
    expect(followed.witness.status().doubts).toEqual([])
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })
})
