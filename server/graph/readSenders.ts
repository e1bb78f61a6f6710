import { Failure, type Hex, lruLimit, toLowerHex } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { ReadTransactions, SentTransaction } from './session.ts'

/** Who sent a transaction, and what a unit of gas cost, in wei. */
type Transaction = { readonly origin: string; readonly gasPriceWei: bigint }

const keptMax = 20_000
/** Transactions that one query may ask the node for. */
export const askedMax = 500
/** Transactions that all queries together may ask the node for within a minute. */
export const askedPerMinuteMax = 5_000
const windowMs = 60_000
/** Read at once: a query that ends meanwhile asks for no more. */
const atOnceMax = 50

/**
 * Who sent transactions and at what price of gas, which the index does not keep: read from the node when a query selects it.
 * @param read reads transactions from the node, in the order asked; undefined for one that it does not have
 * @param now milliseconds of any clock
 */
export function createSenderReader(
  read: (hashes: readonly Hex[]) => Promise<readonly (Transaction | undefined)[]>,
  now: () => number = () => performance.now(),
): ReadTransactions {
  const spend = createAskBudget(now)
  const kept = new LRUCache<string, SentTransaction>(lruLimit(keptMax))
  return async (hashes, ended) => {
    const missing = hashes.filter((hash) => !kept.has(hash))
    spend(missing.length, ended)
    const found = new Map<string, SentTransaction>()
    for (let from = 0; from < missing.length; from += atOnceMax) {
      if (ended?.aborted) throw refuse('The query has ended')
      const slice = missing.slice(from, from + atOnceMax)
      const answers = await read(slice.map(toLowerHex))
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

/** Counts what each query and all of them ask for. A call without a query is one of its own. */
function createAskBudget(now: () => number): (count: number, query?: AbortSignal) => void {
  const ofQuery = new WeakMap<AbortSignal, number>()
  let [startedMs, ofAll] = [now(), 0]
  return (count, query) => {
    const asked = (query ? (ofQuery.get(query) ?? 0) : 0) + count
    if (asked > askedMax)
      throw refuse(`\`origin\` and \`gasPrice\` are read from the node, for at most ${askedMax} transactions per query`)
    if (now() - startedMs >= windowMs) [startedMs, ofAll] = [now(), 0]
    if (ofAll + count > askedPerMinuteMax)
      throw refuse(`\`origin\` and \`gasPrice\` were queried too often in this minute. Try again in a minute, or leave them out`)
    ofAll += count
    if (query) ofQuery.set(query, asked)
  }
}

function toSent(transaction: Transaction | undefined): SentTransaction {
  if (!transaction) throw refuse('The node does not have a transaction of the index')
  return { origin: transaction.origin, gasPrice: transaction.gasPriceWei.toString() }
}

function refuse(message: string): Failure {
  return new Failure('rpc-unavailable', message)
}
