import type { Db, Tx } from './store.ts'

/** Whose credits, and in which UTC month (`2026-11`). */
export type CreditsOf = { readonly service: string; readonly month: string }

/** Credits set aside so far; 0 for a month without any. */
export async function findCredits(db: Db | Tx, { service, month }: CreditsOf): Promise<number> {
  const row = await db
    .selectFrom('credits')
    .select('spent')
    .where('service', '=', service)
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.spent ?? 0
}

/** Sets credits aside in one statement, so that servers on one database do not overlook each other. Returns the new sum. */
export async function addCredits(tx: Tx, { service, month }: CreditsOf, credits: number): Promise<number> {
  const row = await tx
    .insertInto('credits')
    .values({ service, month, spent: credits })
    .onConflict((c) => c.columns(['service', 'month']).doUpdateSet((e) => ({ spent: e('credits.spent', '+', credits) })))
    .returning('spent')
    .executeTakeFirstOrThrow()
  return row.spent
}
