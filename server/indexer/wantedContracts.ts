import type { Address } from '@chainboard/core'
import type { WantedContracts } from '../chain/chain.ts'
import { decodeCreation } from './decodeLog.ts'
import type { IndexScope } from './storeRange.ts'

/** The factory of the index and its pools. @param known the pools that are in the index */
export function toWantedContracts(
  { factory, onlyTokens }: Pick<IndexScope, 'factory' | 'onlyTokens'>,
  known: () => Promise<readonly Address[]>,
): WantedContracts {
  return {
    factory,
    known,
    listCreated: (logs) =>
      logs.flatMap((log) => {
        const made = decodeCreation({ ...log, timestampSeconds: 0 })
        if (!made || made.factory !== factory) return []
        return !onlyTokens || onlyTokens.has(made.token0) || onlyTokens.has(made.token1) ? made.pool : []
      }),
  }
}
