import { recordTables } from '../store/migrateStore.ts'
import { runningTables } from '../store/tables.ts'

/** Tables with rows that every start makes by itself, or that only shorten others: nobody misses them. */
export function isOwnRow(table: string): boolean {
  return table === 'pepper_mark' || table === 'addresses' || recordTables.includes(table) || runningTables.includes(table)
}
