import type { Address } from '@chainboard/core'
import { type Finding, fail, ok } from '../finding.ts'

/** What the contract at a pool's address says; undefined: it does not answer. */
export type PoolFacts = {
  readonly factory: Address | undefined
  readonly token0: Address | undefined
  readonly token1: Address | undefined
  readonly fee: number | undefined
}

export type PoolClaim = {
  readonly field: string
  readonly pool: string
  readonly token: Address
  readonly feeTier: number
  readonly factory: Address
}

/** Whether the pool that the list names for a token is one of the exchange's, of that token and with that fee. Pure. */
export function judgePool({ field, pool, token, feeTier, factory }: PoolClaim, facts: PoolFacts): Finding {
  if (facts.factory === undefined)
    return fail({
      field: `${field}.poolAddress`,
      found: `no pool at ${pool}`,
      wanted: 'a pool of dex.factory',
      todo: 'Look it up on the exchange, or leave priceInfo out: then the server uses the deepest pool',
    })
  if (facts.factory !== factory)
    return fail({
      field: `${field}.poolAddress`,
      found: `a pool of the factory ${facts.factory}`,
      wanted: `one of ${factory}`,
      todo: 'It belongs to another exchange: name a pool of this one, or leave priceInfo out',
    })
  if (facts.token0 !== token && facts.token1 !== token)
    return fail({
      field: `${field}.poolAddress`,
      found: `a pool of ${facts.token0} and ${facts.token1}`,
      wanted: `one of ${token}`,
      todo: "Name a pool of this token's, or leave priceInfo out",
    })
  if (facts.fee !== feeTier)
    return fail({ field: `${field}.feeTier`, found: `${feeTier}`, wanted: `${facts.fee}`, todo: `Write ${facts.fee}` })
  return ok(field, 'is a pool of the exchange')
}
