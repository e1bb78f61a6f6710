import { toValuation } from '../networkFile.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import type { IndexReader } from '../store/indexSwitch.ts'
import type { PriceSource } from './source.ts'
import { createIndexSource, type IndexSourceOptions } from './sources/index/indexSource.ts'

/** Prices from our own index, by the network file's stable coins and depth floor. */
export function createMarketSource(
  index: IndexReader,
  network: NetworkFile,
  known: Pick<IndexSourceOptions, 'headSeconds' | 'holdOf'> = {},
): PriceSource {
  return createIndexSource(index, { ...toValuation(network), ...known })
}
