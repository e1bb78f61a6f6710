import { Failure } from '@chainboard/core'
import { addCredits, findCredits } from '../../store/credits.ts'
import type { Store } from '../../store/store.ts'
import { monthOf, startOfNextMonthMs, waitMsForCredits } from './creditBudget.ts'

const service = 'coinmarketcap'

export type CreditAccount = {
  /**
   * Sets credits aside, durably, before the call that may cost them.
   * @throws Failure `upstream-budget-spent` with `detail.retryAfterMs` when they are not free yet; nothing is set aside then
   */
  reserve(credits: number): Promise<void>
  /** Adds what a call cost beyond the credits set aside for it. */
  addExtra(credits: number): Promise<void>
  /** Credits of the running UTC month that this process knows of: read at the start, and with every call. */
  spentThisMonth(): number
}

/** Credits of the UTC month, counted in the store, so that neither a restart nor a second server spends them twice. */
export async function openCreditAccount(
  store: Store,
  { creditsPerMonth, nowMs }: { readonly creditsPerMonth: number; readonly nowMs: () => number },
): Promise<CreditAccount> {
  const known = { month: monthOf(nowMs()), spent: 0 }
  const remember = (month: string, spent: number) => Object.assign(known, { month, spent })
  remember(known.month, await findCredits(store.read, { service, month: known.month }))

  return {
    reserve: async (credits) => {
      const atMs = nowMs()
      const month = monthOf(atMs)
      const spent = await store.write(async (tx) => {
        const sum = await addCredits(tx, { service, month }, credits)
        const waitMs = waitMsForCredits(sum, creditsPerMonth, atMs)
        // Thrown inside the transaction: what was added is taken back with it.
        if (waitMs > 0) throw budgetSpent(sum - credits, { creditsPerMonth, atMs, waitMs })
        return sum
      })
      remember(month, spent)
    },
    addExtra: async (credits) => {
      const month = monthOf(nowMs())
      remember(month, await store.write((tx) => addCredits(tx, { service, month }, credits)))
    },
    spentThisMonth: () => (known.month === monthOf(nowMs()) ? known.spent : 0),
  }
}

type Refusal = { readonly creditsPerMonth: number; readonly atMs: number; readonly waitMs: number }

function budgetSpent(spent: number, { creditsPerMonth, atMs, waitMs }: Refusal): Failure {
  const until = new Date(atMs + waitMs).toISOString().slice(0, 16).replace('T', ' ')
  const why = startOfNextMonthMs(atMs) === atMs + waitMs ? "the month's credits are spent" : 'credits are spent ahead of time'
  return new Failure('upstream-budget-spent', `No calls to CoinMarketCap until ${until} UTC: ${why}`, {
    detail: { spent, creditsPerMonth, retryAfterMs: waitMs },
    retryable: true,
  })
}
