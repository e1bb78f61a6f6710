import type { Hex } from '@chainboard/core'
import { hashedFields, hashHeader } from '../../chain/headerProof.ts'

/** A block as a node gives it. */
export type RawBlock = Readonly<Record<string, unknown>>

/** What an answer has besides its header. */
const beside = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']
const known = new Set<string>([...hashedFields, ...beside])

/**
 * The hash that a block's fields make (yellow paper, 4.3, and the forks since).
 * @returns undefined when a field is missing, or there is one that may belong to it: chains and forks add some
 */
export function toHeaderHash(block: RawBlock): Hex | undefined {
  return Object.keys(block).every((name) => known.has(name)) ? hashHeader(block) : undefined
}
