/** SQLITE_ABORT: what was under way has ended, and its transaction with it. */
export const abortCode = 4

/**
 * What SQLite said no with. `errcode` is its extended result code; `inTransaction` says whether a transaction is still open:
 * a full disk, for one, ends it.
 */
export class SqliteFault extends Error {
  readonly errcode: number
  readonly inTransaction: boolean

  constructor(message: string, errcode: number, inTransaction: boolean) {
    super(message)
    this.name = 'SqliteFault'
    this.errcode = errcode
    this.inTransaction = inTransaction
  }
}

/** SQLite's extended result code of an error of `node:sqlite`; undefined of any other error. */
export function findErrcode(error: unknown): number | undefined {
  const errcode: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof errcode === 'number' ? errcode : undefined
}

/** An error of `node:sqlite` as a fault; any other error as it is. */
export function toSqliteFault(error: unknown, inTransaction: boolean): unknown {
  const errcode = findErrcode(error)
  return errcode === undefined || !(error instanceof Error) ? error : new SqliteFault(error.message, errcode, inTransaction)
}
