import type { Chain } from '../../server/chain/chain.ts'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import type { Postgres } from '../postgres.ts'
import type { Site } from './site.ts'

/** What all kinds share. */
export type Lab = {
  /** The honest node. */
  readonly rpcUrl: string
  readonly chain: Chain
  readonly networksDir: string
  /** A data folder of a server that has read the chain; stopped. */
  readonly template: string
  /** With a database of the same name `template`, or undefined where PostgreSQL is not installed. */
  readonly postgres: Postgres | undefined
  readonly signal: AbortSignal
}

/**
 * `refuses`: it must not start, and says why. `ends`: it was asked to. `killed`: the system ends it, and its supervisor starts it again.
 * `frozen`: the system does not run it.
 */
export type Absence = 'refuses' | 'ends' | 'killed' | 'frozen'

/** One fault, set up and not begun. */
export type Trial = {
  readonly site: Site
  readonly location: StoreLocation
  /** The site is started by `begin`, into the fault. */
  readonly atStart: boolean
  /** Why no server can answer during the fault. Left out: it has to. */
  readonly absence?: Absence
  begin(): Promise<void> | void
  end(): Promise<void> | void
  /** Words that a person sees besides the status: of a program that refuses to start. */
  words?(): readonly string[]
  close(): Promise<void> | void
}

export type Kind = {
  readonly group: 'node' | 'storage'
  readonly name: string
  /** Everything is served throughout, and it is over within 5 s: else the benchmark fails. */
  readonly outage?: boolean
  /** @returns why this machine cannot make it, or the trial */
  open(lab: Lab): Promise<Trial | string>
}
