import { collectSlices, inSlices, replaceWith } from './rows.ts'
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
 * Takes permits out of their days, or puts them back; never more than the limit, whoever else takes at the same moment.
 * No two changes are of the same principal and day.
 * @returns grants in the order of `changes`; what is given back grants nothing
 */
export async function changeQuotas(tx: Tx, changes: readonly QuotaChange[]): Promise<QuotaGrant[]> {
  // In order, so that two servers never wait for each other.
  const order = changes.map((_, i) => i).sort((a, b) => compare(changes[a] as QuotaChange, changes[b] as QuotaChange))
  const before = await claim(
    tx,
    order.map((i) => changes[i] as QuotaChange),
  )
  const grants = changes.map((change): QuotaGrant => {
    const taken = before.get(nameOf(change)) ?? 0
    const granted = Math.max(change.want, 0) && Math.max(0, Math.min(change.want, change.limit - taken))
    return { granted, taken: Math.max(0, taken + (change.want < 0 ? change.want : granted)) }
  })
  const changed = order.filter((i) => grants[i]?.taken !== before.get(nameOf(changes[i] as QuotaChange)))
  await inSlices(changed, (slice) =>
    tx
      .insertInto('quota_days')
      .values(slice.map((i) => ({ ...rowOf(changes[i] as QuotaChange), taken: grants[i]?.taken ?? 0 })))
      .onConflict((c) => c.columns(['principal', 'day']).doUpdateSet(replaceWith(['taken'])))
      .execute(),
  )
  await changeTotals(
    tx,
    changed.map((i) => {
      const change = changes[i] as QuotaChange
      return { ...change, before: before.get(nameOf(change)) ?? 0, after: grants[i]?.taken ?? 0 }
    }),
  )
  return grants
}

/** Permits taken of a day, by principal; who took none is not in it. */
export async function readQuotas(db: Db | Tx, day: number, principals: readonly string[]): Promise<Map<string, number>> {
  const rows = await collectSlices(principals, (slice) =>
    db.selectFrom('quota_days').select(['principal', 'taken']).where('day', '=', day).where('principal', 'in', slice).execute(),
  )
  return new Map(rows.map(({ principal, taken }) => [principal, taken]))
}

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
