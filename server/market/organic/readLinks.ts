import { type Address, Failure, type Hex } from '@chainboard/core'
import { toEventSelector } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { invalid } from '../../chain/parseAnswer.ts'
import type { Link } from './joinOrigins.ts'

const transfer = toEventSelector('Transfer(address,address,uint256)')
/** Calls that one reading may take: 640,000 blocks at 10,000 a call. */
const callsMax = 64
/** A node that refuses so few blocks refuses for another reason. */
const spanMin = 64

export type LinkRequest = {
  /** The token, and the money that it is paid in. */
  readonly tokens: readonly Address[]
  readonly origins: readonly Address[]
  readonly fromBlock: number
  readonly toBlock: number
  /** The widest range of blocks to ask for. */
  readonly spanMax: number
}

/**
 * Which of these wallets handed the tokens to each other. Transfers of nothing do not count: anybody can make them between any two.
 * @throws Failure of the codes `rpc-…`; `rpc-range-too-wide` when it would take more than 64 calls
 */
export async function readLinks(chain: Pick<Chain, 'forward'>, request: LinkRequest): Promise<Link[]> {
  const { tokens, origins, fromBlock, toBlock } = request
  if (origins.length < 2) return []
  const wallets = origins.map((origin) => `0x${origin.slice(2).padStart(64, '0')}`)
  const links: Link[] = []
  let [next, span, calls] = [fromBlock, request.spanMax, 0]
  while (next <= toBlock) {
    if (calls >= callsMax) throw tooWide(`Transfers of ${toBlock - fromBlock + 1} blocks take more than ${callsMax} calls`)
    calls += 1
    const last = Math.min(toBlock, next + span - 1)
    const filter = { address: tokens, topics: [transfer, wallets, wallets], fromBlock: toHex(next), toBlock: toHex(last) }
    try {
      links.push(...toLinks(await chain.forward('eth_getLogs', [filter])))
      next = last + 1
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rpc-range-too-wide' || span <= spanMin) throw error
      span = Math.max(spanMin, Math.floor(span / 2))
    }
  }
  return links
}

function toLinks(answer: unknown): Link[] {
  if (!Array.isArray(answer)) throw invalid('The node answered with no list of logs')
  return answer.flatMap((log): Link[] => {
    const { topics, data } = Object(log) as { topics?: readonly Hex[]; data?: Hex }
    const [, from, to] = topics ?? []
    // Three indexed words, as the tokens of single things have them, are no amount.
    if (!from || !to || topics?.length !== 3 || !data || !/[1-9a-f]/i.test(data.slice(2)) || from === to) return []
    return [[toAddress(from), toAddress(to)]]
  })
}

function toAddress(word: Hex): string {
  return `0x${word.slice(26).toLowerCase()}`
}

function toHex(block: number): Hex {
  return `0x${block.toString(16)}`
}

function tooWide(text: string): Failure {
  return new Failure('rpc-range-too-wide', text, { retryable: true })
}
