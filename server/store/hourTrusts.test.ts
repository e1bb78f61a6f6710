import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { listHourTrusts, type TokenPeriod, upsertTokenPeriods } from './tokenPeriods.ts'
import { emptyTokenState } from './tokenState.ts'
import { upsertTokens } from './tokens.ts'

const stores = createTempStores()
const [busy, quiet, unpriced] = ['aa', 'bb', 'cc'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address, Address]
const hour = 3_600

const toRow = (token: Address, at: number, trust: number | undefined): TokenPeriod => {
  const prices = { open: 0n, high: 0n, low: 0n }
  const traded = { volume: 0n, volumeUsdE18: 0n, feesUsdE18: 0n }
  return { ...emptyTokenState, token, startSeconds: at * hour, ...prices, ...traded, trust }
}

describe.each(engines)('how far tokens were trusted (%s)', (engine) => {
  it('is known of the hours of a span, and of the last one before that has it', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      const facts = { symbol: 'T', name: 'T', decimals: 18, totalSupplyRaw: 0n, ...emptyTokenState }
      await upsertTokens(
        tx,
        [busy, quiet, unpriced].map((address) => ({ address, ...facts })),
      )
      await upsertTokenPeriods(tx, 'token_hours', [
        ...[toRow(busy, 1, 10), toRow(busy, 9, 20), toRow(busy, 10, 30), toRow(busy, 12, 40), toRow(busy, 13, 50)],
        // Without a price in hour 8, and in none of these hours.
        ...[toRow(quiet, 2, 60), toRow(quiet, 8, undefined), toRow(unpriced, 9, undefined), toRow(unpriced, 11, undefined)],
      ])
    })
    const found = await listHourTrusts(store.read, { fromSeconds: 10 * hour, toSeconds: 13 * hour })
    const hours = found.map(({ token, startSeconds, trust }) => [token, startSeconds / hour, trust])
    expect(hours.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      [quiet, 2, 60],
      [busy, 9, 20],
      [busy, 10, 30],
      [busy, 12, 40],
    ])
  })
})
