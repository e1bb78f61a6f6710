import { type Address, Failure, fieldsOf, type Hex, tickAtSqrtPrice } from '@chainboard/core'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, isHex, keccak256, parseAbi, toHex } from 'viem'
import type {
  BlockHash,
  Chain,
  ChainLog,
  ChainRange,
  CheckAnswer,
  Header,
  HistoryRequest,
  RangeRequest,
  TokenFacts,
} from './chain.ts'
import { systemClock } from './endpoints.ts'
import type { HistoryNode } from './history/historyNode.ts'
import { createLane } from './history/lane.ts'
import { readHistory } from './history/readHistory.ts'

const abi = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
  'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, uint8 feeProtocol1New)',
  'event TokenBoosted(address indexed token, address indexed payer, uint256 expiresAt)',
  'event PaymentReceived(address indexed token, address indexed payer, address indexed paymentToken, uint256 amount)',
  'event PaymentTokenUpdated(address indexed paymentToken, bool allowed, uint256 decimals)',
])

/** An event to be put on the fake chain, by name and arguments as the contract would emit it. The tick of a price is worked out. */
export type FakeEvent = {
  readonly address: Address
  readonly name: (typeof abi)[number]['name']
  readonly args: Readonly<Record<string, unknown>>
  /** Events of a block with the same number are of one transaction; without one, each is of its own. */
  readonly transaction?: number
  /** Who signed its transaction; absent: the same for all. */
  readonly from?: Address
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Who signs what no test says the sender of. */
const everybody: Address = `0x${'77'.repeat(20)}`

type FakeBlock = { readonly header: Header; readonly logs: readonly ChainLog[] }

/** A chain in memory that does what a test tells it: grows, changes its mind, refuses, lags. */
export class FakeChain implements Chain {
  readonly chainId: number
  readonly tokens = new Map<Address, TokenFacts>()
  /** Widest range of blocks answered. */
  rangeMax = Number.POSITIVE_INFINITY
  /** Failures that the next calls end in, first to last. */
  readonly failures: Failure[] = []
  /** What the node answers to calls that are handed on, by method; of others it knows none. */
  readonly methods = new Map<string, (params: unknown) => unknown>([
    ['eth_getTransactionByHash', (params) => this.#findTransaction(listOf(params))],
    ['eth_getLogs', (params) => this.#findLogs(listOf(params))],
    ['eth_getBlockReceipts', (params) => this.#findReceipts(listOf(params))],
    ['eth_getBlockByNumber', (params) => this.#findRawBlock(listOf(params))],
  ])
  /** Whether ranges that were read already may come as one, as a node's do: tests of what happens between two ranges say no. */
  joinsRanges = true
  readonly #lane = createLane(systemClock.nowMs, () => 0)
  readonly #senders = new Map<Hex, Address>()
  #blocks: FakeBlock[] = []
  #branches = 0

  constructor({ chainId = 31_337, genesisAtSeconds = 1_700_000_000 } = {}) {
    this.chainId = chainId
    this.#append([], genesisAtSeconds)
  }

  get height(): number {
    return this.#blocks.length - 1
  }

  /** Adds one block with these events. */
  mine(events: readonly FakeEvent[] = [], secondsLater = 12): void {
    this.#append(events, this.#tip.header.timestampSeconds + secondsLater)
  }

  /** Drops the last `depth` blocks; what is mined next makes another branch. */
  cut(depth: number): void {
    this.#blocks.length -= depth
    this.#branches += 1
  }

  readChainId = () => this.#answer(() => this.chainId)
  readHead = () => this.#answer(() => this.#tip.header)
  readHeader = (number: number) => this.#answer(() => this.#blocks[number]?.header)
  readHeaderOfEach = async (number: number) => [await this.readHeader(number)]
  readTokens = (addresses: readonly Address[], since?: BlockHash) =>
    this.#answer(() => {
      if (since && this.#blocks[since.number]?.header.hash !== since.hash) throw behind(since.number)
      return addresses.map(
        (address) => this.tokens.get(address) ?? { address, symbol: '', name: '', decimals: undefined, totalSupplyRaw: 0n },
      )
    })

  readRange = async ({ from, to, topics, address, contracts, everyHeader }: RangeRequest): Promise<ChainRange> => {
    const known = contracts?.only ? [contracts.factory, ...(await contracts.known())] : undefined
    return this.#answer(() => {
      if (to - from + 1 > this.rangeMax)
        throw new Failure('rpc-range-too-wide', 'The node refuses a range of blocks this wide', { retryable: true })
      if (to > this.height) throw behind(to)
      const blocks = this.#blocks.slice(from, to + 1)
      const headers = blocks.map(({ header }) => header)
      const logs = blocks
        .flatMap((block) => block.logs)
        .filter(({ topics: [first], address: of }) => first && topics.includes(first) && (!address || of === address))
      const named = known && new Set([...known, ...(contracts?.listCreated(logs) ?? [])])
      return {
        headers: everyHeader ? headers : headers.filter((_, i) => i === 0 || i === headers.length - 1),
        logs: named ? logs.filter((log) => named.has(log.address)) : logs,
      }
    })
  }

  readHistory = (request: HistoryRequest) => {
    const node: HistoryNode = {
      lane: this.#lane,
      read: async (range) => ({ range: await this.readRange(range), named: range.contracts?.only === true }),
      readAlso: async (range, { addresses, ...asked }) => {
        const [factory, ...others] = addresses
        if (!factory) return range
        const contracts = { factory, only: true, known: async () => others, listCreated: () => [] } as const
        const { logs } = await this.readRange({ ...asked, contracts, everyHeader: false })
        return {
          ...range,
          logs: [...range.logs, ...logs].toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex),
        }
      },
      distrust: () => undefined,
      count: () => undefined,
    }
    const { joinLogsMax: _, ...apart } = request
    return readHistory([node], this.joinsRanges ? request : apart, systemClock)
  }

  forward = async (method: string, params: unknown, check?: CheckAnswer) => {
    const given = await this.#answer(() => {
      if (method === 'eth_chainId') return toHex(this.chainId)
      const answer = this.methods.get(method)
      if (answer) return answer(params)
      throw new Failure('rpc-refused', `The method ${method} does not exist`, { detail: { code: -32601 }, retryable: true })
    })
    await check?.(given)
    return given
  }

  get #tip(): FakeBlock {
    const tip = this.#blocks.at(-1)
    if (!tip) throw new RangeError('The fake chain was cut to nothing')
    return tip
  }

  async #answer<T>(read: () => T): Promise<T> {
    const failure = this.failures.shift()
    if (failure) throw failure
    return read()
  }

  #append(events: readonly FakeEvent[], timestampSeconds: number): void {
    const number = this.#blocks.length
    const parentHash = number === 0 ? toHex(0, { size: 32 }) : this.#tip.header.hash
    const hash = keccak256(toHex(`${parentHash} ${number} ${timestampSeconds} ${this.#branches} ${events.length}`))
    const header: Header = { number, hash, parentHash, timestampSeconds }
    const logs = events.map((event, logIndex) => toLog(event, header, logIndex))
    logs.forEach(({ txHash }, i) => {
      this.#senders.set(txHash, events[i]?.from ?? everybody)
    })
    this.#blocks.push({ header, logs })
  }

  #findTransaction([hash]: readonly unknown[]) {
    const from = isHex(hash) ? this.#senders.get(hash) : undefined
    return from ? { hash, from, gasPrice: '0x1' } : null
  }

  /** A block as a node gives it, with the hashes of the transactions that have a log. */
  #findRawBlock([block]: readonly unknown[]) {
    const found = this.#blocks[Number(block)]
    if (!found) return null
    const { number, hash, parentHash, timestampSeconds } = found.header
    const transactions = [...new Set(found.logs.map(({ txHash }) => txHash))]
    return { number: toHex(number), hash, parentHash, timestamp: toHex(timestampSeconds), transactions }
  }

  /** One receipt for each transaction with a log. */
  #findReceipts([block]: readonly unknown[]) {
    const found = this.#blocks[Number(block)]
    if (!found) return null
    const logs = found.logs.map(({ txHash, ...log }) => ({
      ...log,
      transactionHash: txHash,
      blockNumber: toHex(log.blockNumber),
      logIndex: toHex(log.logIndex),
    }))
    return [...Map.groupBy(logs, ({ transactionHash }) => transactionHash)].map(([transactionHash, own]) => ({
      transactionHash,
      logs: own,
    }))
  }

  /** Logs by contracts and topics, as a node finds them. */
  #findLogs([filter]: readonly unknown[]) {
    const { address, topics, fromBlock, toBlock } = fieldsOf(filter)
    const isWanted = (wanted: unknown, found: string | undefined) =>
      !wanted || (found !== undefined && [wanted].flat().includes(found))
    return this.#blocks
      .slice(Number(fromBlock), Number(toBlock) + 1)
      .flatMap(({ logs }) => logs)
      .filter((log) => isWanted(address, log.address) && listOf(topics).every((wanted, i) => isWanted(wanted, log.topics[i])))
  }
}

function behind(block: number): Failure {
  return new Failure('rpc-unavailable', `The node does not have block ${block}`, { retryable: true })
}

function toLog(
  { address, name, args: given, transaction }: FakeEvent,
  { number, hash, timestampSeconds }: Header,
  logIndex: number,
): ChainLog {
  const event: AbiEvent | undefined = abi.find((item) => item.name === name)
  if (!event) throw new RangeError(`There is no event ${name}`)
  const price = given['sqrtPriceX96']
  const args = typeof price === 'bigint' ? { ...given, tick: tickAtSqrtPrice(price) } : given
  const plain = event.inputs.filter(({ indexed }) => !indexed)
  return {
    address,
    topics: encodeEventTopics({ abi: [event], eventName: name, args }).flatMap((topic) => topic ?? []),
    data: encodeAbiParameters(
      plain,
      plain.map((input) => args[input.name ?? '']),
    ),
    blockNumber: number,
    blockHash: hash,
    logIndex,
    txHash: keccak256(toHex(transaction === undefined ? `${hash} ${logIndex}` : `${hash} transaction ${transaction}`)),
    timestampSeconds,
  }
}
