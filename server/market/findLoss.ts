import type { Problem } from '../findProblems.ts'
import type { TokenList } from './tokenList.ts'

/** A changed list may lack a tenth of the tokens, and always this many, but never more than so many, nor all. */
const lostShareMax = 0.1
const lostAlways = 5
const lostMax = 50

/**
 * More tokens gone at once than anybody takes out by hand: a part of a file, or another network's. Pure.
 * @param way how an operator who means it has the list taken
 */
export function findLoss(before: TokenList, next: TokenList, { field, way }: { field: string; way: string }): Problem[] {
  const kept = new Set(next.tokens.map(({ id }) => id))
  const lost = before.tokens.filter(({ id }) => !kept.has(id)).length
  const allowed = Math.min(lostMax, Math.max(lostAlways, Math.floor(before.tokens.length * lostShareMax)))
  const isEmptied = before.tokens.length > 0 && next.tokens.length === 0
  if (lost <= allowed && !isEmptied) return []
  const most = Math.min(allowed, before.tokens.length - 1)
  const wanted = `at most ${most} of ${before.tokens.length} tokens gone at once; ${way}`
  return [{ field, found: `a list without ${lost} of the tokens before`, wanted }]
}
