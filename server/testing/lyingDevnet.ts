import type { Address, Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { encodeFunctionData, parseAbi, toEventSelector } from 'viem'
import { afterAll, beforeAll } from 'vitest'
import { createHttpNode } from '../chain/httpNode.ts'
import type { RpcNode } from '../chain/rpcNode.ts'
import { createNodeChain } from '../chain/viemChain.ts'
import { type Follower, followChain } from '../indexer/followChain.ts'
import { pause } from '../pause.ts'
import type { Store } from '../store/store.ts'
import { createWitness } from '../witness/createWitness.ts'
import type { Verification, Witness } from '../witness/witness.ts'
import { dumpIndex } from './dumpIndex.ts'
import { followingDefaults, limitDefaults, strictLog, witnessDefaults } from './following.ts'
import { startShortDevnet } from './startShortDevnet.ts'
import { createTempStores } from './tempStores.ts'

export type RpcLog = { address: string; topics: Hex[]; data: Hex; blockNumber: Hex; logIndex: Hex; removed?: boolean }
/** Whether a log is left out of an answer; told which answer of the node to `eth_getLogs` it is. */
type Omit = (log: RpcLog, answer: number) => boolean

export type Followed = { readonly store: Store; readonly follower: Follower; readonly witness: Witness; end(): Promise<void> }

type Options = {
  readonly withWitness?: boolean
  readonly startBlock?: number
  /** Absent: an empty one. */
  readonly store?: Store
  readonly onWarn?: (text: string) => void
  readonly onChange?: (known: Verification) => void
}

const quiet = { info: () => undefined, warn: () => undefined }
export const collectTopic = toEventSelector('Collect(address,address,int24,int24,uint128,uint128)')

export const isOf = (block: number) => (log: RpcLog) => Number(log.blockNumber) === block

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5, new AbortController().signal)
}

/** A devnet of each test file's own, nodes that lie about it, and an index that follows them. Call it once, at the top of the file. */
export function useLyingDevnet() {
  const stores = createTempStores()
  let started: Devnet | undefined
  const devnet = () => started as Devnet
  beforeAll(async () => {
    started = await startShortDevnet()
  })
  afterAll(() => started?.stop())

  /** The real node, but for the logs that it leaves out; its receipts and contracts are whole. */
  function omitting(omit: Omit, { blooms = true } = {}): RpcNode & { omitted: number } {
    const real = createHttpNode(devnet().rpcUrl)
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
    const real = createHttpNode(devnet().rpcUrl)
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
        const block = blockHash && (await devnet().rpc<{ number: Hex }>('eth_getBlockByHash', [blockHash, false]))
        if (block && Number(block.number) > head) throw Object.assign(new Error('unknown block'), { code: -32_000 })
        return known
      },
    }
  }

  const honest = () => createHttpNode(devnet().rpcUrl)
  const factory = () => devnet().contracts.factory.toLowerCase() as Address
  const usdc = () =>
    devnet()
      .tokens.find(({ symbol }) => symbol === 'USDC')
      ?.address.toLowerCase() as Address

  const valuation = () => ({ stables: [usdc()], wrappedNative: usdc(), quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 })

  async function follow(nodes: readonly RpcNode[], options: Options = {}): Promise<Followed> {
    const { withWitness = true, startBlock = 0, onWarn = () => undefined, onChange = () => undefined } = options
    const store = options.store ?? (await stores.openNew('sqlite'))
    const chain = createNodeChain(nodes)
    let nowMs = Date.now()
    const witness = createWitness({
      ...witnessDefaults,
      nodes: nodes.map((node) => createNodeChain([node])),
      store,
      startBlock,
      factory: factory(),
      multicall: devnet().contracts.multicall3.toLowerCase() as Address,
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
      onChange: () => onChange(witness.status()),
      ...(withWitness ? { witness } : {}),
    })
    const end = async () => {
      await follower.stop()
      await witness.stop()
    }
    return { store, follower, witness, end }
  }

  async function headNumber(): Promise<number> {
    return Number(await devnet().rpc<Hex>('eth_blockNumber'))
  }

  const isAtHead = async ({ follower }: Followed) => follower.status().cursor?.number === (await headNumber())

  async function truth(startBlock = 0) {
    const followed = await follow([honest()], { withWitness: false, startBlock })
    await until(() => isAtHead(followed))
    await followed.end()
    return dumpIndex(followed.store)
  }

  let toTick = 200_500
  /** Trades in the main pool, a block each. */
  async function trade(blocks: number): Promise<number> {
    const pool = devnet().pools[0]?.address as Address
    let block = 0
    for (let i = 0; i < blocks; i += 1) {
      toTick += 7
      block = (await devnet().trade([{ pool, toTick }])).block
    }
    return block
  }

  /** A liquidity provider takes his fees out of a pool, which changes neither its price nor its liquidity. */
  async function collectNothingAndTrade(): Promise<void> {
    const pool = devnet().pools[1]?.address as Address
    const from = devnet().accounts[0]?.address
    const data = encodeFunctionData({
      abi: parseAbi(['function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0, uint128 amount1)']),
      args: [from as Address, -60, 60, 1n, 1n],
    })
    await devnet().rpc('eth_sendTransaction', [{ from, to: pool, data, gas: '0x989680' }])
    await devnet().mine()
  }

  return { devnet, honest, omitting, lagging, follow, valuation, headNumber, isAtHead, truth, trade, collectNothingAndTrade }
}
