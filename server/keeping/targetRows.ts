import { recordTables } from '../store/migrateStore.ts'

/** Tables with rows that every start makes by itself: nobody misses them. */
export function isOwnRow(table: string): boolean {
  return table === 'pepper_mark' || recordTables.includes(table)
}
