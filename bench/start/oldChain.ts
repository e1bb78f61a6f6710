import { type Static, Type } from 'typebox'
import { chainSchema, limitsSchema } from '../fabricatedFacts.ts'

/** What the process of a node is started with. */
export const oldChain = Type.Object({
  chain: chainSchema,
  limits: limitsSchema,
  /** Whether it answers with the transactions of a block where they are requested, and not with their hashes alone. */
  tellsTransactions: Type.Optional(Type.Boolean()),
})
export type OldChain = Static<typeof oldChain>
