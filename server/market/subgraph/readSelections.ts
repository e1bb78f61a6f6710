import { Failure, fieldsOf } from '@chainboard/core'
import type { OptionalField, SubgraphClient } from './subgraphClient.ts'

/** The most rows that a subgraph gives at once. */
export const rowsPerPageMax = 1_000
/** Rows and selections in one question: what a busy server answers well within the timeout. */
const rowsPerAskMax = 5_000
const selectionsPerAskMax = 50

/**
 * One list to read. Without `newest` it is read whole, page by page in the order of ids; with it, only so many rows, those with
 * the highest value of a field, in no certain order among equals.
 */
export type Selection = {
  readonly entity: 'pools' | 'poolHourDatas' | 'swaps' | 'transactions'
  readonly where: Readonly<Record<string, string | number | readonly string[]>>
  /** What is read of each row; `id` always is. */
  readonly fields: (has: (field: OptionalField) => boolean) => string
  readonly newest?: { readonly by: string; readonly count: number }
}

/** The rows as they came, unchecked but for their ids; not `whole` when a limit came before the end. */
export type SelectedRows = { readonly rows: readonly unknown[]; readonly whole: boolean }

export type ReadOptions = {
  /** All is read as it was at this block; undefined: at the newest one, which may move on in between. */
  readonly atBlockNumber: number | undefined
  /** For each selection. */
  readonly pagesMax: number
  /** For all of them: nothing more is read when there are more. Absent: as many as the selections and their pages allow. */
  readonly rowsMax?: number
}

/**
 * Reads lists of a subgraph, many with one question. Ids are paged by `id_gt`, never by `skip`; the query holds its values as
 * literals, which every server takes whatever it names the types of ids.
 * @returns the rows of each selection, in their order
 * @throws Failure as the client does
 */
export async function readSelections(
  client: SubgraphClient,
  selections: readonly Selection[],
  options: ReadOptions,
): Promise<SelectedRows[]> {
  const readings: Reading[] = selections.map((selection) => ({ selection, rows: [], afterId: '', pages: 0, isDone: false }))
  let rowsLeft = options.rowsMax ?? Number.POSITIVE_INFINITY
  for (let open = readings; open.length > 0; open = open.filter((reading) => !isOver(reading, options))) {
    for (const batch of intoBatches(open)) {
      if (rowsLeft < 0) return readings.map(toSelected)
      rowsLeft -= await readPages(client, batch, options)
    }
  }
  return readings.map(toSelected)
}

function toSelected({ rows, isDone }: Reading): SelectedRows {
  return { rows, whole: isDone }
}

type Reading = { readonly selection: Selection; readonly rows: unknown[]; afterId: string; pages: number; isDone: boolean }

function isOver({ isDone, pages }: Reading, { pagesMax }: ReadOptions): boolean {
  return isDone || pages >= pagesMax
}

function intoBatches(readings: readonly Reading[]): Reading[][] {
  const batches: Reading[][] = []
  let rowsLeft = 0
  for (const reading of readings) {
    const last = batches.at(-1)
    const rows = sizeOf(reading.selection)
    if (last && rows <= rowsLeft && last.length < selectionsPerAskMax) {
      last.push(reading)
      rowsLeft -= rows
    } else {
      batches.push([reading])
      rowsLeft = rowsPerAskMax - rows
    }
  }
  return batches
}

/** @returns how many rows came */
async function readPages(client: SubgraphClient, batch: readonly Reading[], { atBlockNumber }: ReadOptions): Promise<number> {
  let rows = 0
  const data = await client.ask(
    (has) => `{ ${batch.map((reading, i) => `s${i}: ${toField(reading, atBlockNumber, has)}`).join(' ')} }`,
  )
  batch.forEach((reading, i) => {
    const page = checkPage(data[`s${i}`])
    for (const row of page) reading.rows.push(row)
    rows += page.length
    reading.pages += 1
    reading.afterId = page.at(-1)?.id ?? reading.afterId
    reading.isDone = reading.selection.newest !== undefined || page.length < rowsPerPageMax
  })
  return rows
}

function toField(
  { selection, afterId }: Reading,
  atBlockNumber: number | undefined,
  has: (field: OptionalField) => boolean,
): string {
  const { entity, where, fields, newest } = selection
  const order = newest ? `orderBy: ${newest.by}, orderDirection: desc` : 'orderBy: id, orderDirection: asc'
  const filter = afterId === '' ? where : { ...where, id_gt: afterId }
  const block = atBlockNumber === undefined ? '' : `, block: {number: ${atBlockNumber}}`
  const filters = Object.entries(filter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `${entity}(first: ${sizeOf(selection)}, ${order}, where: {${filters.join(', ')}}${block}) { id ${fields(has)} }`
}

function sizeOf({ newest }: Selection): number {
  return newest?.count ?? rowsPerPageMax
}

function checkPage(page: unknown): readonly { readonly id: string }[] {
  if (Array.isArray(page) && page.every((row: unknown) => typeof fieldsOf(row)['id'] === 'string')) return page
  throw new Failure('upstream-invalid', 'The subgraph did not return a list of rows', { retryable: true })
}

/** Cuts a list of ids into parts that fit a filter. */
export function toSlices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
