import { rawToNumber } from '@chainboard/core'
import type { TokenFacts } from '../chain/chain.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { contradictSupply } from '../market/warnings/supplyText.ts'

/** What a file says of a token; what it does not say is not compared. */
export type TokenClaim = {
  readonly field: string
  readonly address: string
  readonly symbol: string | undefined
  readonly decimals: number | undefined
  /** Whole tokens. */
  readonly supply?: number | undefined
}

/** Compares a token's contract with what the file says of it. `hasCode`: whether any contract is there. Pure. */
export function judgeToken(
  { field, address, symbol, decimals, supply }: TokenClaim,
  facts: TokenFacts,
  hasCode: boolean,
): Finding {
  const todo = "Look up the token's address on this chain"
  if (!hasCode) return fail({ field, found: `no contract at ${address}`, wanted: 'a token', todo })
  if (facts.decimals === undefined)
    return fail({ field, found: `a contract without decimals() at ${address}`, wanted: 'a token', todo })
  if (decimals !== undefined && decimals !== facts.decimals)
    return fail({
      field: `${field}.decimals`,
      found: `${decimals}, but ${facts.decimals} on the chain`,
      wanted: `${facts.decimals}`,
      todo: `Write ${facts.decimals}: amounts are wrong by a factor of 10^${Math.abs(decimals - facts.decimals)} otherwise`,
    })
  if (symbol !== undefined && symbol !== facts.symbol)
    return warn({
      field: `${field}.symbol`,
      found: `"${symbol}", but "${facts.symbol}" on the chain`,
      wanted: 'the same',
      todo: 'Check that it is the token you mean; tokens may be renamed',
    })
  const onChain = rawToNumber(facts.totalSupplyRaw, facts.decimals)
  const contradiction = supply === undefined ? undefined : contradictSupply(supply, onChain)
  if (contradiction !== undefined)
    return warn({
      field: `${field}.supply`,
      found: contradiction,
      wanted: 'the supply that the market cap should use',
      todo: 'Leave it out: then the server reads it from the chain every few minutes. Keep it if it is more accurate than the contract',
    })
  return ok(field, `${facts.symbol || 'the token'} has ${facts.decimals} decimals`)
}
