import type { Address } from '@chainboard/core'
import { callMany } from '../chain/callMany.ts'
import type { Chain, TokenFacts } from '../chain/chain.ts'
import { readManyTokenFacts } from '../chain/readTokenFacts.ts'
import { type CorrectedToken, correctTokens } from '../store/correctTokens.ts'
import type { Store } from '../store/store.ts'
import type { TokenFactsRow } from '../store/tokens.ts'

/** Asked in a turn: tokens that do not answer cost a call for each question. */
const askedMax = 50
/** Most of them never answer: the waits double, within these bounds. */
const waitFirstMs = 60_000
const waitMaxMs = 86_400_000
/** Tokens whose waits are remembered; the oldest go first. */
const rememberedMax = 10_000

export type MendingDeps = {
  readonly chain: Pick<Chain, 'forward'>
  readonly store: Store
  readonly multicall: Address
  readonly nowMs: () => number
}

/** @returns the tokens that are mended @throws Failure as the node and the store do */
export type MendTokens = (tokens: readonly TokenFactsRow[]) => Promise<Address[]>

/**
 * Asks tokens again that had no symbol or no decimals when the index came by them: the contract may have been set up later, or the node
 * was a wrong one. What they say now is stored. New decimals change dollars: all blocks since the token's first pool are valued again.
 */
export function createMending({ chain, store, multicall, nowMs }: MendingDeps): MendTokens {
  const waits = new Map<Address, { readonly waitMs: number; readonly untilMs: number }>()
  const isDue = ({ address }: TokenFactsRow) => (waits.get(address)?.untilMs ?? 0) <= nowMs()
  const wait = (address: Address) => {
    const waitMs = Math.min(waitMaxMs, 2 * (waits.get(address)?.waitMs ?? waitFirstMs / 2))
    waits.delete(address)
    waits.set(address, { waitMs, untilMs: nowMs() + waitMs })
    for (const oldest of waits.keys()) {
      if (waits.size <= rememberedMax) break
      waits.delete(oldest)
    }
  }
  return async (tokens) => {
    const open = tokens.filter((token) => isOpen(token) && isDue(token)).slice(0, askedMax)
    if (open.length === 0) return []
    const addresses = open.map(({ address }) => address)
    const said = await readManyTokenFacts(addresses, (calls) => callMany(chain, calls, { multicall, block: 'latest' }))
    for (const address of addresses) wait(address)
    const mended = open.flatMap((token, i) => mend(token, said[i]) ?? [])
    if (mended.length > 0) await store.write((tx) => correctTokens(tx, mended))
    return mended.map(({ address }) => address)
  }
}

function isOpen({ symbol, decimals }: Pick<TokenFacts, 'symbol' | 'decimals'>): boolean {
  return symbol === '' || decimals === undefined
}

/** What was stored, with what was open filled in; undefined when nothing is new. */
function mend({ address, symbol, name, decimals }: TokenFactsRow, said: TokenFacts | undefined): CorrectedToken | undefined {
  const now = { symbol: symbol || (said?.symbol ?? ''), name: name || (said?.name ?? ''), decimals: decimals ?? said?.decimals }
  if (now.symbol === symbol && now.name === name && now.decimals === decimals) return undefined
  // Without decimals there were no dollars.
  return { address, ...now, isNewlyCounted: now.decimals !== decimals, isWrong: false }
}
