import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { openCreditAccount } from './creditAccount.ts'

const stores = createTempStores()
const at = (text: string) => Date.parse(text)

describe.each(engines)('credits counted in %s', (engine) => {
  it('are set aside before they are spent, and outlive a restart', async () => {
    const location = await stores.locate(engine)
    const options = { creditsPerMonth: 12_000, nowMs: () => at('2026-11-16T00:00:00Z') }
    const first = await stores.open(location)
    const account = await openCreditAccount(first, options)
    await account.reserve(3)
    await account.addExtra(2)
    expect(account.spentThisMonth()).toBe(5)
    await first.close()

    const again = await openCreditAccount(await stores.open(location), options)
    expect(again.spentThisMonth()).toBe(5)
    await again.reserve(1)
    expect(again.spentThisMonth()).toBe(6)
  })

  it('are refused when they are spent, until the next month, and a refusal sets none aside', async () => {
    let nowMs = at('2026-10-31T23:00:00Z')
    const account = await openCreditAccount(await stores.openNew(engine), { creditsPerMonth: 100, nowMs: () => nowMs })
    await account.reserve(100)
    await expect(account.reserve(1)).rejects.toMatchObject({
      code: 'upstream-budget-spent',
      message: "No calls to CoinMarketCap until 2026-11-01 00:00 UTC: the month's credits are spent",
      detail: { spent: 100, creditsPerMonth: 100, retryAfterMs: 3_600_000 },
    })
    expect(account.spentThisMonth()).toBe(100)
    nowMs = at('2026-11-01T00:00:00Z')
    expect(account.spentThisMonth()).toBe(0)
    await account.reserve(1)
    expect(account.spentThisMonth()).toBe(1)
  })

  it('are not overlooked by a second server on the same database', async () => {
    const location = await stores.locate(engine)
    const options = { creditsPerMonth: 40, nowMs: () => at('2026-10-31T23:00:00Z') }
    const accounts = [
      await openCreditAccount(await stores.open(location), options),
      await openCreditAccount(await stores.open(location), options),
    ]
    const tries = Array.from({ length: 60 }, (_, i) => accounts[i % 2]?.reserve(1))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
  })
})
