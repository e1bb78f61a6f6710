import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { BrokenBackup, decodeEnd, decodeHeader, decodeRow, encodeRow } from './backupFormat.ts'

const table = { name: 'holders', columns: ['address', 'amount'], rows: 1 }
const encode = (amount: unknown) => encodeRow({ address: 'a', amount }, table)

const header = {
  format: 'chainboard-backup',
  version: 1,
  createdAt: '2026-01-02T03:04:05.000Z',
  network: 'devnet',
  engine: 'sqlite',
  migrations: ['0001-index-tables'],
  withIndex: true,
  index: { identity: '31337:all', block: 12 },
  pepperMark: null,
  users: 2,
  tables: [table],
}

/** What decoding ends with. */
function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('a row', () => {
  it.each([
    ['nothing', null, '["a",null]'],
    ['a whole number beyond 2^53', 9_007_199_254_740_993n, '["a",{"int":"9007199254740993"}]'],
    ['a negative one', -9_223_372_036_854_775_808n, '["a",{"int":"-9223372036854775808"}]'],
    ['bytes', Uint8Array.of(0, 255, 10), '["a",{"base64":"AP8K"}]'],
    ['no bytes', new Uint8Array(), '["a",{"base64":""}]'],
    ['a fraction', -0.1, '["a",-0.1]'],
    ['the largest exact number', 9_007_199_254_740_991, '["a",9007199254740991]'],
    ['text over two lines', 'x\ny', '["a","x\\ny"]'],
    ['text that looks like a number of ours', '{"int":"7"}', '["a","{\\"int\\":\\"7\\"}"]'],
  ])('comes back as it was: %s', (_, amount, line) => {
    expect(encode(amount)).toBe(line)
    expect(decodeRow(line, table)).toEqual({ address: 'a', amount })
  })

  it.each([
    [9_007_199_254_740_992, 'number 9007199254740992'],
    [Number.NaN, 'number NaN'],
    [Number.NEGATIVE_INFINITY, 'number -Infinity'],
    [undefined, 'undefined undefined'],
    [true, 'boolean true'],
    [{ int: '7' }, 'object [object Object]'],
  ])('is not backed up with what may have been rounded or is no value: %s', (amount, found) => {
    const error = errorOf(() => encode(amount))
    expect(error).toBeInstanceOf(Failure)
    expect(error).toMatchObject({
      code: 'store-damaged',
      message: `holders.amount has a value that cannot be backed up exactly: found ${found}.`,
    })
  })

  it('has the columns of its table in their order, whatever else the store gives', () => {
    expect(encodeRow({ amount: 1, secret: 'x', address: 'a' }, table)).toBe('["a",1]')
  })

  it.each([
    ['["a"]', 'expected a row of 2 values'],
    ['["a",1,2]', 'expected a row of 2 values'],
    ['{"address":"a","amount":1}', 'expected a row of 2 values'],
    ['{"0":"a","1":1,"length":2}', 'expected a row of 2 values'],
    ['null', 'expected a row of 2 values'],
    ['["a",{"int":7}]', 'a value in it is of no known kind'],
    ['["a",{"base64":null}]', 'a value in it is of no known kind'],
    ['["a",{"float":"1"}]', 'a value in it is of no known kind'],
    ['["a",[1]]', 'a value in it is of no known kind'],
  ])('is broken as %s', (line, message) => {
    const error = errorOf(() => decodeRow(line, table))
    expect(error).toBeInstanceOf(BrokenBackup)
    expect(error).toMatchObject({ message })
  })
})

describe('a header', () => {
  it('is read with an index, and without one', () => {
    expect(decodeHeader(JSON.stringify(header))).toEqual(header)
    const bare = { ...header, withIndex: false, index: null, pepperMark: 'ab12', engine: 'postgres' }
    expect(decodeHeader(JSON.stringify(bare))).toEqual(bare)
  })

  it.each([
    ['another format', { ...header, format: 'other-backup' }, 'it has no header'],
    ['a version in words', { ...header, version: '1' }, 'it has no header'],
    ['a list', [header], 'it has no header'],
    ['nothing', null, 'it has no header'],
    ['another engine', { ...header, engine: 'mysql' }, 'its header is not complete'],
    ['an index without a block', { ...header, index: { identity: 'x' } }, 'its header is not complete'],
    ['a table without its columns', { ...header, tables: [{ name: 'holders', rows: 1 }] }, 'its header is not complete'],
    ['a count in words', { ...header, users: '2' }, 'its header is not complete'],
  ])('is broken as %s', (_, value, message) => {
    const error = errorOf(() => decodeHeader(JSON.stringify(value)))
    expect(error).toBeInstanceOf(BrokenBackup)
    expect(error).toMatchObject({ message })
  })

  it.each(Object.keys(header))('is broken without its %s', (left) => {
    const rest = Object.fromEntries(Object.entries(header).filter(([key]) => key !== left))
    expect(errorOf(() => decodeHeader(JSON.stringify(rest)))).toBeInstanceOf(BrokenBackup)
  })

  it('of a later format says what to do, whatever else is in it', () => {
    const error = errorOf(() => decodeHeader('{"format":"chainboard-backup","version":2,"shards":[]}'))
    expect(error).toMatchObject({
      code: 'request-invalid',
      message:
        'The backup has format 2, and this version of Chainboard reads up to 1: restore it with the version that made it, or a later one.',
    })
  })
})

describe('an end', () => {
  it('is read', () => {
    expect(decodeEnd('{"end":true,"rows":3,"sha256":"ab"}')).toEqual({ end: true, rows: 3, sha256: 'ab' })
  })

  it.each([
    '["a",1]',
    '{"end":false,"rows":3,"sha256":"ab"}',
    '{"end":true,"rows":"3","sha256":"ab"}',
    '{"end":true,"rows":3}',
    'null',
  ])('is missing where the last line is %s', (line) => {
    const error = errorOf(() => decodeEnd(line))
    expect(error).toBeInstanceOf(BrokenBackup)
    expect(error).toMatchObject({ message: 'it has no end' })
  })
})
