import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { findOwners } from './findOwners.ts'

const address = (n: number) => `0x${String(n).repeat(40)}` as Address
const [pool, narrow, wide] = [address(1), address(2), address(3)]
const provide = (owner: Address, delta: bigint, tickLower: number, tickUpper: number) => ({
  ...{ blockNumber: 1, logIndex: 0, txHash: '0x1' as const, timestampSeconds: 0, origin: owner, owner, sender: owner },
  ...{ tickLower, tickUpper, delta, usdE18: 0n },
})

it('who owns what is in range at the very price alone does not own the depth', () => {
  // At tick 0 five sixths are of the first; of the ticks 198 on either side he has ten.
  const changes = [provide(narrow, 5_000n, -5, 5), provide(wide, 1_000n, -60_000, 60_000)]
  const parties = { providerOf: ({ owner }: { owner: Address }) => owner, groupOf: (party: string) => party }
  const owners = findOwners([{ address: pool, token0: address(8), token1: address(9), trades: [], changes, tick: 0 }], parties)
  // 397 of 447 parts.
  expect(owners.get(pool)).toEqual({ group: wide, provider: wide, millionths: 888_143n })
})
