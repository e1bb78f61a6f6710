import { randomInt } from 'node:crypto'
import { type Address, fieldsOf, type Hex, parseAddress } from '@chainboard/core'
import type { Chain } from './chain.ts'
import { invalid } from './parseAnswer.ts'
import { proveSender } from './proveSender.ts'

/** Calls under way at once; the chain puts them into few requests. */
const atOnceMax = 50
/** Of these, so many are checked by their signatures. They are chosen again each time. A check takes a millisecond or two. */
const provenMax = 4
/** Answers in a row that may be lies. With one more it is the chain that has transactions of its own under a common type. */
const unfitMax = 40

/** Who sent a transaction, and what a unit of gas cost, in wei; 0n where the node does not say. */
export type Transaction = { readonly origin: Address; readonly gasPriceWei: bigint }

/**
 * @returns in the order asked; undefined for one that the node does not have
 * @throws Failure of the codes `rpc-…`; `rpc-invalid` for another transaction than the one asked for, and one without its sender
 */
export type TransactionReader = (hashes: readonly Hex[]) => Promise<(Transaction | undefined)[]>

/**
 * Reads who sent transactions, as the node says, which some of their signatures have to bear out. Fields that do not make the
 * hash are a lie once those of a transaction of that type have made one.
 */
export function createTransactionReader({ forward }: Pick<Chain, 'forward'>): TransactionReader {
  /** Types of which a transaction made its hash; and those of which too many did not. */
  const [fitting, unprovable] = [new Set<string>(), new Set<string>()]
  let unfit = 0

  const isLie = (type: string): boolean => {
    if (!fitting.has(type) || unprovable.has(type)) return false
    unfit += 1
    if (unfit > unfitMax) unprovable.add(type)
    return unfit <= unfitMax
  }
  const check = async (answer: unknown, hash: Hex): Promise<void> => {
    const said = toTransaction(answer, hash)
    if (!said) return
    const proof = await proveSender(fieldsOf(answer))
    if (proof.kind === 'signed') fitting.add(proof.type)
    if (proof.kind === 'signed' && proof.by !== said.origin)
      throw invalid(`The node names ${said.origin} as sender of transaction ${hash}, but ${proof.by} signed it`)
    if (proof.kind === 'unfit' && isLie(proof.type))
      throw invalid(`The node's fields of transaction ${hash} do not match its hash`)
  }
  return async (hashes) => {
    const found: (Transaction | undefined)[] = []
    for (let from = 0; from < hashes.length; from += atOnceMax) {
      const slice = hashes.slice(from, from + atOnceMax)
      const first = randomInt(slice.length)
      const isProven = (place: number) => (place - first + slice.length) % slice.length < provenMax
      const answers = await Promise.all(
        slice.map((hash, place) =>
          forward('eth_getTransactionByHash', [hash], isProven(place) ? (answer) => check(answer, hash) : undefined),
        ),
      )
      found.push(...slice.map((hash, place) => toTransaction(answers[place], hash)))
      unfit = 0
    }
    return found
  }
}

function toTransaction(answer: unknown, asked: Hex): Transaction | undefined {
  if (answer === null) return undefined
  const { hash, from, gasPrice } = fieldsOf(answer)
  if (typeof hash !== 'string' || hash.toLowerCase() !== asked)
    throw invalid(`The node returned another transaction than ${asked}`, { asked })
  const origin = typeof from === 'string' ? parseAddress(from) : undefined
  if (!origin) throw invalid(`The node returned transaction ${asked} without a sender`, { asked })
  return { origin, gasPriceWei: toWei(gasPrice) }
}

function toWei(gasPrice: unknown): bigint {
  return typeof gasPrice === 'string' && /^0x[0-9a-f]{1,64}$/i.test(gasPrice) ? BigInt(gasPrice) : 0n
}
