import type { Devnet } from '@chainboard/devnet'
import type { Market } from '../faults/market.ts'
import type { Postgres } from '../postgres.ts'
import { percentile } from '../statistics.ts'

/** Where servers are started. */
export type Place = { readonly rpcUrl: string; readonly networksDir: string; readonly signal: AbortSignal }

/** Where trials of servers on one PostgreSQL take place: a chain that trades once a second, and a database server. */
export type Stage = Place & {
  readonly devnet: Devnet
  readonly market: Market
  readonly postgres: Postgres
  /** The chain's newest block. */
  readonly head: () => Promise<number>
}

/** What was done, how often, and what came of it. */
export type Row = readonly [what: string, often: string, result: string]

/** What a trial found. `failures`: what must not be, in words. */
export type Trial = { readonly rows: readonly Row[]; readonly failures: readonly string[] }

/** The failures of which the condition holds. */
export function failuresOf(...found: readonly (readonly [boolean, string])[]): string[] {
  return found.flatMap(([isSo, words]) => (isSo ? [words] : []))
}

/** The median and the largest but one percent, as `12 ms, 40 ms`. */
export function toSpan(values: readonly number[]): string {
  return values.length === 0 ? 'none' : `${percentile(values, 50).toFixed(0)} ms, ${percentile(values, 99).toFixed(0)} ms`
}
