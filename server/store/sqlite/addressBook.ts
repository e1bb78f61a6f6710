import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { SqliteFault } from './sqliteFault.ts'

/** Addresses in memory, and ids. Of pools and tokens there are few; most of those who trade come again soon. */
const knownMax = 50_000
/** SQLITE_CORRUPT. */
const corruptCode = 11

/** The table `addresses` through one connection. An id belongs to one address for as long as the database exists. */
export class AddressBook {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #ids = new Map<string, number>()
  readonly #addresses = new Map<number, string>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** The id of an address, which gets one if it has none: within a transaction that writes. */
  idOf(address: string): number {
    const known = this.#ids.get(address)
    if (known !== undefined) return known
    const id =
      this.#find('select id from addresses where address = ?', address) ??
      this.#find('insert into addresses (address) values (?) returning id', address)
    if (typeof id !== 'number') throw this.#damaged(`The address ${address} has no id`)
    keep(this.#ids, address, id)
    return id
  }

  /** @throws SqliteFault of a damaged database for an id that no address has */
  addressOf(id: number): string {
    const known = this.#addresses.get(id)
    if (known !== undefined) return known
    const address = this.#find('select address from addresses where id = ?', id)
    if (typeof address !== 'string') throw this.#damaged(`No address has the id ${id}`)
    keep(this.#addresses, id, address)
    return address
  }

  /** After a rollback: ids given in it belong to nobody. */
  forget(): void {
    this.#ids.clear()
    this.#addresses.clear()
  }

  #damaged(message: string): SqliteFault {
    return new SqliteFault(message, corruptCode, this.#db.isTransaction)
  }

  #find(sql: string, key: string | number): unknown {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    const row = statement.get(key)
    return row && Object.values(row)[0]
  }
}

function keep<K, V>(known: Map<K, V>, key: K, value: V): void {
  if (known.size >= knownMax) known.clear()
  known.set(key, value)
}
