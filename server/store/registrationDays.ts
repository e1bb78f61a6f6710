import type { Db, Tx } from './store.ts'

/** How many of today's users registered on a UTC day, `2026-11-21`. */
export type RegistrationDay = { readonly day: string; readonly users: number }

/** One user more or less of those who registered on a UTC day, `2026-11-21`. A deletion counts for the day of the registration. */
export async function changeRegistrations(tx: Tx, day: string, by: 1 | -1): Promise<void> {
  await tx
    .insertInto('registration_days')
    .values({ day, users: by })
    .onConflict((c) => c.column('day').doUpdateSet((e) => ({ users: e('registration_days.users', '+', by) })))
    .execute()
}

/** The days from `firstDay` on that had registrations, oldest first. */
export async function listRegistrationsFrom(db: Db | Tx, firstDay: string): Promise<RegistrationDay[]> {
  return db.selectFrom('registration_days').selectAll().where('day', '>=', firstDay).orderBy('day').execute()
}
