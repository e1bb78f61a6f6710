import type { StoreLocation } from '../store/storeLocation.ts'
import type { BookFacts } from './book.ts'
import type { SentTransaction } from './session.ts'

// What the thread that answers queries and the one that serves HTTP say to each other.

/** `data`: the query was answered. `store`: the database failed. `refused`: anything else, whose error is the body. */
export type GraphEnd = 'data' | 'store' | 'refused'

/** What the thread is started with. */
export type GraphWorkerData = { readonly store: StoreLocation; readonly facts: BookFacts; readonly timeoutMs: number }

export type ToWorker =
  | { readonly kind: 'query'; readonly id: number; readonly body: string }
  | { readonly kind: 'transactions'; readonly id: number; readonly found: readonly SentTransaction[] }
  | { readonly kind: 'no-transactions'; readonly id: number; readonly message: string }

export type FromWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly body: string; readonly end: GraphEnd }
  | { readonly kind: 'want-transactions'; readonly id: number; readonly hashes: readonly string[] }
  | { readonly kind: 'bug'; readonly error: Error }
