import { fieldsOf } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import { toNumber } from './costOf.ts'

const charsMax = 16 * 1024 * 1024
const entriesMax = 5_000
const entryCharsMax = 512 * 1024
/** No answer of a node is believed for longer: it may have been wrong. */
const keptMs = 10 * 60_000

/** An answer of the node as JSON: a long one is serialized once for all clients. */
export type CachedAnswer = { readonly json: string }

/** Answers that do not change any more: which chain it is, and what is well behind its head. */
export type AnswerCache = {
  find(key: string): CachedAnswer | undefined
  /** Keeps the answer if it cannot change. @param result the answer before it was written */
  keep(key: string, call: { readonly method: string; readonly params: unknown }, result: unknown, answer: CachedAnswer): void
  /** The chain has changed its past. */
  clear(): void
}

export type AnswerCacheDeps = {
  /** The newest block; undefined: not known yet, and nothing is well behind it. */
  readonly head: () => number | undefined
  /** Blocks behind the head from which on nothing changes. */
  readonly settledDepth: number
  readonly nowMs: () => number
}

/** An empty cache. */
export function createAnswerCache({ head, settledDepth, nowMs }: AnswerCacheDeps): AnswerCache {
  const answers = new LRUCache<string, CachedAnswer>({
    max: entriesMax,
    maxSize: charsMax,
    maxEntrySize: entryCharsMax,
    sizeCalculation: ({ json }, key) => json.length + key.length,
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now: nowMs },
  })
  return {
    find: (key) => answers.get(key),
    keep: (key, { method, params }, result, answer) => {
      const newest = head()
      const settled = newest === undefined ? undefined : newest - settledDepth
      if (isSettled(method, params, result, settled)) answers.set(key, answer)
    },
    clear: () => answers.clear(),
  }
}

/** What calls are equal by. */
export const keyOf = (method: string, params: unknown): string => `${method} ${JSON.stringify(params)}`

/** @param settled the newest block that does not change any more */
function isSettled(method: string, params: unknown, result: unknown, settled: number | undefined): boolean {
  if (method === 'eth_chainId' || method === 'net_version') return true
  const block = blockOf(method, params, result)
  return block !== undefined && settled !== undefined && block <= settled
}

/** The block that an answer is of; undefined where it is of none, or of the newest. */
function blockOf(method: string, params: unknown, result: unknown): number | undefined {
  const [first]: readonly unknown[] = Array.isArray(params) ? params : []
  switch (method) {
    case 'eth_getBlockByHash':
      return toNumber(fieldsOf(result)['number'])
    case 'eth_getBlockByNumber':
      // A name, such as `latest`, is another block soon.
      return toNumber(first) === undefined ? undefined : toNumber(fieldsOf(result)['number'])
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt':
      return toNumber(fieldsOf(result)['blockNumber'])
    case 'eth_getLogs':
      return toNumber(fieldsOf(first)['toBlock'])
    default:
      return undefined
  }
}
