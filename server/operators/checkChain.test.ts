import { createHmac } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { type ActRow, appendAdminAct, digestUnchained, findChainEnd, listUnchainedActs, readChain } from '../store/adminActs.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { type ChainParts, checkChain } from './checkChain.ts'

const stores = createTempStores()
const hashWith = (secret: string) => (text: string) => createHmac('sha256', secret).update(text).digest('hex')
const hashOf = hashWith('the secret of this site')
let rows: ActRow[] = []
let end: ChainParts['end']

beforeAll(async () => {
  const store = await stores.openNew('sqlite')
  const wallet = `0x${'ad'.repeat(20)}` as const
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    await store.write((tx) =>
      appendAdminAct(
        tx,
        {
          ...{ id, atSeconds: 1_000, wallet, role: 'owner', via: 'session', act: 'delete', keyId: `key ${id}` },
          ...{ from: { note: id }, to: {}, alerts: [] },
        },
        hashOf,
      ),
    )
  rows = await collect(readChain(store.read))
  end = await findChainEnd(store.read)
})

async function* each(list: readonly ActRow[]) {
  yield* list
}
async function collect(list: AsyncIterable<ActRow>): Promise<ActRow[]> {
  const found: ActRow[] = []
  for await (const row of list) found.push(row)
  return found
}
const check = (list: readonly ActRow[], changes: Partial<ChainParts> = {}) =>
  checkChain(each(list), { end, beforeDigest: undefined, keptMin: 100_000, hashOf, ...changes })

it('is whole as it was written, and tells its end', async () => {
  expect(await check(rows)).toEqual({ kind: 'whole', first: 1, last: 5, hash: end?.hash })
  expect(await check([], { end: undefined })).toEqual({ kind: 'empty' })
})

it.each([
  ['wallet', `0x${'00'.repeat(20)}`],
  ['act', 'login'],
  ['at', 999],
  ['key_id', null],
  ['changes', '{"from":{},"to":{}}'],
  ['role', 'viewer'],
  ['via', 'message'],
  ['alerts', 'first-use'],
  ['id', 'x'],
])('is broken where %s was changed', async (column, value) => {
  const changed = rows.map((row) => (row.seq === 3 ? { ...row, [column]: value } : row))
  expect(await check(changed)).toMatchObject({ kind: 'broken', seq: 3, why: expect.stringContaining('its content has changed') })
})

it('is broken where an entry is missing: at its beginning, in its middle, at its end', async () => {
  expect(await check(rows.slice(1))).toMatchObject({ kind: 'broken', seq: 2, why: expect.stringContaining('before it') })
  expect(await check(rows.filter(({ seq }) => seq !== 3))).toMatchObject({ kind: 'broken', seq: 4 })
  expect(await check(rows.slice(0, 4))).toMatchObject({ kind: 'broken', seq: 5, why: 'entries up to 5 are missing' })
  expect(await check([])).toMatchObject({ kind: 'broken', seq: 1, why: 'entries up to 5 are missing' })
})

it('may begin later when enough are kept', async () => {
  expect(await check(rows.slice(1), { keptMin: 4 })).toMatchObject({ kind: 'whole', first: 2, last: 5 })
})

it('is broken where somebody without the secret rewrote it, or where entries changed places', async () => {
  const forge = (list: readonly ActRow[], secret: string): ActRow[] => {
    let previous = '0'.repeat(64)
    return list.map((row, place) => {
      const { hash: _, ...rest } = { ...row, seq: place + 1, previous }
      const { seq, id, at, wallet, role, via, act, key_id, changes, alerts } = rest
      const text = JSON.stringify([seq, previous, id, at, wallet, role, via, act, key_id, changes, alerts])
      previous = hashWith(secret)(text)
      return { ...rest, hash: previous }
    })
  }
  const guessed = forge(rows.slice(0, 4), 'a guess')
  expect(await check(guessed, { end: { seq: 4, hash: guessed.at(-1)?.hash ?? '' } })).toMatchObject({ kind: 'broken', seq: 1 })
  // The format is the one that was published, and the forger above is no worse than the real thing.
  expect(forge(rows, 'the secret of this site')).toEqual(rows)
  const [a, b, c, d, e] = rows
  const swapped = [a, c, b, d, e].flatMap((row, place) => (row ? { ...row, seq: place + 1 } : []))
  expect(await check(swapped)).toMatchObject({ kind: 'broken', seq: 2 })
})

it('is broken for who noted an entry that was taken away with the end of the log', async () => {
  const cut = rows.slice(0, 3)
  const told = { seq: 3, hash: cut.at(-1)?.hash ?? '' }
  expect(await check(cut, { end: told })).toMatchObject({ kind: 'whole', last: 3 })
  const noted = { seq: 5, hash: rows.at(-1)?.hash ?? '' }
  expect(await check(cut, { end: told, noted })).toEqual({ kind: 'broken', seq: 5, why: 'the entry that was noted is missing' })
  expect(await check(rows, { noted })).toMatchObject({ kind: 'whole' })
  expect(await check(rows, { noted: { ...noted, seq: 4 } })).toMatchObject({ kind: 'broken', seq: 4 })
})

it('begins with what stands for the acts of an older version', async () => {
  const file = join(stores.dir, 'old', 'chainboard.db')
  mkdirSync(join(stores.dir, 'old'))
  writeFileSync(file, gunzipSync(readFileSync(resolve(import.meta.dirname, '../testing/releases/0.1.0.db.gz'))))
  const store = await stores.open({ file })
  const act = { ...({ id: 'a', atSeconds: 1, wallet: `0x${'ad'.repeat(20)}` as const, role: 'owner', via: 'message' } as const) }
  const done = { ...act, act: 'login', keyId: undefined, from: {}, to: {}, alerts: [] } as const
  await store.write((tx) => appendAdminAct(tx, done, hashOf))
  const log = await collect(readChain(store.read))
  const old = await listUnchainedActs(store.read)
  expect(old).toHaveLength(1)
  const parts = { end: await findChainEnd(store.read), beforeDigest: digestUnchained(old) }
  expect(await check(log, parts)).toMatchObject({ kind: 'whole', first: 1, last: 1 })
  const beforeDigest = digestUnchained(old.map((row) => ({ ...row, wallet: `0x${'00'.repeat(20)}` as const })))
  expect(await check(log, { ...parts, beforeDigest })).toMatchObject({ kind: 'broken', seq: 1 })
})

it('covers the acts from before it', async () => {
  const old: ActRow = {
    ...{ id: 'o', at: 1, wallet: `0x${'ad'.repeat(20)}`, act: 'login', key_id: null, changes: '{"from":{},"to":{}}' },
    ...{ seq: null, role: null, via: null, alerts: null, previous: null, hash: null },
  }
  const beforeDigest = digestUnchained([old])
  // Of ["o",1,"0xadad…ad","login",null,"{\"from\":{},\"to\":{}}"], by sha256sum.
  expect(beforeDigest).toBe('3bcfdc7339c9941aae863ae0a7bfb9b75193aa64a6ecb284ad9ef8ea6131bab1')
  expect(await check(rows, { beforeDigest })).toMatchObject({
    kind: 'broken',
    seq: 1,
    why: expect.stringContaining('before the log'),
  })
})
