import type { Address } from '@chainboard/core'
import type { Chain, WantedContracts } from '../chain/chain.ts'
import { decodeCreation } from './decodeLog.ts'
import type { IndexScope } from './indexScope.ts'
import { describeTokens, wantsPool } from './settleScope.ts'

/** The same chain, of which the logs of named contracts alone are read: for an index of few pools. */
export function toNarrowChain(chain: Chain): Chain {
  const narrow = <R extends { readonly contracts?: WantedContracts }>(request: R): R =>
    request.contracts ? { ...request, contracts: { ...request.contracts, only: true } } : request
  return {
    ...chain,
    readRange: (request) => chain.readRange(narrow(request)),
    readHistory: (request) => chain.readHistory(narrow(request)),
  }
}

/** Equal texts for equal sets of pools. */
export function describeWanted({ onlyTokens, exceptTokens }: Pick<IndexScope, 'onlyTokens' | 'exceptTokens'>): string {
  return `${describeTokens(onlyTokens)} without ${exceptTokens ? describeTokens(exceptTokens) : 'none'}`
}

/** The factory of the index and its pools. @param known the pools that are in the index */
export function toWantedContracts(
  scope: Pick<IndexScope, 'factory' | 'onlyTokens' | 'exceptTokens'>,
  known: () => Promise<readonly Address[]>,
): WantedContracts {
  return {
    factory: scope.factory,
    known,
    listCreated: (logs) =>
      logs.flatMap((log) => {
        const made = decodeCreation({ ...log, timestampSeconds: 0 })
        if (!made || made.factory !== scope.factory) return []
        return wantsPool(scope, made.token0, made.token1) ? made.pool : []
      }),
  }
}
