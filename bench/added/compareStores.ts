import { DatabaseSync } from 'node:sqlite'

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

/** Compares two indexes row for row. No server has them open. */
export function compareStores(file: string, scratch: string): Comparison {
  const db = new DatabaseSync(file)
  try {
    db.prepare('attach ? as scratch').run(scratch)
    const count = (sql: string) => Number(db.prepare(`select count(*) as n from ${sql}`).get()?.['n'])
    let rows = 0
    const differences: string[] = []
    for (const table of tables) {
      rows += count(`scratch.${table}`)
      const ofOne = (a: string, b: string) => `(select * from ${a}.${table} except select * from ${b}.${table})`
      const [own, other] = [count(ofOne('main', 'scratch')), count(ofOne('scratch', 'main'))]
      const isSame = own === 0 && other === 0 && count(`main.${table}`) === count(`scratch.${table}`)
      if (!isSame) differences.push(`${table}: ${own} rows only in the index, ${other} only in the one from scratch`)
    }
    return { rows, differences }
  } finally {
    db.close()
  }
}
