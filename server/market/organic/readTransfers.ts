import { type Address, Failure, fieldsOf, type Hex, toLowerHex, wordToAddress } from '@chainboard/core'
import { toEventSelector } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { invalid } from '../../chain/parseAnswer.ts'

const transfer = toEventSelector('Transfer(address,address,uint256)')
/** An amount, whatever a token adds behind it. */
const amountPattern = /^0x[0-9a-f]{64}/i
const wordLength = 66
/** Calls that one reading may take: 1,280,000 blocks at 10,000 a call. */
const callsMax = 128
/** A node that refuses so few blocks has too many transfers in them: its answer is taken apart by wallets. */
const spanMin = 64
/** Where a node refuses, wallets with more transfers than this are left out first. */
const transfersMax = 5_000

/** What one wallet handed another of a token in all, in its smallest unit. */
export type Handed = { readonly token: Address; readonly from: Address; readonly to: Address; readonly amountRaw: bigint }

export type TransferRequest = {
  /** The token, and the money that it is paid in. */
  readonly tokens: readonly Address[]
  readonly origins: readonly Address[]
  readonly fromBlock: number
  readonly toBlock: number
  /** The widest range of blocks to ask for. */
  readonly spanMax: number
}

export type Transfers = {
  readonly handed: readonly Handed[]
  /** Wallets that made more transfers than the node tells. */
  readonly unread: ReadonlySet<Address>
}

type Blocks = { readonly first: number; readonly last: number }

/**
 * What these wallets handed each other of the tokens. Transfers of nothing are left out: anybody can make them between any two.
 * Wallets whose transfers are too many for the node are named, and the others are read all the same.
 * @throws Failure of the codes `rpc-…`; `rpc-range-too-wide` when it would take more than 128 calls
 */
export async function readTransfers(chain: Pick<Chain, 'forward'>, request: TransferRequest): Promise<Transfers> {
  const { origins, fromBlock, toBlock } = request
  const reading = openReading(chain, request)
  let [next, span, spanMax] = [fromBlock, request.spanMax, request.spanMax]
  while (origins.length > 1 && next <= toBlock) {
    const blocks = { first: next, last: Math.min(toBlock, next + span - 1) }
    const refused = await reading.read(blocks, reading.listReadable())
    const isOfWidth = refused?.detail?.['refusal'] === 'range-too-wide'
    if (refused && span > (isOfWidth ? 1 : spanMin)) {
      span = Math.max(isOfWidth ? 1 : spanMin, Math.floor(span / 2))
      if (isOfWidth) spanMax = span
      continue
    }
    if (refused && isOfWidth) throw refused
    if (refused) await reading.readApart(blocks)
    // Then it is not for what they did.
    if (refused && reading.listReadable().length === 0) throw refused
    next = blocks.last + 1
    // What is too much at one time is not at another.
    span = Math.min(spanMax, 2 * span)
  }
  return { handed: reading.list(), unread: reading.unread }
}

function openReading(chain: Pick<Chain, 'forward'>, { tokens, origins, fromBlock, toBlock }: TransferRequest) {
  const sums = new Map<string, Handed>()
  const counts = new Map<Address, number>()
  const unread = new Set<Address>()
  let calls = 0
  /** @returns the failure when it is too much for one call */
  const read = async ({ first, last }: Blocks, from: readonly Address[]): Promise<Failure | undefined> => {
    if (from.length === 0) return undefined
    if (calls >= callsMax) throw tooWide(`Transfers of ${toBlock - fromBlock + 1} blocks take more than ${callsMax} calls`)
    calls += 1
    const topics = [transfer, from.map(toWord), origins.map(toWord)]
    const filter = { address: tokens, topics, fromBlock: toHex(first), toBlock: toHex(last) }
    try {
      for (const one of toHanded(await chain.forward('eth_getLogs', [filter]))) {
        add(sums, one)
        counts.set(one.from, (counts.get(one.from) ?? 0) + 1)
      }
      return undefined
    } catch (error) {
      if (error instanceof Failure && error.code === 'rpc-range-too-wide') return error
      throw error
    }
  }
  const listReadable = () => origins.filter((origin) => !unread.has(origin))
  const readHalves = async (blocks: Blocks, from: readonly Address[]): Promise<void> => {
    const middle = Math.ceil(from.length / 2)
    for (const half of [from.slice(0, middle), from.slice(middle)]) {
      if (!(await read(blocks, half))) continue
      if (half.length > 1) await readHalves(blocks, half)
      else for (const wallet of half) unread.add(wallet)
    }
  }
  return {
    unread,
    read,
    listReadable,
    /** By groups of wallets, without those that made too many transfers. */
    readApart: (blocks: Blocks) => {
      for (const [wallet, count] of counts) if (count > transfersMax) unread.add(wallet)
      return readHalves(blocks, listReadable())
    },
    list: () => [...sums.values()],
  }
}

function add(sums: Map<string, Handed>, one: Handed): void {
  const key = `${one.token} ${one.from} ${one.to}`
  sums.set(key, { ...one, amountRaw: one.amountRaw + (sums.get(key)?.amountRaw ?? 0n) })
}

function toHanded(answer: unknown): Handed[] {
  if (!Array.isArray(answer)) throw invalid('The node returned no list of logs')
  return answer.flatMap((log): Handed[] => {
    const { address: token, topics, data } = fieldsOf(log)
    if (typeof token !== 'string' || !token || typeof data !== 'string' || !Array.isArray(topics)) return []
    const [, from, to]: unknown[] = topics
    // Three indexed words, as the tokens of single things have them, are no amount.
    if (typeof from !== 'string' || typeof to !== 'string' || topics.length !== 3) return []
    if (from === to || !amountPattern.test(data)) return []
    const amountRaw = BigInt(data.slice(0, wordLength))
    if (amountRaw === 0n) return []
    return [{ token: toLowerHex(token), from: wordToAddress(from), to: wordToAddress(to), amountRaw }]
  })
}

function toWord(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`
}

function toHex(block: number): Hex {
  return `0x${block.toString(16)}`
}

function tooWide(text: string): Failure {
  return new Failure('rpc-range-too-wide', text, { retryable: true })
}
