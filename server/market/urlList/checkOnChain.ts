import { toLowerHex } from '@chainboard/core'
import type { Chain, TokenFacts } from '../../chain/chain.ts'
import { type Problem, show } from '../../findProblems.ts'
import type { TokenListEntry } from '../tokenList.ts'

/** Tokens asked about at once, four calls each. */
const chunkSize = 64

export type Checked = { readonly entries: readonly TokenListEntry[]; readonly leftOut: readonly Problem[] }

type CheckDeps = {
  readonly chain: Pick<Chain, 'readTokens'>
  /** Entries that were right before: they are not asked about again. */
  readonly known: readonly TokenListEntry[]
  readonly signal: AbortSignal
}

/** Entries whose decimals and symbol are the contract's own, and why the others are not. @throws Failure `rpc-…` */
export async function checkOnChain(entries: readonly TokenListEntry[], { chain, known, signal }: CheckDeps): Promise<Checked> {
  const right = new Set(known.map(toClaim))
  const asked = entries.filter((entry) => !right.has(toClaim(entry)))
  const leftOut: Problem[] = []
  const wrong = new Set<TokenListEntry>()
  for (let from = 0; from < asked.length && !signal.aborted; from += chunkSize) {
    const chunk = asked.slice(from, from + chunkSize)
    const facts = await chain.readTokens(chunk.map(({ address }) => toLowerHex(address)))
    for (const [i, entry] of chunk.entries()) {
      const problem = judge(entry, facts[i])
      if (!problem) continue
      leftOut.push(problem)
      wrong.add(entry)
    }
  }
  return { entries: entries.filter((entry) => !wrong.has(entry)), leftOut }
}

function judge({ address, decimals, symbol }: TokenListEntry, facts: TokenFacts | undefined): Problem | undefined {
  const field = `tokenList ${address}`
  if (facts?.decimals === undefined) return { field, found: 'no token on the chain', wanted: 'a contract with decimals()' }
  if (facts.decimals !== decimals)
    return { field: `${field} decimals`, found: `${decimals}`, wanted: `${facts.decimals}, as on the chain` }
  if (facts.symbol !== symbol)
    return { field: `${field} symbol`, found: show(symbol), wanted: `${show(facts.symbol)}, as on the chain` }
  return undefined
}

function toClaim({ address, decimals, symbol }: TokenListEntry): string {
  return JSON.stringify([address.toLowerCase(), decimals, symbol])
}
