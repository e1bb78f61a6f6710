import { Failure } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { ReadTransactions, SentTransaction } from './session.ts'

const keptMax = 20_000
/** Transactions that one query may ask the node for. */
export const askedMax = 500
/** Calls under way at once; the chain puts them into few requests. */
const atOnceMax = 50

/**
 * Who sent transactions and at what price of gas, which the index does not keep: read from the node when a query selects it.
 * @param forward one call to the node
 */
export function createSenderReader(forward: (method: string, params: unknown) => Promise<unknown>): ReadTransactions {
  const kept = new LRUCache<string, SentTransaction>({ max: keptMax })
  return async (hashes) => {
    const missing = hashes.filter((hash) => !kept.has(hash))
    if (missing.length > askedMax)
      throw refuse(`\`origin\` and \`gasPrice\` are read from the node, for at most ${askedMax} transactions at once`)
    const found = new Map<string, SentTransaction>()
    for (let from = 0; from < missing.length; from += atOnceMax) {
      const slice = missing.slice(from, from + atOnceMax)
      const answers = await Promise.all(slice.map((hash) => forward('eth_getTransactionByHash', [hash])))
      slice.forEach((hash, i) => {
        const transaction = toSent(answers[i])
        found.set(hash, transaction)
        kept.set(hash, transaction)
      })
    }
    return hashes.map((hash) => {
      const transaction = found.get(hash) ?? kept.get(hash)
      if (!transaction) throw refuse('The node does not have a transaction of the index')
      return transaction
    })
  }
}

function toSent(answer: unknown): SentTransaction {
  const { from, gasPrice } = (answer ?? {}) as { from?: unknown; gasPrice?: unknown }
  if (typeof from !== 'string') throw refuse('The node does not have a transaction of the index')
  return { origin: from.toLowerCase(), gasPrice: typeof gasPrice === 'string' ? BigInt(gasPrice).toString() : '0' }
}

function refuse(message: string): Failure {
  return new Failure('rpc-unavailable', message)
}
