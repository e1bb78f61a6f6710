import { hashedFields, hashHeader } from '../../chain/headerProof.ts'

/** A block as a node gives it. */
export type RawBlock = Readonly<Record<string, unknown>>

/** What an answer has besides its header. */
const beside = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']
const known = new Set<string>([...hashedFields, ...beside])

/**
 * Whether a block's fields make its hash (yellow paper, 4.3, and the forks since).
 * @returns undefined where they do not and that says nothing: a field is missing, or one is not known and may belong to the hash
 */
export function hasItsHash(block: RawBlock): boolean | undefined {
  const hash = hashHeader(block)
  if (hash === undefined) return undefined
  if (hash === block['hash']) return true
  return Object.keys(block).every((name) => known.has(name)) ? false : undefined
}
