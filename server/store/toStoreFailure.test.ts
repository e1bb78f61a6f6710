import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { SqliteFault, toSqliteFault } from './sqlite/sqliteFault.ts'
import { findDriverError, isKnown, silentDatabase, toStoreFailure } from './toStoreFailure.ts'

const coded = (code: string, message = 'the words of the driver') => Object.assign(new Error(message), { code })

describe('what an error of the database means', () => {
  it.each([
    // Primary codes of SQLite, and extended ones, whose lowest byte they are.
    [new SqliteFault('database is locked', 5, false), 'store-unavailable', 'Another program has locked the database'],
    [new SqliteFault('disk is full', 13, false), 'store-full', 'The disk of the database is full'],
    [new SqliteFault('readonly', 8, false), 'store-read-only', 'The database is read-only'],
    [new SqliteFault('readonly_dbmoved', 8 + 4 * 256, false), 'store-read-only', 'The database is read-only'],
    [new SqliteFault('ioerr_read', 10 + 256, false), 'store-unavailable', 'The disk of the database fails (I/O error)'],
    [new SqliteFault('malformed', 11, false), 'store-damaged', 'The database is damaged, or its disk has read errors'],
    [new SqliteFault('not a database', 26, false), 'store-damaged', 'The database is damaged, or its disk has read errors'],
    [new SqliteFault('no such table: swaps', 1, false), 'store-damaged', 'Tables of the database are missing'],
    // States of PostgreSQL, by the whole of them or by their class.
    [coded('53100'), 'store-full', 'The disk of the database is full'],
    [coded('53300'), 'store-unavailable', 'The database is not responding'],
    [coded('55P03'), 'store-unavailable', 'Another session has locked tables of the database'],
    [coded('57P01'), 'store-unavailable', 'The database is not responding'],
    [coded('25006'), 'store-read-only', 'The database is read-only'],
    [coded('42P01'), 'store-damaged', 'Tables of the database are missing'],
    [coded('42703'), 'store-damaged', 'Tables of the database were changed by another program'],
    [coded('42501'), 'store-unavailable', 'The database user has no permissions on its tables'],
    [coded('XX001'), 'store-damaged', 'The database is damaged, or its disk has read errors'],
    // The way there, and what the client says without a code.
    [coded('ECONNREFUSED'), 'store-unavailable', 'The database is not responding'],
    [coded('EAI_AGAIN'), 'store-unavailable', 'The database is not responding'],
    [new Error('Connection terminated unexpectedly'), 'store-unavailable', 'The database is not responding'],
    [new Error('Query read timeout'), 'store-unavailable', 'The database is not responding'],
  ])('%s is %s', (error, code, message) => {
    const failure = toStoreFailure(error)
    expect(failure).toMatchObject({ name: 'Failure', code, message, retryable: true, cause: error })
    expect(isKnown(error)).toBe(true)
    expect(findDriverError(failure)).toBe(error)
  })

  it.each([
    // A broken rule of a table, a mistake in SQL, and what is no error of a database.
    new SqliteFault('UNIQUE constraint failed: swaps.block_number', 19 + 6 * 256, true),
    new SqliteFault('near "selec": syntax error', 1, false),
    coded('23505'),
    coded('42601'),
    coded('ERR_INVALID_ARG_TYPE'),
    new TypeError('x is not a function'),
    'a text',
    undefined,
  ])('%s is our own bug, and stays what it is', (error) => {
    expect(toStoreFailure(error)).toBe(error)
    expect(isKnown(error)).toBe(false)
    expect(findDriverError(error)).toBe(error)
  })

  it('is not asked of a Failure, which has its meaning', () => {
    const own = new Failure('rpc-unavailable', 'The node is not responding')
    expect(toStoreFailure(own)).toBe(own)
    expect(isKnown(own)).toBe(true)
    expect(findDriverError(own)).toBe(own)
  })

  it('is a silent database where nothing is even asked, whatever the reason', () => {
    const reason = new Error('self-signed certificate')
    expect(findDriverError(silentDatabase(reason))).toBe(reason)
    expect(silentDatabase()).toMatchObject({ code: 'store-unavailable', detail: { retryAfterSeconds: 5 } })
  })
})

it('an error of node:sqlite becomes a fault with its code, and any other stays', () => {
  const error = Object.assign(new Error('database is locked'), { errcode: 261 })
  expect(toSqliteFault(error, true)).toMatchObject({
    ...{ name: 'SqliteFault', message: 'database is locked', errcode: 261, inTransaction: true },
  })
  for (const other of [
    new TypeError('x'),
    Object.assign(new Error('x'), { errcode: '5' }),
    { errcode: 5, message: 'x' },
    undefined,
  ])
    expect(toSqliteFault(other, true)).toBe(other)
})
