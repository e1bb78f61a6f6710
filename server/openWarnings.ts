import type { Address } from '@chainboard/core'
import type { TokenReading } from './indexer/followSupplies.ts'
import type { LiveList } from './market/liveList.ts'
import { followSales, type Sales, type SalesDeps } from './market/sales/followSales.ts'
import type { Learned } from './market/takeSnapshot.ts'
import { createDecimalsBook } from './market/warnings/decimalsBook.ts'
import { createSupplyBook } from './market/warnings/supplyBook.ts'
import { warnOfChange, warnOfContradiction } from './market/warnings/supplyText.ts'

/** What the server learns of tokens by itself, beside their prices. In memory only: a start knows nothing yet. */
export type Warnings = Learned & {
  /** Takes what a token's contract says now. */
  onReading(token: Address, reading: TokenReading): void
  /** Begins to simulate sales. */
  followSales(deps: Omit<SalesDeps, 'nowMs'>): void
  stop(): Promise<void>
}

/** @param wrapped the token that anybody can make more of by handing in coins, and less: its supply changes with its use */
export function openWarnings(list: Pick<LiveList, 'find'>, nowMs: () => number, wrapped: Address | undefined): Warnings {
  const supplies = createSupplyBook((token) => list.find(token) !== undefined)
  const decimals = createDecimalsBook()
  let sales: Sales | undefined
  return {
    warn: ({ id, supply }) => [
      ...(sales?.find(id) ?? []),
      ...warnOfContradiction(supply, supplies.find(id)),
      ...warnOfChange(id === wrapped ? undefined : supplies.findChange(id, nowMs() / 1000)),
      ...decimals.warn(id),
    ],
    findSupply: (token) => supplies.findServed(token, nowMs() / 1000),
    onReading: (token, reading) => {
      supplies.note(token, reading, nowMs() / 1000)
      if (list.find(token)) decimals.note(token, reading)
    },
    followSales: (deps) => {
      sales = followSales({ ...deps, nowMs })
    },
    stop: async () => sales?.stop(),
  }
}
