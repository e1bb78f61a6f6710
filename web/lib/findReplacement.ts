import { isSameHex } from '@chainboard/core'
import type { CallNode } from './callNode.ts'
import type { ContractCall } from './sendCall.ts'
import { fieldOf, type Hex, isHex, textOf } from './untrusted.ts'

export type FollowedCall = {
  readonly hash: Hash
  readonly from: string
  readonly call: ContractCall
  /** The number that the wallet should have given it, for a node that never gets to see it. */
  readonly nonce: number
  /** The chain's height before the wallet was asked. */
  readonly sinceBlock: number
}

type Hash = Hex
type Mined = {
  readonly hash: Hash
  readonly from: string
  readonly to: string | null
  readonly nonce: string
  readonly input: string
  readonly value: string
}

/** `notYet`: not among the blocks up to `nextBlock`. */
export type Replacement =
  | { readonly kind: 'same'; readonly hash: Hash }
  | { readonly kind: 'cancelled' | 'replaced' }
  | { readonly kind: 'notYet'; readonly nextBlock: number }

/** Whole blocks are large: no more than these are read at once. */
const blocksAtOnceMax = 64

/** Looks through the blocks for what was mined under a transaction's number, and says what it is: the same call, nothing, or another one. */
export async function findReplacement(
  call: CallNode,
  { from, nonce, sinceBlock, ...wanted }: FollowedCall,
): Promise<Replacement> {
  const head = Number(await call('eth_blockNumber', []))
  const last = Math.min(head, sinceBlock + blocksAtOnceMax - 1)
  for (let number = sinceBlock; number <= last; number += 1) {
    const block = await call('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
    const transactions = fieldOf(block, 'transactions')
    const mined: readonly unknown[] = Array.isArray(transactions) ? transactions : []
    const found = mined.filter(isMined).find((each) => isSameHex(each.from, from) && Number(each.nonce) === nonce)
    if (found) return judge(found, wanted.call)
  }
  return { kind: 'notYet', nextBlock: last + 1 }
}

function isMined(transaction: unknown): transaction is Mined {
  const texts = ['from', 'nonce', 'input', 'value'].map((name) => textOf(transaction, name))
  return texts.every((text) => text !== undefined) && isHex(fieldOf(transaction, 'hash'))
}

function judge({ hash, from, to, input, value }: Mined, wanted: FollowedCall['call']): Replacement {
  if (isSameHex(to, wanted.to) && isSameHex(input, wanted.data)) return { kind: 'same', hash }
  // A wallet cancels by paying itself nothing.
  return { kind: isSameHex(to, from) && BigInt(value) === 0n ? 'cancelled' : 'replaced' }
}
