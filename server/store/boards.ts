import { sql } from 'kysely'
import type { Db, Store, Tx } from './store.ts'

// What the leader publishes for all servers: the newest board whole, the price events of the last minutes, and how it stands itself.

const theOnlyRow = 1
/** Price events are kept so long for readers who come back. */
const keptSeconds = 600
/** Events, packed, that are read at once: a server that lacks more than that starts over. */
const eventBytesMax = 8 * 1024 * 1024

/** `lastPlace`: of the last price event up to it, in the row of all. `events`: those that came with it, packed; undefined: none did. */
export type BoardStep = {
  readonly seq: number
  readonly epoch: number
  readonly lastPlace: number
  readonly events: Buffer | undefined
}

/** `form` says how `bytes` are written. */
export type Body = { readonly form: number; readonly bytes: Buffer }
type Published = { readonly epoch: number; readonly number: number } & Body
/** `ageMs`: by the database's clock. */
type Found = Published & { readonly ageMs: number }

const dbNowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** What was published last, its events left aside; undefined before the first board. */
export async function findLastStep(db: Db | Tx): Promise<Omit<BoardStep, 'events'> | undefined> {
  const row = await db
    .selectFrom('board_steps')
    .select(['seq', 'epoch', 'last_place'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { seq: row.seq, epoch: row.epoch, lastPlace: row.last_place }
}

/** Puts a board in the place of the one before it, with its events, and tells all servers when the transaction ends well. */
export async function insertBoard(
  tx: Tx,
  channel: string,
  { seq, epoch, lastPlace, events }: BoardStep,
  body: Body,
): Promise<void> {
  const writtenAt = sql<number>`extract(epoch from now())::bigint`
  await tx
    .insertInto('board_steps')
    .values({ seq, epoch, written_at: writtenAt, last_place: lastPlace, events: events ?? null })
    .execute()
  await upsertPublished(tx, 'board', { epoch, number: seq, ...body })
  await tx
    .deleteFrom('board_steps')
    .where('written_at', '<', sql<number>`extract(epoch from now())::bigint - ${keptSeconds}::bigint`)
    .where('seq', '<', seq)
    .execute()
  await sql`select pg_notify(${channel}, ${String(seq)})`.execute(tx)
}

/** Puts the state of the leader in the place of the one before it. */
export async function saveBoardStatus(tx: Tx, status: Published): Promise<void> {
  await upsertPublished(tx, 'board_status', status)
}

async function upsertPublished(
  tx: Tx,
  table: 'board' | 'board_status',
  { epoch, number, form, bytes }: Published,
): Promise<void> {
  const row = { epoch, number, written_at_ms: dbNowMs, form, body: bytes }
  await tx
    .insertInto(table)
    .values({ id: theOnlyRow, ...row })
    .onConflict((c) =>
      c
        .column('id')
        .doUpdateSet(row)
        // Of two that are written at once the later one stays.
        .where((e) => e.or([e(sql.ref(`${table}.epoch`), '<', epoch), e(sql.ref(`${table}.number`), '<', number)])),
    )
    .execute()
}

/** What a server has seen already. `status` is the mark of the leader's state. */
export type Seen = { readonly seq: number; readonly status: string }

export type News = {
  readonly board: Found | undefined
  /** Steps up to that board, the oldest first. */
  readonly steps: readonly BoardStep[]
  readonly status: (Found & { readonly mark: string }) | undefined
}

/** What was published since; all of one moment. */
export async function readNews(store: Store, seen: Seen): Promise<News> {
  const { board, status } = await readMarks(store.read)
  const hasBoard = board !== undefined && board > seen.seq
  if (!hasBoard && (status === undefined || status === seen.status)) return { board: undefined, steps: [], status: undefined }
  return store.readConsistently(async (tx) => {
    const [own, its] = [await findPublished(tx, 'board_status'), hasBoard ? await findPublished(tx, 'board') : undefined]
    const isNew = its && its.number > seen.seq
    return {
      board: isNew ? its : undefined,
      steps: isNew ? await listSteps(tx, seen.seq, its.number) : [],
      status: own && { ...own, mark: toMark(own) },
    }
  })
}

function toMark({ epoch, number }: Pick<Published, 'epoch' | 'number'>): string {
  return `${epoch}.${number}`
}

async function readMarks(db: Db): Promise<{ board: number | undefined; status: string | undefined }> {
  const row = await db
    .selectNoFrom((e) => [
      e.selectFrom('board').select('number').where('id', '=', theOnlyRow).as('board'),
      e.selectFrom('board_status').select('number').where('id', '=', theOnlyRow).as('status'),
      e.selectFrom('board_status').select('epoch').where('id', '=', theOnlyRow).as('epoch'),
    ])
    .executeTakeFirstOrThrow()
  const { board, status, epoch } = row
  return { board: board ?? undefined, status: status === null || epoch === null ? undefined : toMark({ epoch, number: status }) }
}

async function findPublished(tx: Tx, table: 'board' | 'board_status'): Promise<Found | undefined> {
  const row = await tx
    .selectFrom(table)
    .select(['epoch', 'number', 'form', 'body'])
    .select(sql<number>`greatest(0, ${dbNowMs} - written_at_ms)`.as('age'))
    .where('id', '=', theOnlyRow)
    .executeTakeFirst()
  return row && { epoch: row.epoch, number: row.number, ageMs: row.age, form: row.form, bytes: row.body }
}

async function listSteps(tx: Tx, after: number, upTo: number): Promise<BoardStep[]> {
  const sized = tx
    .selectFrom('board_steps')
    .select(['seq', 'epoch', 'last_place', 'events'])
    .select(sql<number>`sum(coalesce(length(events), 0)) over (order by seq desc)`.as('bytes'))
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
  const rows = await tx.selectFrom(sized.as('sized')).selectAll().where('bytes', '<=', eventBytesMax).orderBy('seq').execute()
  return rows.map(({ seq, epoch, last_place, events }) => ({ seq, epoch, lastPlace: last_place, events: events ?? undefined }))
}
