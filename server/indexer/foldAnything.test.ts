import { type Address, tickAtSqrtPrice } from '@chainboard/core'
import fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import type { ChainLog } from '../chain/chain.ts'
import { firstHour, openMarket, pool, put, token } from '../testing/foldedMarket.ts'
import { alphaPool, usdc, wrappedPool } from '../testing/market.ts'
import { decodePoolEvent, poolTopics } from './decodeLog.ts'
import { foldAll } from './storeWorld.ts'

const strangeToken = `0x${'99'.repeat(20)}` as Address
const strangePool = `0x${'b1'.repeat(20)}` as Address

/** Ends of what fits into a field, of prices and of ticks, and one in the middle. */
const edges = [
  ...[0n, 1n, -1n, 60n, -60n, 120n, 10n ** 18n, 10n ** 40n, 2n ** 96n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 255n, 2n ** 256n - 1n],
  ...[887_271n, 887_272n, -887_272n, 4_295_128_739n, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n],
]
const word = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }))
const toWord = (value: bigint) => numberToHex(BigInt.asUintN(256, value), { size: 32 })
/** Topics besides the first, in the order of `poolTopics`: Initialize, Swap, Mint, Burn, Collect, Flash. */
const indexedCounts = [0, 2, 3, 3, 3, 2]
/** Where the price of an Initialize and of a Swap stands among the words of data, and its tick. */
const pricePlaces: readonly (readonly [number, number] | undefined)[] = [
  [0, 1],
  [2, 4],
]
const [priceMin, priceMax] = [4_295_128_739n, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n]

const log = fc
  .record({
    address: fc.constantFrom<Address>(alphaPool, wrappedPool, strangePool),
    kind: fc.nat(poolTopics.length - 1),
    indexed: fc.tuple(word, word, word),
    data: fc.tuple(word, word, word, word, word),
    fits: fc.boolean(),
  })
  .map(({ address, kind, indexed, data, fits }) => {
    const [priceAt, tickAt] = pricePlaces[kind] ?? []
    const price = priceAt === undefined ? 0n : (data[priceAt] as bigint)
    const isPrice = tickAt !== undefined && price >= priceMin && price <= priceMax
    const words = fits && isPrice ? data.with(tickAt, BigInt(tickAtSqrtPrice(price))) : data
    const topics = [poolTopics[kind], ...indexed.slice(0, indexedCounts[kind]).map(toWord)]
    return { address, topics, data: `0x${words.map((each) => toWord(each).slice(2)).join('')}` }
  })

it('whatever a node makes up of pools, no event that passes ends the folding', () => {
  let folded = 0
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 12 }), (logs) => {
      const world = openMarket()
      world.tokens.set(strangeToken, token(strangeToken, 255))
      put(world, pool(strangePool, usdc, strangeToken))
      for (const [i, each] of logs.entries()) {
        const place = { blockNumber: 1_000 + i, blockHash: toWord(1n), logIndex: 0, txHash: toWord(2n) }
        const event = decodePoolEvent({ ...place, ...each, timestampSeconds: firstHour + i } as ChainLog)
        if (!event) continue
        foldAll(world, [event])
        folded += 1
      }
    }),
    { numRuns: 3_000 },
  )
  expect(folded).toBeGreaterThan(1_000)
})
