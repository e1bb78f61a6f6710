import { toLowerHex } from '@chainboard/core'
import type { Db, StoreReader } from '../store/store.ts'
import type { BookFacts } from './book.ts'
import { keepBooks } from './bookKeeper.ts'
import { createGraph, type Graph } from './createGraph.ts'
import { type ReadTransactions, type SessionDeps, startSession } from './session.ts'

export type GraphParts = {
  readonly reader: StoreReader
  readonly facts: BookFacts
  readonly readTransactions: ReadTransactions
  readonly onBug: (error: unknown) => void
  readonly onStoreFailure?: () => void
  readonly lookedThroughMax?: number
  /** Letters of an answer, for tests of the limit. */
  readonly answerLengthMax?: number
}

/** GraphQL over a store: every query sees one state of it, whatever is written meanwhile. */
export function openGraph({ reader, facts, readTransactions, lookedThroughMax, ...options }: GraphParts): Graph {
  const keeper = keepBooks(facts)
  const toDeps = (db: Db): SessionDeps => ({
    db,
    engine: reader.engine,
    ...(lookedThroughMax !== undefined && { lookedThroughMax }),
    readTransactions,
    readNewest: () => keeper.readNewest(db),
    readPast: (number, newest) => keeper.readPast(db, number, newest),
    findByHash: async (hash) => {
      const row = await db.selectFrom('blocks').select('number').where('hash', '=', toLowerHex(hash)).executeTakeFirst()
      return row?.number
    },
  })
  return createGraph((work) => reader.readConsistently((tx) => work(startSession(toDeps(tx)))), options)
}
