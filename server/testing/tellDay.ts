import { FakeChain } from '../chain/fakeChain.ts'
import { alphaPool, betaPool, lone, openMarket, provide, sqrtPrices, swap, thinPool, wrappedPool } from './market.ts'

const hour = 3_600

/** Pools, then a day in which ALPHA goes from 6.25 to 25 dollars; the rest stays. Told in hours from 40 h before 1,699,999,200. */
export function tellDay(): FakeChain {
  const chain = new FakeChain({ genesisAtSeconds: 1_699_999_200 - 40 * hour - 12 })
  openMarket(chain)
  // Two swaps of one hour: down to 1,600 dollars (10^18 / (1600 x 10^6) = 25,000^2) and back.
  const wrappedAt1600 = 25_000n * 2n ** 96n
  chain.mine(
    [
      // Half of ALPHA's pool is another wallet's.
      provide(alphaPool, lone, 10n ** 17n),
      swap(wrappedPool, wrappedAt1600, -1_600_000_000n, 10n ** 18n),
      swap(wrappedPool, sqrtPrices.wrappedAt2500, 2_500_000_000n, -(10n ** 18n)),
    ],
    4 * hour,
  )
  chain.mine([swap(wrappedPool, sqrtPrices.wrappedAt2500, -2_500_000_000n, 10n ** 18n)], 0.25 * hour)
  chain.mine(
    [
      swap(betaPool, sqrtPrices.betaAtQuarter, 50_000_000n, -200n * 10n ** 18n, 10n ** 18n),
      swap(thinPool, sqrtPrices.thinAt1, 1n, -(10n ** 12n), 10n ** 13n),
    ],
    hour,
  )
  // 24 hours before the last block lie between these two, in the middle of their hour.
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt6, -8n * 10n ** 8n, 2n * 10n ** 16n)], 9 * hour)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt6, -4n * 10n ** 8n, 10n ** 16n)], 0.5 * hour)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, -2n * 10n ** 8n, 2n * 10n ** 16n)], 20.25 * hour)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, 10n ** 8n, -(10n ** 16n))], 2 * hour)
  chain.mine([], 1.5 * hour)
  return chain
}
