import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createTempStores } from '../testing/tempStores.ts'
import { listPoolDepths } from './poolDepths.ts'
import { emptyPoolState } from './poolState.ts'
import { type Pool, upsertPools } from './pools.ts'
import { changeTicks, type TickChange } from './ticks.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [open, other, unopened, missing] = [address('a1'), address('a2'), address('a3'), address('a9')]

const pool = (own: Address, tick: number | undefined): Pool => ({
  ...{ ...emptyPoolState, address: own, token0: address('10'), token1: address('50'), fee: 3_000, tickSpacing: 1, tick },
  ...{ createdBlock: 1, createdAtSeconds: 10, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined },
  ...{ depth0: 0n, depth1: 0n, reach: undefined, sqrtPriceX96: 2n ** 160n - 1n, liquidity: 2n ** 127n + 1n },
})
const change = (own: Address, tick: number, gross: bigint, net = gross): TickChange => ({
  ...{ pool: own, tick, gross, net, blockNumber: 1, timestampSeconds: 10 },
})

it('the depth of a pool rests on the ticks that 2 % can reach, of that pool alone and with every digit', async () => {
  const store = await stores.openNew('sqlite')
  await store.write(async (tx) => {
    await upsertPools(tx, [pool(open, -500), pool(other, 0), pool(unopened, undefined)])
    const near = [change(open, -300, 2n ** 127n, -(2n ** 127n)), change(open, -700, 7n), change(open, -500, 5n)]
    // Just too far, of the other pool, and one that bounds nothing any more.
    await changeTicks(tx, [
      ...near,
      change(open, -299, 1n),
      change(open, -701, 1n),
      change(other, -400, 9n),
      change(open, -450, 0n),
    ])
  })
  const depths = await listPoolDepths(store.read, [open, unopened, missing])
  expect(depths.map((depth) => depth.address)).toEqual([open])
  expect(depths[0]?.pool).toEqual({ sqrtPriceX96: 2n ** 160n - 1n, tick: -500, liquidity: 2n ** 127n + 1n })
  expect(depths[0]?.ticks.order).toEqual([-700, -500, -300])
  expect(depths[0]?.ticks.byTick.get(-300)).toEqual({ gross: 2n ** 127n, net: -(2n ** 127n) })
})
