import { type ActRow, noHash, toChainText } from '../store/adminActs.ts'

/** What the check of an audit log comes to. `seq`: of the entry where it breaks. */
export type ChainVerdict =
  | { readonly kind: 'whole'; readonly first: number; readonly last: number; readonly hash: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'broken'; readonly seq: number; readonly why: string }

export type ChainParts = {
  /** Where the database says that the log ends; undefined when it says nothing. */
  readonly end: { readonly seq: number; readonly hash: string } | undefined
  /** The digest of the acts from before the log; undefined when there are none, or some were removed for their age. */
  readonly beforeDigest: string | undefined
  /** Entries that are never removed. Without the first ones, there have to be as many. */
  readonly keptMin: number
  /** The hash that entries have, made with the secret of this site. */
  readonly hashOf: (text: string) => string
  /** An entry that was noted elsewhere, and has to be in the log. */
  readonly noted?: { readonly seq: number; readonly hash: string } | undefined
}

/**
 * Whether a log of operators' acts is as it was written: every entry has its hash and follows the one before it, none is missing, and it
 * ends where the database says. Somebody who has the database but not the secret cannot make another log that is intact.
 * @param rows those with a place in the log, in order
 */
export async function checkChain(rows: AsyncIterable<ActRow>, parts: ChainParts): Promise<ChainVerdict> {
  const { end, keptMin, noted } = parts
  let first: ActRow | undefined
  let last: ActRow | undefined
  let hasNoted = false
  for await (const row of rows) {
    const why = findBreak(row, last, parts)
    if (why !== undefined) return broken(row.seq ?? 0, why)
    if (noted && row.seq === noted.seq) {
      if (row.hash !== noted.hash) return broken(noted.seq, 'its hash differs from the noted one')
      hasNoted = true
    }
    first ??= row
    last = row
  }
  const [firstSeq, lastSeq] = [first?.seq ?? 0, last?.seq ?? 0]
  if ((end?.seq ?? 0) !== lastSeq) return broken(lastSeq + 1, `entries up to ${end?.seq ?? 0} are missing`)
  if (noted && !hasNoted && noted.seq >= firstSeq) return broken(noted.seq, 'the entry that was noted is missing')
  if (!last?.hash) return { kind: 'empty' }
  if (end?.hash !== last.hash) return broken(lastSeq, 'the log ends with another entry')
  if (firstSeq > 1 && lastSeq - firstSeq + 1 < keptMin)
    return broken(firstSeq, `the entries before it are missing, although the newest ${keptMin} are kept`)
  return { kind: 'whole', first: firstSeq, last: lastSeq, hash: last.hash }
}

function findBreak(row: ActRow, before: ActRow | undefined, { beforeDigest, hashOf }: ChainParts): string | undefined {
  if (before && row.seq !== (before.seq ?? 0) + 1) return `entry ${(before.seq ?? 0) + 1} is missing before it`
  if (before && row.previous !== before.hash) return 'it does not follow the entry before it'
  if (row.seq === 1 && row.previous !== (beforeDigest ?? noHash)) return 'the acts from before the log were changed'
  if (row.hash !== hashOf(toChainText(row))) return 'its content has changed, or the pepper is a different one'
  return undefined
}

function broken(seq: number, why: string): ChainVerdict {
  return { kind: 'broken', seq, why }
}
