import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import { readFactoryFacts } from '../doctor/checkFactory.ts'
import { judgeFactory } from '../doctor/judgeFactory.ts'

/** Most traded contracts that are asked for their factory. */
const poolsMax = 50
const factoriesMax = 5

export type FactoryCandidate = { readonly factory: Address; readonly swaps: number }

/** Factories whose pools were traded lately, the most traded first; each answers as a Uniswap v3 factory. */
export async function listFactories(
  calls: Pick<Chain, 'forward'>,
  swaps: ReadonlyMap<Address, number>,
): Promise<FactoryCandidate[]> {
  const traded = [...swaps].slice(0, poolsMax)
  const factories = await Promise.all(traded.map(([pool]) => readContract(calls, { to: pool, name: 'factory' })))
  const sums = new Map<Address, number>()
  for (const [i, factory] of factories.entries()) if (factory) sums.set(factory, (sums.get(factory) ?? 0) + (traded[i]?.[1] ?? 0))
  const candidates = [...sums].sort(([, a], [, b]) => b - a).slice(0, factoriesMax)
  const refusals = await Promise.all(candidates.map(([factory]) => findRefusal(calls, factory)))
  return candidates.flatMap(([factory, count], i) => (refusals[i] === undefined ? [{ factory, swaps: count }] : []))
}

/** Why an address is no Uniswap v3 factory; undefined when it is one. */
export async function findRefusal(calls: Pick<Chain, 'forward'>, factory: Address): Promise<string | undefined> {
  const [facts, pairs] = await Promise.all([
    readFactoryFacts(calls, factory),
    readContract(calls, { to: factory, name: 'allPairsLength' }),
  ])
  const { level, found } = judgeFactory(facts)
  if (level !== 'fail') return undefined
  if (!facts.hasCode) return 'no contract at this address'
  return pairs === undefined ? found : `a Uniswap v2 factory with ${pairs} pairs`
}
