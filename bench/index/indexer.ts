import type { Devnet } from '@chainboard/devnet'
import type { Postgres } from '../postgres.ts'
import type { ChainFacts, Rows } from './chainFacts.ts'

export type StoreName = 'SQLite' | 'PGlite' | 'PostgreSQL'

/** What a run of an indexer gets, new or the same for all. */
export type Room = {
  readonly signal: AbortSignal
  readonly devnet: Devnet
  readonly facts: ChainFacts
  /** Empty, and removed after the run. */
  readonly folder: string
  readonly postgres: Postgres | undefined
  /** For names of what must differ between runs. */
  readonly runId: string
}

/** What an API has to show after a swap. */
export type Swapped = { readonly pool: Devnet['pools'][number]; readonly sqrtPriceX96: bigint }

/** Times are `performance.now()`. */
export type Completion = {
  /** When its API was up. */
  readonly listeningAt: number
  /** When all the chain held was in its API. */
  readonly completeAt: number
}

/** A program that indexes the chain and has an API. */
export type RunningIndexer = {
  readonly pid: number
  /** `performance.now()` at which the process was started. */
  readonly startedAt: number
  readonly complete: Promise<Completion>
  countRows(): Promise<Rows>
  /** Whether its API shows the price this swap made. */
  shows(swapped: Swapped): Promise<boolean>
  stop(): Promise<void>
}

/** A program to compare. */
export type Indexer = {
  readonly name: string
  readonly store: StoreName
  /** How often it looks for new blocks. */
  readonly pollMs: number
  start(room: Room): Promise<RunningIndexer>
}
