import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { AddressBook } from './addressBook.ts'
import { findPack, toReading } from './packedRows.ts'
import { SqliteFault } from './sqliteFault.ts'
import { StatementRunner } from './statementRunner.ts'

const [a, b] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const hash = `0x${'0f'.repeat(32)}`

function open() {
  const db = new DatabaseSync(':memory:')
  db.exec(`create table addresses (id integer primary key, address text not null unique);
    create table t (n integer, pool address_int, hash hash_blob, amount exact_number, close exact_number,
      open exact_number unless_as_close)`)
  const runner = new StatementRunner(db)
  const insert = (...rows: readonly (readonly unknown[])[]) =>
    runner.run(
      `insert into "t" ("n", "pool", "hash", "amount", "close", "open") values ${rows.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}`,
      rows.flat(),
    )
  return { db, runner, insert }
}

describe('packed rows', () => {
  it('go in and come out as text, and lie in the file as short as they can', () => {
    const { db, runner, insert } = open()
    insert(
      [1, a, hash, '7', '100', '100'],
      [2, a, 'no hash', `-${2n ** 255n}`, `${2n ** 160n}`, '5'],
      [3, null, null, null, '0', null],
    )
    expect(runner.run('select * from t order by n', []).rows).toEqual([
      { n: 1, pool: a, hash, amount: '7', close: '100', open: '100' },
      { n: 2, pool: a, hash: 'no hash', amount: `-${2n ** 255n}`, close: `${2n ** 160n}`, open: '5' },
      { n: 3, pool: null, hash: null, amount: null, close: '0', open: '0' },
    ])
    const plain = 'select typeof(pool) p, typeof(hash) h, typeof(amount) a, typeof(open) o, length(amount) l from t order by n'
    expect(
      db
        .prepare(plain)
        .all()
        .map((row) => Object.values(row).join()),
    ).toEqual(['integer,blob,integer,null,1', 'integer,text,blob,integer,32', 'null,null,null,null,'])
    // Both rows of one pool have one address.
    expect(db.prepare('select count(*) n from addresses').get()).toEqual({ n: 1 })
  })

  it('are any numbers of 256 bits and any hashes, in whatever rows', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n }), fc.stringMatching(/^0x([0-9a-f]{2}){1,32}$/)),
          {
            minLength: 1,
            maxLength: 9,
          },
        ),
        (drawn) => {
          const { runner, insert } = open()
          insert(...drawn.map(([amount, text], n) => [n, b, text, `${amount}`, `${-amount}`, `${amount}`]))
          const { rows } = runner.run('select amount, close, open, hash from t order by n', [])
          expect(rows).toEqual(
            drawn.map(([amount, text]) => ({ amount: `${amount}`, close: `${-amount}`, open: `${amount}`, hash: text })),
          )
        },
      ),
      { numRuns: 60 },
    ))

  it('are read under the names that a query gives them, of expressions as well', () => {
    const { runner, insert } = open()
    insert([1, a, hash, '7', '100', '90'], [2, b, hash, `${2n ** 100n}`, '100', '100'])
    expect(runner.run('select pool as p, amount as "a ""b""", n from t where n = 2', []).rows).toEqual([
      { p: b, 'a "b"': `${2n ** 100n}`, n: 2 },
    ])
    // What an expression gives is of no type: bytes in it are a number all the same.
    expect(runner.run('select coalesce(amount, 0) as c from t order by n', []).rows).toEqual([{ c: 7 }, { c: `${2n ** 100n}` }])
    expect(runner.run('select count(*) as n, max(n) as m from t', []).rows).toEqual([{ n: 2, m: 2 }])
  })

  it('cannot be read without the column that they may equal', () => {
    const { runner, insert } = open()
    insert([1, a, hash, '7', '100', '100'])
    expect(() => runner.run('select open from t', [])).toThrow(
      new TypeError('The column open was read without the one that it may equal'),
    )
  })

  it('cannot be inserted with other values than parameters', () => {
    const { db, runner } = open()
    const pack = findPack(db, 'insert into "t" ("n", "pool") values (?, ?), (?, 1)')
    expect(() => pack?.([1, a, 2], new AddressBook(db))).toThrow('Rows of t are inserted with other values than parameters')
    expect(findPack(db, 'insert into "addresses" ("address") values (?)')).toBeUndefined()
    expect(findPack(db, 'update "t" set "n" = ?')).toBeUndefined()
    expect(runner.run('select 1 as one', []).rows).toEqual([{ one: 1 }])
  })

  it('read a statement without packed columns as it is', () => {
    const { db } = open()
    const statement = 'select n as m from t'
    expect(toReading(statement, db.prepare(statement).columns()).sql).toBe(statement)
  })
})

describe('statements', () => {
  it('fail with the code of SQLite, and say whether a transaction is still open', () => {
    const { db, runner, insert } = open()
    db.exec('create unique index one on t (n)')
    insert([1, a, hash, '7', '1', '1'])
    runner.run('begin immediate', [])
    const fault = (() => {
      try {
        return insert([1, b, hash, '7', '1', '1'])
      } catch (error) {
        return error
      }
    })()
    expect(fault).toBeInstanceOf(SqliteFault)
    // SQLITE_CONSTRAINT_UNIQUE.
    expect(fault).toMatchObject({ errcode: 2_067, inTransaction: true })
    runner.run('rollback', [])
    expect(() => runner.run('select nothing from nowhere', [])).toThrow(SqliteFault)
    // What no column can hold is a mistake of ours: it has no code of SQLite.
    expect(() => runner.run('select ? as x', [Symbol('x')])).toThrow(TypeError)
  })

  it('give an address that a rollback took another id, and mix up none', () => {
    const { runner, insert } = open()
    runner.run('begin immediate', [])
    insert([1, a, hash, '7', '1', '1'])
    runner.run('rollback', [])
    runner.run('begin immediate', [])
    insert([2, b, hash, '7', '1', '1'])
    insert([3, a, hash, '7', '1', '1'])
    runner.run('commit', [])
    expect(runner.run('select n, pool from t order by n', []).rows).toEqual([
      { n: 2, pool: b },
      { n: 3, pool: a },
    ])
  })

  it('are made again after a table has changed its form', () => {
    const { runner } = open()
    runner.run('create table u (x text)', [])
    runner.run('insert into "u" ("x") values (?)', ['12'])
    expect(runner.run('select * from u', []).rows).toEqual([{ x: '12' }])
    runner.run('drop table u', [])
    runner.run('create table u (x exact_number, y text)', [])
    runner.run('insert into "u" ("x", "y") values (?, ?)', [`${2n ** 90n}`, 'y'])
    expect(runner.run('select * from u', []).rows).toEqual([{ x: `${2n ** 90n}`, y: 'y' }])
  })

  it('are kept up to a number of them, and work all the same beyond', () => {
    const { runner } = open()
    for (let i = 0; i < 600; i += 1) expect(runner.run(`select ${i} as n`, []).rows).toEqual([{ n: i }])
    expect(runner.run('select 0 as n', []).rows).toEqual([{ n: 0 }])
  })
})

describe('a long statement', () => {
  /** Rows of an INSERT. */
  const lengths = { short: 10, long: 300 }
  function openCounting() {
    const { db, runner, insert } = open()
    const prepare = vi.spyOn(db, 'prepare')
    const insertRows = (count: number) => insert(...Array.from({ length: count }, (_, i) => [i, a, hash, '7', '1', '1']))
    const commit = (times: number) => {
      for (let i = 0; i < times; i += 1) {
        runner.run('begin immediate', [])
        insertRows(lengths.short)
        runner.run('commit', [])
      }
    }
    const preparesLong = () => {
      const before = prepare.mock.calls.filter(([sql]) => sql.length > 4_096).length
      insertRows(lengths.long)
      return prepare.mock.calls.filter(([sql]) => sql.length > 4_096).length > before
    }
    return { commit, preparesLong }
  }

  it('is kept prepared while a history is read', () => {
    const { commit, preparesLong } = openCounting()
    expect(preparesLong()).toBe(true)
    commit(63)
    expect(preparesLong()).toBe(false)
    commit(63)
    expect(preparesLong()).toBe(false)
  })

  it('is forgotten after 64 commits without one', () => {
    const { commit, preparesLong } = openCounting()
    expect(preparesLong()).toBe(true)
    commit(64)
    expect(preparesLong()).toBe(true)
  })
})

it('an id that no address has is a damaged database', () => {
  const { db, insert } = open()
  insert([1, a, hash, '7', '1', '1'])
  expect(new AddressBook(db).addressOf(1)).toBe(a)
  db.exec('delete from addresses')
  expect(() => new AddressBook(db).addressOf(1)).toThrow(new SqliteFault('No address has the id 1', 11, false))
})
