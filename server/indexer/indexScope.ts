import type { Address } from '@chainboard/core'
import type { Valuation } from './world.ts'

/** What the index is built from. Another factory makes it another index; tokens are added to it, and another valuation values it again. */
export type IndexScope = {
  readonly factory: Address
  /** Tokens whose pools are kept; undefined keeps every pool of the factory. */
  readonly onlyTokens: ReadonlySet<Address> | undefined
  /** Tokens whose pools are left out all the same; absent: none. */
  readonly exceptTokens?: ReadonlySet<Address> | undefined
  readonly valuation: Valuation
}
