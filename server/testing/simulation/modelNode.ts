import { encodeReceipt } from '../../witness/proof/encodeReceipt.ts'
import { toTrieRoot } from '../../witness/proof/toTrieRoot.ts'
import type { ModelBlock, ModelChain } from './modelChain.ts'
import { toHex, word } from './modelLogs.ts'
import type { ModelPool } from './modelPool.ts'

/** What a node would refuse with; the caller turns it into what the transport throws. */
export class RpcRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What a node knows of a chain. */
export type KnownChain = Pick<ModelChain, 'chainId' | 'factory' | 'tokens' | 'under' | 'find'>

/** The true answer of a node whose newest block is `tip`. @throws RpcRefusal */
export function answerTruly(chain: KnownChain, tip: ModelBlock, method: string, params: unknown): unknown {
  const args = (params ?? []) as unknown[]
  switch (method) {
    case 'eth_chainId':
      return toHex(chain.chainId)
    case 'net_version':
      return String(chain.chainId)
    case 'eth_blockNumber':
      return toHex(tip.number)
    case 'eth_getBlockByNumber':
      return toHeader(findTagged(chain, tip, args[0]))
    case 'eth_getBlockByHash':
      return toHeader(findHash(chain, tip, String(args[0])))
    case 'eth_getLogs':
      return listLogs(chain, tip, (args[0] ?? {}) as Filter)
    case 'eth_getBlockReceipts':
      return listReceipts(findTagged(chain, tip, args[0]))
    case 'eth_call':
      return call(chain, findTagged(chain, tip, args[1] ?? 'latest'), args[0] as { to: string; data: string })
    default:
      throw new RpcRefusal(-32601, `The method ${method} does not exist`)
  }
}

type Filter = {
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
  readonly address?: string | readonly string[]
  readonly topics?: readonly (string | readonly string[] | null)[]
}

function findTagged(chain: KnownChain, tip: ModelBlock, tag: unknown): ModelBlock | undefined {
  if (typeof tag === 'object' && tag !== null) {
    const { blockHash, blockNumber } = tag as { blockHash?: string; blockNumber?: string }
    return blockHash ? findHash(chain, tip, blockHash) : chain.under(tip, Number(blockNumber))
  }
  if (tag === 'latest' || tag === 'pending') return tip
  if (tag === 'finalized' || tag === 'safe') return chain.under(tip, Math.max(0, tip.number - 64))
  if (tag === 'earliest') return chain.under(tip, 0)
  if (typeof tag === 'string' && /^0x[0-9a-f]{64}$/.test(tag)) return findHash(chain, tip, tag)
  return chain.under(tip, Number(tag))
}

function findHash(chain: KnownChain, tip: ModelBlock, hash: string): ModelBlock | undefined {
  const block = chain.find(hash)
  return block && chain.under(tip, block.number)?.hash === block.hash ? block : undefined
}

function toHeader(block: ModelBlock | undefined) {
  if (!block) return null
  return {
    number: toHex(block.number),
    hash: block.hash,
    parentHash: block.parent?.hash ?? `0x${'0'.repeat(64)}`,
    timestamp: toHex(block.timestampSeconds),
    logsBloom: block.logsBloom,
    receiptsRoot: rootOf(block),
    transactions: [...new Set(block.logs.map(({ transactionHash }) => transactionHash))],
  }
}

function listLogs(chain: KnownChain, tip: ModelBlock, filter: Filter) {
  const { blockHash, fromBlock, toBlock, address, topics = [] } = filter
  const addresses = address === undefined ? undefined : [address].flat().map((each) => each.toLowerCase())
  const blocks: ModelBlock[] = []
  if (blockHash) {
    const block = findHash(chain, tip, blockHash)
    if (!block) throw new RpcRefusal(-32000, 'unknown block')
    blocks.push(block)
  } else {
    const [from, to] = [Number(fromBlock), Math.min(Number(toBlock), tip.number)]
    for (let at = chain.under(tip, to); at && at.number >= from; at = at.parent) blocks.unshift(at)
  }
  return blocks
    .flatMap(({ logs }) => logs)
    .filter((log) => !addresses || addresses.includes(log.address))
    .filter((log) => topics.every((wanted, i) => wanted === null || [wanted].flat().includes(log.topics[i] ?? '')))
}

function listReceipts(block: ModelBlock | undefined) {
  if (!block) return null
  const byTransaction = Map.groupBy(block.logs, ({ transactionHash }) => transactionHash)
  return [...byTransaction].map(([transactionHash, logs], i) => ({
    transactionHash,
    transactionIndex: toHex(i),
    blockHash: block.hash,
    blockNumber: toHex(block.number),
    status: '0x1',
    type: '0x2',
    cumulativeGasUsed: toHex(100_000 * (i + 1)),
    logs,
  }))
}

const roots = new WeakMap<ModelBlock, string>()

/** Worked out once for each block; the tests hold it against a real node's. */
function rootOf(block: ModelBlock): string {
  const root = roots.get(block) ?? toTrieRoot((listReceipts(block) ?? []).map((receipt) => encodeReceipt(receipt) ?? '0x'))
  roots.set(block, root)
  return root
}

const toWords = (...values: (number | bigint | string)[]) => `0x${values.map(word).join('')}`

/** The getters of pools that Uniswap's v3 core has, by selector. */
const poolGetters: Readonly<Record<string, (pool: ModelPool, argument: string) => string>> = {
  '0x3850c7bd': ({ sqrtPriceX96, tick }) => toWords(sqrtPriceX96, tick, 0, 1, 1, 0, 1),
  '0x1a686502': ({ liquidity }) => toWords(liquidity),
  '0xf3058399': ({ feeGrowth0X128 }) => toWords(feeGrowth0X128),
  '0x46141319': ({ feeGrowth1X128 }) => toWords(feeGrowth1X128),
  '0x1ad8b03b': () => toWords(0, 0),
  '0x0dfe1681': ({ token0 }) => toWords(token0),
  '0xd21220a7': ({ token1 }) => toWords(token1),
  '0xddca3f43': ({ fee }) => toWords(fee),
  '0xd0c93a7c': ({ tickSpacing }) => toWords(tickSpacing),
  '0xf30dba93': ({ ticks }, argument) => {
    const tick = ticks.get(Number(BigInt.asIntN(24, BigInt(argument))))
    return toWords(tick?.gross ?? 0n, tick?.net ?? 0n, 0, 0, 0, 0, 0, tick ? 1 : 0)
  },
  '0x5339c296': ({ ticks, tickSpacing }, argument) => {
    const from = Number(BigInt.asIntN(16, BigInt(argument))) * 256
    const places = [...ticks.keys()].map((tick) => tick / tickSpacing - from).filter((place) => place >= 0 && place < 256)
    return toWords(places.reduce((bits, place) => bits | (1n << BigInt(place)), 0n))
  },
}

/** The selectors of `factory()` of a pool, and of `getPool(address,address,uint24)` of the factory. */
const [factorySelector, getPoolSelector] = ['0xc45a0155', '0x1698ee82']

/** The factory's answer: no address for a pool that it never made. */
function findPool({ pools }: ModelBlock, data: string): string {
  const [a, b, fee] = [10, 74, 138].map((at) => BigInt(`0x${data.slice(at, at + 64)}`))
  const isAsked = (pool: ModelPool) =>
    BigInt(pool.fee) === fee && [a, b].includes(BigInt(pool.token0)) && [a, b].includes(BigInt(pool.token1)) && a !== b
  const toAddress = (word: bigint) => `0x${word.toString(16).padStart(40, '0')}`
  const known = pools.between?.(toAddress(a as bigint), toAddress(b as bigint)) ?? [...pools.values()]
  return toWords(known.find(isAsked)?.address ?? 0)
}

function call(chain: KnownChain, block: ModelBlock | undefined, { to, data }: { to: string; data: string }): string {
  if (!block) throw new RpcRefusal(-32000, 'header not found')
  const pool = block.pools.get(to.toLowerCase())
  const selector = data.slice(0, 10)
  if (to.toLowerCase() === chain.factory && selector === getPoolSelector) return findPool(block, data)
  if (pool && selector === factorySelector) return toWords(chain.factory)
  if (pool) {
    const get = poolGetters[selector]
    if (get) return get(pool, `0x${data.slice(10) || '0'}`)
    throw new RpcRefusal(3, 'execution reverted')
  }
  const token = chain.tokens.get(to.toLowerCase())
  if (!token) return '0x'
  const text = (value: string) => toWords(32, value.length, `0x${Buffer.from(value).toString('hex').padEnd(64, '0')}`)
  switch (selector) {
    case '0x95d89b41':
      return text(token.symbol)
    case '0x06fdde03':
      return text(`Token ${token.symbol}`)
    case '0x313ce567':
      return toWords(token.decimals)
    case '0x18160ddd':
      return toWords(10n ** 27n)
    case '0x70a08231': {
      const owner = block.pools.get(`0x${data.slice(-40)}`)
      return toWords(owner?.token0 === token.address ? owner.balance0 : owner?.token1 === token.address ? owner.balance1 : 0n)
    }
    default:
      throw new RpcRefusal(3, 'execution reverted')
  }
}
