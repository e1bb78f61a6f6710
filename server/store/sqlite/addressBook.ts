import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Addresses in memory, and ids. Of pools and tokens there are few; most of those who trade come again soon. */
const knownMax = 50_000

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
    keep(this.#ids, address, id as number)
    return id as number
  }

  addressOf(id: number): string {
    const known = this.#addresses.get(id)
    if (known !== undefined) return known
    const address = this.#find('select address from addresses where id = ?', id)
    if (address === undefined) throw new Error(`No address has the id ${id}`)
    keep(this.#addresses, id, address as string)
    return address as string
  }

  /** After a rollback: ids given in it belong to nobody. */
  forget(): void {
    this.#ids.clear()
    this.#addresses.clear()
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
