import { type Address, requireAddress } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { mapAtOnce } from '../chain/mapAtOnce.ts'
import { noAddress, readContract } from '../chain/readContract.ts'

/** Fees, in millionths, that factories of this kind are known to make pools of. */
const usualFees = [100, 200, 250, 300, 400, 500, 750, 1_000, 2_500, 3_000, 5_000, 10_000, 20_000]
const callsAtOnce = 16

export type FactoryPool = { readonly address: Address; readonly token0: Address; readonly token1: Address; readonly fee: number }

export type PairRequest = {
  readonly factory: Address
  readonly block: number
  /** Every pool between one of these … */
  readonly bases: readonly Address[]
  /** … and one of those. */
  readonly quotes: readonly Address[]
  /** Fees that are known to be in use. */
  readonly fees: readonly number[]
}

/** The pools that a factory names between some tokens, of all its fees. @throws Failure `rpc-…` as the node does */
export async function listPools(chain: Chain, { factory, block, bases, quotes, fees }: PairRequest): Promise<FactoryPool[]> {
  const asked = [...new Set([...fees, ...usualFees])]
  const spacings = await mapAtOnce(asked, callsAtOnce, (fee) =>
    readContract(chain, { to: factory, name: 'feeAmountTickSpacing', args: [fee], block }),
  )
  const enabled = asked.filter((_, i) => (spacings[i] ?? 0) !== 0)
  const pairs = new Map<string, readonly [Address, Address]>()
  for (const base of bases)
    for (const quote of quotes) {
      const [token0, token1] = base < quote ? [base, quote] : [quote, base]
      if (base !== quote) pairs.set(token0 + token1, [token0, token1])
    }
  const wanted = [...pairs.values()].flatMap(([token0, token1]) => enabled.map((fee) => ({ token0, token1, fee })))
  const found = await mapAtOnce(wanted, callsAtOnce, ({ token0, token1, fee }) =>
    readContract(chain, { to: factory, name: 'getPool', args: [token0, token1, fee], block }),
  )
  return wanted.flatMap((pool, i) => {
    const address = found[i]
    return address === undefined || address === noAddress ? [] : [{ ...pool, address }]
  })
}

/** Decimals of tokens; those that do not say are left out. */
export async function readDecimals(chain: Chain, tokens: Iterable<Address>, block: number): Promise<Map<Address, number>> {
  const all = [...new Set(tokens)]
  const answers = await mapAtOnce(all, callsAtOnce, (to) => readContract(chain, { to, name: 'decimals', block }))
  return new Map(all.flatMap((token, i) => (answers[i] === undefined ? [] : [[token, answers[i]] as const])))
}

/** An address of a receipt, in lower case. @throws Failure `upstream-invalid` for what is none */
export function toAddress(text: string): Address {
  return requireAddress(text, 'upstream-invalid')
}
