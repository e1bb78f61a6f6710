import { DatabaseSync } from 'node:sqlite'
import { columnTypes } from '../../server/store/sqlite/packedColumns.ts'

/** What follows from the chain and the list alone, as in `server/testing/dumpIndex.ts`. */
const tables = [
  ...['sync_cursor', 'tokens', 'pools', 'swaps', 'pool_events', 'pool_hours', 'pool_days', 'token_hours', 'token_days'],
  ...['exchange_hours', 'exchange_days', 'pool_spans', 'ticks', 'fee_protocols', 'index_scope', 'scope_tokens', 'old_dollars'],
  'kept_since',
] as const

/** How two indexes compare. */
export type Comparison = {
  readonly rows: number
  /** Tables that differ, with the number of rows that only one has. */
  readonly differences: readonly string[]
}

/** Compares two indexes row by row, addresses as such: each store has its own ids for them. No server has them open. */
export function compareStores(file: string, scratch: string): Comparison {
  const db = new DatabaseSync(file)
  try {
    db.prepare('attach ? as scratch').run(scratch)
    const count = (sql: string) => Number(db.prepare(`select count(*) as n from (${sql})`).get()?.['n'])
    let rows = 0
    const differences: string[] = []
    for (const table of tables) {
      const [own, other] = [selectRows(db, 'main', table), selectRows(db, 'scratch', table)]
      const [ownCount, otherCount] = [count(own), count(other)]
      const [onlyOwn, onlyOther] = [count(`${own} except ${other}`), count(`${other} except ${own}`)]
      rows += otherCount
      if (onlyOwn !== 0 || onlyOther !== 0 || ownCount !== otherCount)
        differences.push(`${table}: ${onlyOwn} rows only in the index, ${onlyOther} only in the one from scratch`)
    }
    return { rows, differences }
  } finally {
    db.close()
  }
}

function selectRows(db: DatabaseSync, schema: 'main' | 'scratch', table: string): string {
  const columns = db.prepare(`select name, type from pragma_table_info('${table}', '${schema}')`).all()
  const values = columns.map(({ name, type }) =>
    type === columnTypes.address ? `(select address from ${schema}.addresses where id = t."${name}")` : `t."${name}"`,
  )
  return `select ${values.join()} from ${schema}."${table}" t`
}
