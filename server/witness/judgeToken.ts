import type { TokenFacts } from '../chain/chain.ts'

/** Asked first so long after it is known, and again as soon after an answer that the index does not have. */
const waitFirstMs = 60_000
/** So many of these answers may be errors of nodes. With each further one the waits double: it is the token that changes. */
const patience = 3
const waitMaxMs = 86_400_000
/** What nodes say has to stand for so long: that it is as stored, something else, or nothing where there was something. */
const standing = { same: 180_000, other: 60_000, silent: 600_000 } as const
/** A token that is corrected more often changes by itself. */
const correctionsMax = 3

/** What a token is called, and how it is counted. */
export type TokenText = Pick<TokenFacts, 'symbol' | 'name' | 'decimals'>

/** A token that was not read a second time yet. */
export type OpenToken = {
  readonly stored: TokenText
  readonly dueAtMs: number
  /** Answers so far that were not as stored. */
  readonly contradictions: number
  /** What nodes say of it, and since when. */
  readonly claim?: { readonly said: TokenText; readonly sinceMs: number } | undefined
  readonly corrections: number
  /** Whether nodes contradict its decimals: they erred before, or do now. Not of a token that keeps changing. */
  readonly isDoubted: boolean
}

/** What more than half of the nodes that answered say. `isOfMost`: they are more than half of all nodes. */
export type Said = { readonly text: TokenText; readonly isOfMost: boolean }

export type Judgement = { readonly kind: 'wait' | 'confirm' | 'correct'; readonly open: OpenToken }

/** A token that was stored just now, or found in the store at a start. */
export function beginToken(stored: TokenText, nowMs: number): OpenToken {
  return { stored, dueAtMs: nowMs + waitFirstMs, contradictions: 0, corrections: 0, isDoubted: false }
}

/**
 * Decides about a token by what its nodes say now. What is stored is confirmed when they have said it for three minutes, and corrected
 * when they have said something else for one.
 * @param said undefined: no more than half say the same
 */
export function judgeToken(open: OpenToken, said: Said | undefined, nowMs: number): Judgement {
  const { stored, corrections, contradictions } = open
  if (!said) return { kind: 'wait', open: { ...open, ...later(open, nowMs), claim: undefined, isDoubted: false } }
  const { text } = said
  const kind = isSameText(text, stored) ? 'same' : isSilent(text, stored) ? 'silent' : 'other'
  const isRepeated = open.claim !== undefined && isSameText(open.claim.said, text)
  const claim = isRepeated && open.claim ? open.claim : { said: text, sinceMs: nowMs }
  if (nowMs - claim.sinceMs < standing[kind]) {
    const times = kind === 'same' ? { dueAtMs: nowMs + standing.same } : later(open, nowMs)
    const isDoubted =
      kind === 'other' && contradictions < patience && stored.decimals !== undefined && stored.decimals !== text.decimals
    return { kind: 'wait', open: { ...open, ...times, claim, isDoubted } }
  }
  if (kind !== 'same' && corrections >= correctionsMax) return { kind: 'confirm', open }
  if (kind !== 'same')
    return { kind: 'correct', open: { stored: text, ...later(open, nowMs), corrections: corrections + 1, isDoubted: false } }
  if (said.isOfMost) return { kind: 'confirm', open }
  return { kind: 'wait', open: { ...open, ...later(open, nowMs), claim, isDoubted: false } }
}

/** Whether two answers agree in all that is stored of a token but its supply. */
export function isSameText(a: TokenText, b: TokenText): boolean {
  return a.symbol === b.symbol && a.name === b.name && a.decimals === b.decimals
}

/** A contract that says nothing any more, or a node that lets none run. */
function isSilent(text: TokenText, stored: TokenText): boolean {
  const lost = [
    stored.symbol && !text.symbol,
    stored.name && !text.name,
    stored.decimals !== undefined && text.decimals === undefined,
  ]
  return lost.some(Boolean)
}

function later({ contradictions }: OpenToken, nowMs: number): Pick<OpenToken, 'dueAtMs' | 'contradictions'> {
  const doublings = Math.max(0, contradictions + 1 - patience)
  return { dueAtMs: nowMs + Math.min(waitMaxMs, waitFirstMs * 2 ** doublings), contradictions: contradictions + 1 }
}
