import type { Address } from '@chainboard/core'
import type { Parties } from './findParties.ts'
import type { OrganicDeps } from './keepOrganic.ts'
import type { rankTraders } from './measureOrganic.ts'
import { keepHanded, listOrigins, type OriginCheck, pickToCheck } from './originChecks.ts'
import type { TradedPool } from './readTradedPools.ts'
import { readTransfers } from './readTransfers.ts'

export type CheckRequest = {
  readonly candidates: readonly Address[]
  readonly providerOf: Parties['providerOf']
  readonly ranks: ReturnType<typeof rankTraders>
  readonly pools: readonly TradedPool[]
  readonly checks: Map<Address, OriginCheck>
  readonly toBlock: number
}

const nobody: ReadonlyMap<Address, bigint> = new Map()

/**
 * Reads the transfers between the wallets of the tokens whose turn it is.
 * @returns how many tokens were checked
 * @throws Failure of the codes `rpc-…`
 */
export async function checkOrigins(
  { chain, quotes, spanMax, nowMs }: Pick<OrganicDeps, 'chain' | 'quotes' | 'spanMax' | 'nowMs'>,
  { candidates, providerOf, ranks, pools, checks, toBlock }: CheckRequest,
): Promise<number> {
  const origins = new Map(
    candidates.map((token) => [token, listOrigins(token, pools, { ranks: ranks.get(token) ?? nobody, providerOf })]),
  )
  const due = pickToCheck(candidates, (token) => origins.get(token) ?? [], { checks, nowMs: nowMs() })
  const blocks = pools.flatMap(({ trades }) => trades[0]?.blockNumber ?? [])
  const fromBlock = blocks.reduce((first, block) => Math.min(first, block), toBlock)
  for (const token of due) {
    const own = origins.get(token) ?? []
    const tokens = [...new Set([token, ...quotes])]
    const handed = await readTransfers(chain, { tokens, origins: own, fromBlock, toBlock, spanMax })
    const check = { origins: new Set<string>(own), atMs: nowMs() }
    console.log(
      'checked',
      own.length,
      own.slice(0, 3),
      own.filter((a) => a.startsWith('0x00000000000000000000000000000000000010')).length,
      handed.length,
    )
    checks.set(token, { ...check, handed: keepHanded(checks.get(token)?.handed ?? [], { ...check, handed }) })
  }
  return due.length
}
