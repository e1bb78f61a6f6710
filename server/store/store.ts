import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** A connection to read from, or a transaction: every table's functions take either. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export type WriteOptions = {
  /**
   * For what the chain tells again: SQLite does not wait for the disk at the end. The last of these transactions can be gone after a power cut, each
   * whole, and none that a durable one followed. The end of a process loses nothing. PostgreSQL always waits.
   */
  readonly asyncCommit?: boolean
}

/** The database behind the product: SQLite in a file, or PostgreSQL. */
export type Store = {
  readonly engine: 'sqlite' | 'postgres'
  /** For reading only; sees what was committed. */
  readonly read: Db
  /** Runs several reads against one and the same state of the database. */
  readConsistently<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in one transaction, durable unless `options` say otherwise; what it throws undoes all of it. SQLite runs one at a time. */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Resolves when the database answers and keeps what is written. @throws Failure `store-…` */
  ping(): Promise<void>
  /** Milliseconds that the oldest statement under way has no answer; absent where a database is no process of its own. */
  readonly silentMs?: () => number
  /** The same data with limits for what a request waits for; absent where every answer is quick. Closed with the store. */
  readonly forRequests?: Store
  close(): Promise<void>
}

/** A store that can be read and nothing else; its tables are already there. */
export type StoreReader = Omit<Store, 'write' | 'ping'>
