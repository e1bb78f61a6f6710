import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { findScope } from '../indexScope.ts'
import type { Store } from '../store.ts'
import { findCursor, setCursor } from '../syncCursor.ts'
import { addIndexScope } from './0015-index-scope.ts'

const stores = createTempStores()
const [a, b, native] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`, `0x${'cc'.repeat(20)}`]
const name = `42220:0x${'01'.repeat(32)}:0x${'fa'.repeat(20)}:13916355`
const nothingLeft = { unvalued: new Set(), newestValued: new Set() }
const dollars = `${a}+${b}/${native}/5000000000000000000000/600`

/** A store of before, with an index of this name. */
async function upgraded(engine: Store['engine'], identity: string): Promise<Store> {
  const store = await stores.openNew(engine)
  await store.write(async (tx) => {
    await sql`drop table index_scope`.execute(tx)
    await sql`drop table scope_tokens`.execute(tx)
    await setCursor(tx, { identity, block: { number: 7, hash: '0xab', timestampSeconds: 9 } })
    await addIndexScope().up(tx as never)
  })
  return store
}

describe.each(engines)('the name of an index of before (%s)', (engine) => {
  it('loses its tokens and settings, which become rows', async () => {
    const store = await upgraded(engine, `${name}:${a},${b}:${dollars}`)
    expect((await findCursor(store.read))?.identity).toBe(name)
    expect(await findScope(store.read)).toEqual({ dollars, tokens: new Set([a, b]), ...nothingLeft })
  })

  it('keeps every pool where it had all', async () => {
    const store = await upgraded(engine, `${name}:all:${dollars}`)
    expect((await findCursor(store.read))?.identity).toBe(name)
    expect(await findScope(store.read)).toEqual({ dollars, tokens: undefined, ...nothingLeft })
  })

  it('stays where it is of no version, and has no scope', async () => {
    const store = await upgraded(engine, 'test')
    expect((await findCursor(store.read))?.identity).toBe('test')
    expect(await findScope(store.read)).toBeUndefined()
  })
})
