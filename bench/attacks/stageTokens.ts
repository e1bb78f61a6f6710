import type { Address } from 'viem'
import { getDevAddress } from '../../devnet/addresses.ts'
import { pools as devPools } from '../../devnet/pools.ts'
import { listedTokens } from '../../devnet/tokens.ts'
import { toAddress } from '../hex.ts'
import { NotMeasured } from '../notMeasured.ts'
import { type LabPool, type LabToken, toLabPool } from './pools.ts'

/** The tokens and pools of a stage: those of the devnet, and the attacker's. */
export function createStageTokens() {
  const made = new Map<string, LabToken>()
  const pools = new Map<Address, LabPool>()
  /** @throws NotMeasured for a symbol that is not there */
  const token = (symbol: string): LabToken => {
    const listed = listedTokens.find((each) => each.symbol === symbol)
    const found = made.get(symbol) ?? (listed && { symbol, address: getDevAddress(symbol), decimals: listed.decimals })
    if (!found) throw new NotMeasured(`the lab has no token ${symbol}`)
    return found
  }
  /** The pool that the factory has, or would make; it is counted from now on. */
  const pool = (base: string, quote: string, fee: number): LabPool => {
    const found = toLabPool(token(base), token(quote), fee)
    const kept = { ...found, address: toAddress(found.address) }
    pools.set(kept.address, kept)
    return kept
  }
  for (const { base, quote, feeTier } of devPools) pool(base, quote, feeTier)
  return {
    token,
    pool,
    add: (own: LabToken) => void made.set(own.symbol, own),
    made: () => [...made.values()],
    pools: () => [...pools.values()],
  }
}
