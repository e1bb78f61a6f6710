import type { Address, WireWarning } from '@chainboard/core'
import type { LiveList } from './market/liveList.ts'
import { followSales, type Sales, type SalesDeps } from './market/sales/followSales.ts'
import type { ListedToken } from './market/tokenList.ts'
import { createSupplyBook } from './market/warnings/supplyBook.ts'
import { warnOfChange, warnOfContradiction } from './market/warnings/supplyText.ts'

/** What the server learns of tokens by itself, beside their prices. In memory only: a start knows nothing yet. */
export type Warnings = {
  /** What is known at this moment. */
  warn(token: ListedToken): readonly WireWarning[]
  /** Takes a reading of a token's supply, in whole tokens. */
  onSupply(token: Address, supply: number): void
  /** Begins to simulate sales. */
  followSales(deps: Omit<SalesDeps, 'nowMs'>): void
  stop(): Promise<void>
}

export function openWarnings(list: Pick<LiveList, 'find'>, nowMs: () => number): Warnings {
  const supplies = createSupplyBook((token) => list.find(token) !== undefined)
  let sales: Sales | undefined
  return {
    warn: ({ id, supply }) => [
      ...(sales?.find(id) ?? []),
      ...warnOfContradiction(supply, supplies.find(id)),
      ...warnOfChange(supplies.findChange(id, nowMs() / 1000)),
    ],
    onSupply: (token, supply) => supplies.note(token, supply, nowMs() / 1000),
    followSales: (deps) => {
      sales = followSales({ ...deps, nowMs })
    },
    stop: async () => sales?.stop(),
  }
}
