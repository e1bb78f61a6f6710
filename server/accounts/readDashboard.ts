import { daySeconds } from '@chainboard/core'
import { type AccountTotals, readTotals } from '../store/accountTotals.ts'
import { type FavoriteCount, listTopFavorites } from '../store/favoriteCounts.ts'
import { listRegistrationsFrom, type RegistrationDay } from '../store/registrationDays.ts'
import type { StoreReader } from '../store/store.ts'
import { dayOf } from './dayOf.ts'

/** Figures of all accounts together, at one moment. */
export type Dashboard = {
  readonly totals: AccountTotals
  /** The last 30 UTC days, oldest first; today is the last. */
  readonly days: readonly RegistrationDay[]
  readonly topFavorites: readonly FavoriteCount[]
}

const daysShown = 30
const favoritesShown = 8

/** Reads sums that are kept with every change: some 45 rows, however many users there are. */
export async function readDashboard(store: Pick<StoreReader, 'readConsistently'>, nowSeconds: number): Promise<Dashboard> {
  const days = Array.from({ length: daysShown }, (_, i) => dayOf(nowSeconds - (daysShown - 1 - i) * daySeconds))
  return store.readConsistently(async (tx) => {
    const registrations = await listRegistrationsFrom(tx, days[0] ?? '')
    const usersOf = new Map(registrations.map(({ day, users }) => [day, users]))
    return {
      totals: await readTotals(tx),
      days: days.map((day) => ({ day, users: usersOf.get(day) ?? 0 })),
      topFavorites: await listTopFavorites(tx, favoritesShown),
    }
  })
}
