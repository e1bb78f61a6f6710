/**
 * What can be wrong with a token, whatever its price. `lookalike`: it is named like a verified one. `cannot-sell`, `sell-tax`: what a
 * simulated sale came to. `pool-short`: its pool has less of it than it was given. `off-peg`: a stable coin that is not worth a dollar. `supply-contradicts`: the list says another supply than
 * the chain. `supply-changed`: by much, within a day. `decimals-changed`: its contract says others than before.
 */
export const warningCodes = [
  'lookalike',
  'cannot-sell',
  'sell-tax',
  'pool-short',
  'off-peg',
  'supply-contradicts',
  'supply-changed',
  'decimals-changed',
  'one-provider',
] as const

export type WarningCode = (typeof warningCodes)[number]
