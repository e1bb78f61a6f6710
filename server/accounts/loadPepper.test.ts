import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { insertUser } from '../store/users.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { loadPepper, requireGivenPepper } from './loadPepper.ts'

const stores = createTempStores()
const somebody = { id: '1', key: 'a', username: 'A', pinHash: 'h', createdAtSeconds: 1 }
const newFile = () => join(stores.dir, randomUUID(), 'devnet', 'pepper')

describe.each(engines)('the pepper beside %s', (engine) => {
  it('is made at the first start, for its owner alone, and stays', async () => {
    const store = await stores.openNew(engine)
    const file = newFile()
    const pepper = await loadPepper(store, { file, given: undefined })
    expect(pepper).toMatch(/^[0-9a-f]{64}$/)
    expect(readFileSync(file, 'utf8')).toBe(`${pepper}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['pepper'])
    await store.write((tx) => insertUser(tx, somebody))
    expect(await loadPepper(store, { file, given: undefined })).toBe(pepper)
  })

  it('is one, no matter who comes first', async () => {
    const store = await stores.openNew(engine)
    const file = newFile()
    const both = await Promise.all([1, 2].map(() => loadPepper(store, { file, given: undefined })))
    expect(both[0]).toBe(both[1])
    if (engine === 'sqlite') return
    const other = await stores.openNew(engine)
    const peppers = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32))
    const results = await Promise.allSettled(peppers.map((given) => loadPepper(other, { file: newFile(), given })))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  })

  it('may be given from outside, and no file is made then', async () => {
    const store = await stores.openNew(engine)
    const given = 'g'.repeat(32)
    const file = newFile()
    expect(await loadPepper(store, { file, given })).toBe(given)
    expect(() => statSync(file)).toThrow('ENOENT')
  })

  it('that is lost, or another one than the users were hashed with, ends the start with a word on it', async () => {
    const store = await stores.openNew(engine)
    const file = newFile()
    await loadPepper(store, { file, given: undefined })
    await store.write((tx) => insertUser(tx, somebody))
    await expect(loadPepper(store, { file, given: 'x'.repeat(32) })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('it is a different one (PIN_PEPPER)'),
    })
    rmSync(file)
    await expect(loadPepper(store, { file, given: undefined })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(`the file is missing (${file})`),
    })
    expect(() => statSync(file)).toThrow('ENOENT')
  })

  it('may be another one while nobody has registered, where there is one server', async () => {
    const store = await stores.openNew(engine)
    await loadPepper(store, { file: newFile(), given: 'a'.repeat(32) })
    if (engine === 'postgres') {
      await expect(loadPepper(store, { file: newFile(), given: 'b'.repeat(32) })).rejects.toMatchObject({
        code: 'config-invalid',
        message: expect.stringMatching(
          /^Another server already uses this database with a different PIN_PEPPER: .*delete from pepper_mark/,
        ),
      })
      return
    }
    expect(await loadPepper(store, { file: newFile(), given: 'b'.repeat(32) })).toBe('b'.repeat(32))
    await store.write((tx) => insertUser(tx, somebody))
    await expect(loadPepper(store, { file: newFile(), given: 'a'.repeat(32) })).rejects.toThrow('it is a different one')
  })

  it('has to be given where several servers may be', () => {
    const file = newFile()
    expect(() => requireGivenPepper({ file, given: undefined })).toThrow(/PIN_PEPPER must be set: .*openssl rand -hex 32/)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, 'secret')
    expect(() => requireGivenPepper({ file, given: undefined })).toThrow(`set PIN_PEPPER to what is in that file`)
    expect(() => requireGivenPepper({ file, given: 'g'.repeat(32) })).not.toThrow()
  })

  it('that is an empty file is not taken for one', async () => {
    const store = await stores.openNew(engine)
    const file = newFile()
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '\n')
    chmodSync(file, 0o600)
    await expect(loadPepper(store, { file, given: undefined })).rejects.toThrow(`The file ${file} is empty`)
  })
})
