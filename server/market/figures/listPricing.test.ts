import { type Address, findRoutes, stepsBy } from '@chainboard/core'
import { expect, it } from 'vitest'
import { listPricing } from './listPricing.ts'

const [usdc, usdt, dai, ember] = ['11', '22', '33', '44'].map((byte) => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
]
const pool = (byte: string, token0: Address, token1: Address) => {
  const [depth0, depth1] = [10n ** 22n, 10n ** 22n]
  const window = { sqrtPriceX96: 2n ** 96n, depth0, depth1, isSettled: true }
  const rest = { isEstablished: true, fee: 500, reach: undefined, lastSwapAtSeconds: 9 }
  return { address: `0x${byte.repeat(20)}` as Address, token0, token1, sqrtPriceX96: 2n ** 96n, window, ...rest }
}
const coins = [pool('a1', usdc, usdt), pool('a2', usdt, dai)]
const traded = pool('a3', usdt, ember)
const list = (stables: Address[], own = traded) => {
  const pools = [...coins, own]
  const decimals = new Map([usdc, usdt, dai, ember].map((token) => [token, 18]))
  const rules = { stables, wrappedNative: dai, quotes: [], depthFloorUsdE18: 0n }
  return listPricing({ pools, routes: findRoutes({ pools, stepTo: stepsBy(decimals), ...rules }) }, [own])?.map(({ address }) =>
    address.slice(2, 4),
  )
}

it('pools between stable coins make the dollars of what trades in one, also while all count as a dollar', () => {
  expect(list([usdc, usdt, dai])).toEqual(['a1', 'a2', 'a3'])
})

it('pools with a token that is no quote are left out where they price nothing, those with a quote are not', () => {
  expect(list([usdt])).toEqual(['a2', 'a3'])
})
