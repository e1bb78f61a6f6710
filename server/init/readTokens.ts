import { type Address, toDisplayText } from '@chainboard/core'
import type { Chain, TokenFacts } from '../chain/chain.ts'
import { readTokenFacts } from '../chain/readTokenFacts.ts'

const symbolMax = 32
const nameMax = 64

/** What a token's contract says of itself, made harmless: one line each, never empty. */
export type ReadToken = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  /** Undefined: it says none that amounts can be counted in, and cannot be listed. */
  readonly decimals: number | undefined
}

/** Asks tokens for their names. Whatever they answer, and whether they do, there is something to call them by. */
export async function readTokens(calls: Pick<Chain, 'forward'>, addresses: readonly Address[]): Promise<Map<Address, ReadToken>> {
  const facts = await readTokenFacts((method, params) => calls.forward(method, params), addresses)
  return new Map(facts.map((each) => [each.address, toReadToken(each)]))
}

function toReadToken({ address, symbol, name, decimals }: TokenFacts): ReadToken {
  const shown = toDisplayText(symbol, shorten(address), symbolMax)
  return { address, symbol: shown, name: toDisplayText(name, shown, nameMax), decimals }
}

/** `0x1234…abcd`, for a token without a symbol. */
function shorten(address: Address): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
