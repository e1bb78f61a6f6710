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
