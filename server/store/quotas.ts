import { collectSlices, inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

export type QuotaKind = 'key' | 'shared'

/** Permits that are wanted, or given back, of one principal's UTC day. */
export type QuotaChange = {
  readonly principal: string
  readonly kind: QuotaKind
  /** UTC days since 1970. */
  readonly day: number
  /** What the day has in all. */
  readonly limit: number
  /** Permits to take; below 0: to give back. */
  readonly want: number
}

/** What came of it: permits that may be spent, and all that are taken of the day by now. */
export type QuotaGrant = { readonly granted: number; readonly taken: number }

/** Sums of a day. `principals`: those that took any. */
export type QuotaTotals = { readonly taken: number; readonly principals: number }

/**
 * Takes permits out of their days, or puts them back; never more than the limit, even if others take some at the same moment.
 * No two changes are of the same principal and day.
 * @returns grants in the order of `changes`; what is given back grants nothing
 */
export async function changeQuotas(tx: Tx, changes: readonly QuotaChange[]): Promise<QuotaGrant[]> {
  // In order, so that two servers never wait for each other.
  const inOrder = changes.toSorted(compare)
  const taken = await claim(tx, inOrder)
  const grantTo = (change: QuotaChange) => toGrant(change, taken.get(nameOf(change)) ?? 0)
  const moved = inOrder
    .map((change): Moved => ({ ...change, before: taken.get(nameOf(change)) ?? 0, after: grantTo(change).taken }))
    .filter(({ before, after }) => after !== before)
  await inSlices(moved, (slice) =>
    tx
      .insertInto('quota_days')
      .values(slice.map((each) => ({ ...rowOf(each), taken: each.after })))
      .onConflict((c) => c.columns(['principal', 'day']).doUpdateSet((e) => ({ taken: e.ref('excluded.taken') })))
      .execute(),
  )
  await changeTotals(tx, moved)
  return changes.map(grantTo)
}

function toGrant({ want, limit }: QuotaChange, taken: number): QuotaGrant {
  const granted = Math.max(want, 0) && Math.max(0, Math.min(want, limit - taken))
  return { granted, taken: Math.max(0, taken + (want < 0 ? want : granted)) }
}

/** Permits taken of a day, by principal; who took none is not in it. */
export async function readQuotas(db: Db | Tx, day: number, principals: readonly string[]): Promise<Map<string, number>> {
  const rows = await collectSlices(principals, (slice) =>
    db.selectFrom('quota_days').select(['principal', 'taken']).where('day', '=', day).where('principal', 'in', slice).execute(),
  )
  return new Map(rows.map(({ principal, taken }) => [principal, taken]))
}

/** Zeros of a kind that took none, and of days that are forgotten. */
export async function readQuotaTotals(db: Db | Tx, day: number): Promise<Record<QuotaKind, QuotaTotals>> {
  const rows = await db.selectFrom('quota_totals').selectAll().where('day', '=', day).execute()
  const of = (kind: QuotaKind): QuotaTotals => {
    const row = rows.find((each) => each.kind === kind)
    return { taken: row?.taken ?? 0, principals: row?.principals ?? 0 }
  }
  return { key: of('key'), shared: of('shared') }
}

/** Forgets up to `limit` rows of days before `day`. Says how many. */
export async function deleteQuotasBefore(tx: Tx, day: number, limit: number): Promise<number> {
  await tx.deleteFrom('quota_totals').where('day', '<', day).execute()
  const rows = await tx.selectFrom('quota_days').select(['principal', 'day']).where('day', '<', day).limit(limit).execute()
  for (const each of new Set(rows.map((row) => row.day))) {
    const principals = rows.filter((row) => row.day === each).map((row) => row.principal)
    await inSlices(principals, (slice) =>
      tx.deleteFrom('quota_days').where('day', '=', each).where('principal', 'in', slice).execute(),
    )
  }
  return rows.length
}

/** Reads what is taken and holds the rows until the transaction ends. */
async function claim(tx: Tx, changes: readonly QuotaChange[]): Promise<Map<string, number>> {
  const rows = await collectSlices(changes, (slice) =>
    tx
      .insertInto('quota_days')
      .values(slice.map((change) => ({ ...rowOf(change), taken: 0 })))
      .onConflict((c) => c.columns(['principal', 'day']).doUpdateSet((e) => ({ day: e.ref('excluded.day') })))
      .returningAll()
      .execute(),
  )
  return new Map(rows.map((row) => [nameOf(row), row.taken]))
}

type Moved = QuotaChange & { readonly before: number; readonly after: number }

/** Last in its transaction: everybody waits for these rows. */
async function changeTotals(tx: Tx, moved: readonly Moved[]): Promise<void> {
  const sums = new Map<string, { day: number; kind: QuotaKind; taken: number; principals: number }>()
  for (const { day, kind, before, after } of moved) {
    const sum = sums.get(`${day} ${kind}`) ?? { day, kind, taken: 0, principals: 0 }
    sum.taken += after - before
    sum.principals += Number(after > 0) - Number(before > 0)
    sums.set(`${day} ${kind}`, sum)
  }
  for (const sum of [...sums.values()].sort((a, b) => a.day - b.day || a.kind.localeCompare(b.kind))) {
    await tx
      .insertInto('quota_totals')
      .values(sum)
      .onConflict((c) =>
        c.columns(['day', 'kind']).doUpdateSet((e) => ({
          taken: e('quota_totals.taken', '+', sum.taken),
          principals: e('quota_totals.principals', '+', sum.principals),
        })),
      )
      .execute()
  }
}

function compare(a: QuotaChange, b: QuotaChange): number {
  return a.day - b.day || (a.principal < b.principal ? -1 : 1)
}

function rowOf({ principal, day }: QuotaChange) {
  return { principal, day }
}

function nameOf({ principal, day }: { readonly principal: string; readonly day: number }): string {
  return `${day} ${principal}`
}
