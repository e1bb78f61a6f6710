import { type Address, parseAddress } from '@chainboard/core'
import type { NetworkFile } from '../networkFile.ts'
import type { Store } from '../store/store.ts'
import type { PriceSource } from './source.ts'
import { createIndexSource } from './sources/indexSource.ts'

const e18PerCent = 10n ** 16n

/** The source of prices that the network file names. */
export function createMarketSource(store: Store, { usdc, otherStables = [], prices }: NetworkFile): PriceSource {
  return createIndexSource(store, {
    stables: [usdc.address, ...otherStables].map((address) => parseAddress(address) as Address),
    depthFloorUsdE18: BigInt(Math.round(prices.depthFloorUsd * 100)) * e18PerCent,
  })
}
