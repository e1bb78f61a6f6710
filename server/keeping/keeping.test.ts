import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createKeyedHash } from '../accounts/keyedHash.ts'
import { holdEpoch, passEpoch } from '../store/leadership.ts'
import { lockStore } from '../store/openStore.ts'
import type { Store } from '../store/store.ts'
import type { StoreLocation } from '../store/storeLocation.ts'
import { rows as indexRows, insertRows } from '../testing/graphFixture.ts'
import { dumpRows, keptRows, pepperOfRows } from '../testing/keptRows.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { toVersion6 } from '../testing/toVersion6.ts'
import { moveToPostgres } from './moveToPostgres.ts'
import { restoreBackup } from './restoreBackup.ts'
import { type BackupOptions, writeBackup } from './writeBackup.ts'

const stores = createTempStores()
const nowMs = Date.UTC(2026, 10, 22, 9, 30, 15)
const mark = createKeyedHash(pepperOfRows)('mark', '')
const nobody = () => undefined
let files = 0
const newFile = () => join(stores.dir, `backup-${++files}`)

function backUp(store: Store, file: string, changes: Partial<BackupOptions> = {}) {
  const signal = new AbortController().signal
  const options = { network: 'devnet', withIndex: true, overwrite: false, nowMs, onProgress: nobody, signal }
  return writeBackup(store, file, { ...options, ...changes })
}

function restore(file: string, location: StoreLocation, changes: Partial<Parameters<typeof restoreBackup>[1]> = {}) {
  const signal = new AbortController().signal
  const pepper = { mark, place: '/data/pepper' }
  const options = { location, network: 'devnet', replace: false, pepper, nowMs, onProgress: nobody, onCheck: nobody, signal }
  return restoreBackup(file, { ...options, ...changes })
}

const locations = new Map<Store, StoreLocation>()

async function openNew(engine: Store['engine']): Promise<Store> {
  const location = await stores.locateNew(engine)
  const store = await stores.open(location)
  locations.set(store, location)
  return store
}

function locationOf(store: Store): StoreLocation {
  const location = locations.get(store)
  if (!location) throw new Error('a store of these tests was wanted')
  return location
}

async function filled(engine: Store['engine']): Promise<Store> {
  const store = await openNew(engine)
  await insertRows(store, { ...keptRows, ...indexRows })
  return store
}

async function dumpOf(location: StoreLocation) {
  const store = await stores.open(location)
  const dump = await dumpRows(store)
  await store.close()
  return dump
}

async function trouble(work: Promise<unknown>): Promise<string> {
  const error = await work.then(nobody, (thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw new Error('no failure', { cause: error })
  return `${error.code}: ${error.message}`
}

const moves = engines.flatMap((from) => engines.map((to) => ({ from, to })))

describe.each(moves)('a backup of $from restored on $to', ({ from, to }) => {
  it('has every row of every table, value for value', async () => {
    const store = await filled(from)
    const file = newFile()
    const header = await backUp(store, file)
    expect(header.users).toBe(2)
    const location = await stores.locate(to)
    await restore(file, location)
    const found = await dumpOf(location)
    expect(found).toEqual(await dumpRows(store))
    expect(found['users']).toEqual(expect.arrayContaining([...(keptRows.users ?? [])]))
    expect(found['boost_payments']).toEqual(keptRows.boost_payments)
    expect(found['api_keys']).toEqual([keptRows.api_keys?.[1], keptRows.api_keys?.[0]])
    expect(Object.values(found).filter((rows) => rows.length > 0).length).toBeGreaterThan(30)
  })

  it('made while others write, is of one moment', { timeout: 120_000 }, async () => {
    const store = await filled(from)
    const stopping = new AbortController()
    // Each transaction adds a row to two tables and one to a sum: in a mixture of moments they differ.
    const writing = (async () => {
      for (let i = 0; !stopping.signal.aborted; i++) {
        const address = `0x${i.toString(16).padStart(40, '0')}` as const
        await store.write(async (tx) => {
          await tx.insertInto('user_wallets').values({ user_id: 'u9', address, position: i }).execute()
          await tx.insertInto('favorites').values({ user_id: 'u9', address, position: i }).execute()
          await tx
            .updateTable('account_totals')
            .set((e) => ({ value: e('value', '+', 1) }))
            .where('name', '=', 'wallets')
            .execute()
        })
      }
    })()
    const sums: number[][] = []
    for (let round = 0; round < 5; round++) {
      const file = newFile()
      await backUp(store, file)
      const location = await stores.locate(to)
      await restore(file, location)
      const { user_wallets, favorites, account_totals } = await dumpOf(location)
      const total = account_totals?.find((row) => (row as { name: string }).name === 'wallets') as { value: number }
      sums.push([(user_wallets?.length ?? 0) - 3, (favorites?.length ?? 0) - 2, total.value - 3])
    }
    stopping.abort()
    await writing
    for (const [wallets, favorites, total] of sums) expect([favorites, total]).toEqual([wallets, wallets])
    expect(sums.at(-1)?.[0]).toBeGreaterThan(0)
  })
})

describe.each(engines)('restoring on %s', (engine) => {
  const damages: [string, (file: string) => void, RegExp][] = [
    ['truncated', (file) => truncateSync(file, statSync(file).size - 40), /is not a complete backup \(unexpected end of file\)/],
    ['cut to nothing', (file) => truncateSync(file, 0), /is not a complete backup/],
    ['with one value changed', (file) => rewrite(file, (text) => text.replace('"Ann"', '"Eve"')), /its checksum does not match/],
    [
      'with a row missing',
      (file) => rewrite(file, (text) => text.replace(/\n\["u1","ann".*\n/, '\n')),
      /is not a complete backup/,
    ],
    [
      'without its number of users',
      (file) => rewrite(file, (text) => text.replace('"users":2,', '')),
      /is not a complete backup \(its header is not complete\)/,
    ],
    [
      'with a value of no kind',
      (file) => rewrite(file, (text) => text.replace('"u1","ann"', '{"hex":"00"},"ann"')),
      /is not a complete backup \(a value in it is of no known kind\)/,
    ],
    ['with a flipped bit', flipBit, /is not a complete backup/],
    ['that is none', (file) => writeFileSync(file, 'hello'), /is not a complete backup \(incorrect header check\)/],
    ['that is a database', (file) => writeFileSync(file, gzipSync('{"a":1}\n')), /is not a complete backup \(it has no header\)/],
  ]
  it.each(damages)('a file %s changes nothing', async (_, damage, words) => {
    const file = newFile()
    await backUp(await filled('sqlite'), file)
    damage(file)
    const target = await filled(engine)
    const before = await dumpRows(target)
    await target.close()
    const location = locationOf(target)
    expect(await trouble(restore(file, location, { replace: true }))).toMatch(words)
    expect(await dumpOf(location)).toEqual(before)
  })

  it('refuses a filled database; told to replace it, keeps what was there', async () => {
    const file = newFile()
    await backUp(await filled('sqlite'), file, { withIndex: false })
    const target = await filled(engine)
    await target.write((tx) => tx.insertInto('credits').values({ service: 'old', month: '2026-01', spent: 1 }).execute())
    const old = await dumpRows(target)
    await target.close()
    const location = locationOf(target)
    expect(await trouble(restore(file, location))).toMatch(/^conflict: .* has data already.* add --replace/)
    expect(await dumpOf(location)).toEqual(old)

    const { setAside } = await restore(file, location, { replace: true })
    const now = await dumpOf(location)
    expect(now['credits']).toEqual(keptRows.credits)
    expect(now['swaps']).toEqual([])
    const way = 'file' in location ? { file: setAside ?? '' } : withSchema(location.databaseUrl, setAside ?? '')
    expect(setAside).toMatch(engine === 'sqlite' ? /\.before-20261122T093015Z$/ : /^chainboard_before_20261122093015$/)
    expect(await dumpOf(way)).toEqual(old)
  })

  it('takes a database that a start has only just made for empty', async () => {
    const file = newFile()
    const store = await filled('sqlite')
    await backUp(store, file)
    const target = await openNew(engine)
    await target.write((tx) => tx.insertInto('pepper_mark').values({ id: 1, mark: 'of the first start' }).execute())
    await target.close()
    const { setAside } = await restore(file, locationOf(target))
    expect(setAside).toBeUndefined()
    expect(await dumpOf(locationOf(target))).toEqual(await dumpRows(store))
  })

  it('refuses beside a running server', async () => {
    const file = newFile()
    await backUp(await filled('sqlite'), file)
    const location = await stores.locate(engine)
    const lock = await lockStore(location, { isAlone: true, onLost: nobody })
    expect(await trouble(restore(file, location))).toMatch(/^store-in-use: Another Chainboard server uses/)
    await lock.release()
  })

  it('refuses when the pepper is missing or another one, unless it is left aside', async () => {
    const file = newFile()
    await backUp(await filled('sqlite'), file)
    const location = await stores.locate(engine)
    const place = '/data/pepper'
    const missing = await trouble(restore(file, location, { pepper: { mark: undefined, place } }))
    expect(missing).toMatch(
      /^config-invalid: The backup has 2 users, and their PINs need .* but it is missing \(\/data\/pepper\)/,
    )
    expect(await trouble(restore(file, location, { pepper: { mark: 'x', place } }))).toContain('but it is a different one')
    expect((await restore(file, location, { pepper: 'unchecked' })).header.users).toBe(2)
  })

  it('interrupted, changes nothing', async () => {
    const file = newFile()
    await backUp(await filled('sqlite'), file)
    const target = await filled(engine)
    const before = await dumpRows(target)
    await target.close()
    const stopping = new AbortController()
    const onProgress = () => stopping.abort()
    const restoring = restore(file, locationOf(target), { replace: true, onProgress, signal: stopping.signal })
    await expect(restoring).rejects.toThrow('aborted')
    expect(await dumpOf(locationOf(target))).toEqual(before)
    expect(readdirSync(stores.dir).filter((name) => name.includes('restoring'))).toEqual([])
  })

  it('of an older version, gets the rows and today’s tables', async () => {
    const old = await filled('sqlite')
    await old.write(async (tx) => {
      for (const statement of toVersion6) await sql.raw(statement).execute(tx)
      await tx
        .insertInto('devices')
        .values({ user_id: 'u2', kind: 'browser', hash: 'bb'.repeat(32), seen_at: 1 })
        .execute()
    })
    const file = newFile()
    expect((await backUp(old, file)).migrations.at(-1)).toBe('0006-boosts')
    const location = await stores.locate(engine)
    await restore(file, location)
    // The migration ran over the rows: it forgets browsers that two users had.
    const dumped = await dumpOf(location)
    expect(dumped['devices']).toEqual([keptRows.devices?.[1]])
    // And says how the names look, and when the sessions began, which last 30 days.
    expect(dumped['name_skeletons']).toEqual([
      { skeleton: 'ann', users: 1 },
      { skeleton: 'жанна', users: 1 },
    ])
    expect(dumped['sessions']).toMatchObject([{ started_at: (20_000 + 1 - 30) * 86_400, browser_name: '' }])
  })
})

describe.skipIf(!engines.includes('postgres'))('a leader that hung while a backup was restored', () => {
  it.each([true, false])('finds no epoch of its own again (rows were there: %s)', async (hasRows) => {
    const source = await filled('sqlite')
    const file = newFile()
    await backUp(source, file)
    const store = hasRows ? await filled('postgres') : await openNew('postgres')
    const hung = await store.write(passEpoch)
    await restore(file, locationOf(store), { replace: hasRows })
    const after = await stores.open(locationOf(store))
    expect(await trouble(after.write((tx) => holdEpoch(tx, hung)))).toMatch(/^store-in-use: /)
    // Nor does the next leader have the same one.
    expect(await after.write(passEpoch)).toBeGreaterThan(hung)
    await store.close()
    await after.close()
  })
})

describe.skipIf(!engines.includes('postgres'))('a move from SQLite to PostgreSQL', () => {
  const move = (source: StoreLocation, target: StoreLocation, place = mark) => {
    if (!('file' in source && 'databaseUrl' in target)) throw new Error('a file and a database were wanted')
    return moveToPostgres({
      ...{ from: source.file, databaseUrl: target.databaseUrl, network: 'devnet', replace: false, nowMs },
      pepper: { mark: place, place: '/data/pepper' },
      ...{ onRead: nobody, onCheck: nobody, onProgress: nobody, signal: new AbortController().signal },
    })
  }

  it('brings every row, and leaves the file as it was, without anything beside it', async () => {
    const store = await filled('sqlite')
    const [source, target] = [locationOf(store), await stores.locate('postgres')]
    const rows = await dumpRows(store)
    await store.close()
    // A run that was killed had no time to remove it.
    if ('file' in source) writeFileSync(`${source.file}.moving.0a1b2c3d.partial`, 'half')
    const { header } = await move(source, target)
    expect(header.users).toBe(2)
    expect(await dumpOf(target)).toEqual(rows)
    expect(await dumpOf(source)).toEqual(rows)
    const [folder, name] = 'file' in source ? [dirname(source.file), basename(source.file)] : ['', '']
    expect(readdirSync(folder).filter((each) => each.startsWith(`${name}.`))).toEqual([])
  })

  it('refuses beside a server on the file, and another pepper; then nothing is in the database', async () => {
    const store = await filled('sqlite')
    const [source, target] = [locationOf(store), await stores.locate('postgres')]
    const server = await lockStore(source, { isAlone: false, onLost: nobody })
    expect(await trouble(move(source, target))).toMatch(/^store-in-use: /)
    await server.release()
    expect(await trouble(move(source, target, 'another'))).toMatch(/^config-invalid: /)
    expect((await dumpOf(target))['users']).toEqual([])
  })
})

describe('a backup', () => {
  it('is readable by its owner alone, has no pepper in it, and leaves no other file', async () => {
    const file = newFile()
    await backUp(await filled('sqlite'), file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(gunzipSync(readFileSync(file)).includes(pepperOfRows)).toBe(false)
    expect(readdirSync(stores.dir).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('never replaces a file unless it is asked to', async () => {
    const file = newFile()
    writeFileSync(file, 'precious')
    const store = await filled('sqlite')
    expect(await trouble(backUp(store, file))).toBe(`conflict: ${file} already exists: choose another name, or add --overwrite.`)
    expect(readFileSync(file, 'utf8')).toBe('precious')
    await backUp(store, file, { overwrite: true })
    expect(readFileSync(file, 'utf8')).not.toBe('precious')
  })

  it('interrupted, leaves nothing', async () => {
    const file = newFile()
    const stopping = new AbortController()
    const writing = backUp(await filled('sqlite'), file, { onProgress: () => stopping.abort(), signal: stopping.signal })
    await expect(writing).rejects.toThrow('aborted')
    expect(readdirSync(stores.dir).filter((name) => join(stores.dir, name).startsWith(file))).toEqual([])
  })

  it('cannot be written into a folder that is not there', async () => {
    const file = join(stores.dir, 'nowhere', 'b')
    expect(await trouble(backUp(await filled('sqlite'), file))).toMatch(/^request-invalid: .* cannot be written \(ENOENT/)
  })

  it('without the index has everything that exists nowhere else', async () => {
    const file = newFile()
    await backUp(await filled('sqlite'), file, { withIndex: false })
    const location = await stores.locate('sqlite')
    await restore(file, location)
    const found = await dumpOf(location)
    for (const [table, rows] of Object.entries(keptRows)) expect(found[table]).toHaveLength(rows.length)
    for (const table of Object.keys(indexRows)) expect(found[table]).toEqual([])
  })

  it('of a newer version, of a newer format or of another network is refused, with what to do', async () => {
    const file = newFile()
    await backUp(await filled('sqlite'), file)
    const location = await stores.locate('sqlite')
    const changed = (from: string, to: string) => {
      const copy = newFile()
      writeFileSync(copy, readFileSync(file))
      rewrite(copy, (text) => text.replace(from, to))
      return trouble(restore(copy, location))
    }
    expect(await changed('"0030-trades-of-wallets"', '"0030-trades-of-wallets","0099-later"')).toBe(
      'store-foreign: The backup was made by a newer version of Chainboard (migration 0099-later): restore it with that version.',
    )
    expect(await changed('"version":1', '"version":2')).toMatch(/^request-invalid: The backup has format 2, .* reads up to 1/)
    expect(await changed('"network":"devnet"', '"network":"celo"')).toMatch(/is of the network celo, .* set NETWORK=celo\.$/)
    expect(await trouble(restore(`${file}-none`, location))).toBe(`request-invalid: There is no file ${file}-none.`)
  })
})

function rewrite(file: string, change: (text: string) => string): void {
  const text = gunzipSync(readFileSync(file)).toString()
  const changed = change(text)
  if (changed === text) throw new Error('nothing was changed')
  writeFileSync(file, gzipSync(changed))
}

function flipBit(file: string): void {
  const bytes = readFileSync(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

function withSchema(databaseUrl: string, schema: string): StoreLocation {
  return { databaseUrl: `${databaseUrl}?options=${encodeURIComponent(`-c search_path=${schema}`)}` }
}
