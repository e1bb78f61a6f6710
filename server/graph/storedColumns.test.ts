import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { Kysely } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { packNumber } from '../store/sqlite/packedValues.ts'
import { SqliteDialect } from '../store/sqlite/sqliteDialect.ts'
import { getEntity } from './entities/entities.ts'
import { doubleOf, numberOrder } from './storedColumns.ts'

const database = new DatabaseSync(':memory:')
database.exec('create table t (amount0)')
const queries = new Kysely<never>({
  dialect: new SqliteDialect({ execute: () => Promise.reject(), close: async () => undefined }, 'deferred'),
})
const context = { engine: 'sqlite', entity: getEntity('Swap') } as const
const { sql } = doubleOf('amount0', context).compile(queries)
const order = numberOrder('amount0', context).map((key) => key.compile(queries).sql)

function store(values: readonly bigint[]): void {
  database.exec('delete from t')
  const insert = database.prepare('insert into t values (?)')
  for (const value of values) insert.run(packNumber(String(value)))
}

/** What SQL makes of stored numbers. */
function read(values: readonly bigint[]): unknown[] {
  store(values)
  return database
    .prepare(`select ${sql} as double from t order by rowid`)
    .all()
    .map(({ double }) => double)
}

afterAll(() => database.close())

it('amounts of any size are the nearest double in filters and orders', () => {
  expect(read([1_500_500_000_000_000_000_000n, -123_456_789_012_345_678_901_234_567_890n, 2n ** 256n - 1n])).toEqual([
    1.5005e21,
    -1.2345678901234568e29,
    2 ** 256,
  ])
  const values = fc.array(fc.oneof(fc.bigInt(-(2n ** 255n), 2n ** 256n - 1n), fc.bigInt(-(2n ** 80n), 2n ** 80n)))
  fc.assert(
    fc.property(values, (numbers) => {
      expect(read(numbers)).toEqual(numbers.map(Number))
    }),
    { numRuns: 300 },
  )
})

it('numbers beside a power of two, and halfway between two doubles, are rounded to the nearest', () => {
  const bits = [46n, 47n, 48n, 53n, 63n, 64n, 72n, 95n, 96n, 97n, 128n, 200n, 255n]
  const beside = bits.flatMap((bit) => [-1n, 0n, 1n].flatMap((by) => [2n ** bit + by, -(2n ** bit) + by]))
  // One bit more than a double has, alone and with something behind it.
  const halfway = [60n, 72n, 90n, 96n].flatMap((bit) => [2n ** bit + 2n ** (bit - 53n), 2n ** bit + 2n ** (bit - 53n) + 1n])
  const numbers = [...beside, ...halfway, ...halfway.map((number) => -number)]
  expect(read(numbers)).toEqual(numbers.map(Number))
})

it('amounts of any size are sorted by what they are', () => {
  const sort = (values: readonly bigint[], direction: 'asc' | 'desc') => {
    store(values)
    const by = order.map((key) => `${key} ${direction}`).join()
    const rows = database.prepare(`select rowid - 1 as place from t order by ${by}`).all()
    return rows.map(({ place }) => values[Number(place)])
  }
  // Beside each other as doubles, on both sides of what is an integer, and of two lengths.
  const known = [
    -(2n ** 64n) - 1n,
    -(2n ** 64n),
    -(2n ** 47n) - 1n,
    -(2n ** 47n),
    -1n,
    0n,
    2n ** 47n - 1n,
    2n ** 47n,
    2n ** 64n,
    2n ** 64n + 1n,
  ]
  expect(sort(known.toReversed(), 'asc')).toEqual(known)
  expect(sort(known, 'desc')).toEqual(known.toReversed())
  const numbers = fc.oneof(fc.bigInt(-(2n ** 255n), 2n ** 256n - 1n), fc.bigInt(-(2n ** 50n), 2n ** 50n))
  fc.assert(
    fc.property(fc.uniqueArray(numbers), (values) => {
      expect(sort(values, 'asc')).toEqual(values.toSorted((a, b) => (a < b ? -1 : 1)))
    }),
    { numRuns: 300 },
  )
})
