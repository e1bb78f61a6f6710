import { type Address, Failure, type Hex } from '@chainboard/core'
import { toEventSelector } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { invalid } from '../../chain/parseAnswer.ts'

const transfer = toEventSelector('Transfer(address,address,uint256)')
/** An amount, whatever a token adds behind it. */
const amountPattern = /^0x[0-9a-f]{64}/i
const wordLength = 66
/** Calls that one reading may take: 640,000 blocks at 10,000 a call. */
const callsMax = 64
/** A node that refuses so few blocks refuses for another reason. */
const spanMin = 64

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

/**
 * What these wallets handed each other of the tokens. Transfers of nothing are left out: anybody can make them between any two.
 * @throws Failure of the codes `rpc-…`; `rpc-range-too-wide` when it would take more than 64 calls
 */
export async function readTransfers(chain: Pick<Chain, 'forward'>, request: TransferRequest): Promise<Handed[]> {
  const { tokens, origins, fromBlock, toBlock } = request
  if (origins.length < 2) return []
  const wallets = origins.map((origin) => `0x${origin.slice(2).padStart(64, '0')}`)
  const sums = new Map<string, Handed>()
  let [next, span, calls] = [fromBlock, request.spanMax, 0]
  while (next <= toBlock) {
    if (calls >= callsMax) throw tooWide(`Transfers of ${toBlock - fromBlock + 1} blocks take more than ${callsMax} calls`)
    calls += 1
    const last = Math.min(toBlock, next + span - 1)
    const filter = { address: tokens, topics: [transfer, wallets, wallets], fromBlock: toHex(next), toBlock: toHex(last) }
    try {
      for (const one of toHanded(await chain.forward('eth_getLogs', [filter]))) add(sums, one)
      next = last + 1
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rpc-range-too-wide' || span <= spanMin) throw error
      span = Math.max(spanMin, Math.floor(span / 2))
    }
  }
  return [...sums.values()]
}

function add(sums: Map<string, Handed>, one: Handed): void {
  const key = `${one.token} ${one.from} ${one.to}`
  sums.set(key, { ...one, amountRaw: one.amountRaw + (sums.get(key)?.amountRaw ?? 0n) })
}

function toHanded(answer: unknown): Handed[] {
  if (!Array.isArray(answer)) throw invalid('The node answered with no list of logs')
  return answer.flatMap((log): Handed[] => {
    const { address, topics, data } = Object(log) as { address?: string; topics?: readonly Hex[]; data?: Hex }
    const [, from, to] = topics ?? []
    // Three indexed words, as the tokens of single things have them, are no amount.
    if (!address || !from || !to || topics?.length !== 3 || from === to || !data || !amountPattern.test(data)) return []
    const amountRaw = BigInt(data.slice(0, wordLength))
    if (amountRaw === 0n) return []
    return [{ token: address.toLowerCase() as Address, from: toAddress(from), to: toAddress(to), amountRaw }]
  })
}

function toAddress(word: Hex): Address {
  return `0x${word.slice(26).toLowerCase()}`
}

function toHex(block: number): Hex {
  return `0x${block.toString(16)}`
}

function tooWide(text: string): Failure {
  return new Failure('rpc-range-too-wide', text, { retryable: true })
}
