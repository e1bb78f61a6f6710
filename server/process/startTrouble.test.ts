import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

/** How a server on a folder of its own ends, and all it says. */
async function start(folder: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { ended, output } = startServerProcess({
    ...{ DATA_DIR: folder, RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' },
    ...env,
  })
  return `${await ended}: ${output().trim()}`
}

/** @returns its folder for the network's data, and `DATA_DIR` */
function makeFolder(name: string): { readonly dir: string; readonly folder: string } {
  const dir = join(stores.dir, name)
  const folder = join(dir, 'devnet')
  mkdirSync(folder, { recursive: true })
  return { dir, folder }
}

it('a page that is damaged and first read after the tables were checked', async () => {
  const { dir, folder } = makeFolder('page')
  const file = join(folder, 'chainboard.db')
  await (await stores.open({ file })).close()
  const db = new DatabaseSync(file)
  const { page } = db.prepare(`select rootpage as page from sqlite_schema where name = 'pepper_mark'`).get() as { page: number }
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4_096, 0xff), 0, 4_096, (page - 1) * 4_096)
  closeSync(handle)
  expect(await start(dir)).toMatch(/^2: Chainboard cannot start: .*chainboard\.db is damaged \(.*\): .* restore a backup/)
})

it.each([
  [
    'HOST',
    { HOST: 'no-such-host.invalid', PUBLIC_URL: 'https://board.example' },
    'HOST: found "no-such-host.invalid", expected an address or name of this machine',
  ],
  [
    'HOST of another machine',
    { HOST: '10.255.255.1', PUBLIC_URL: 'https://board.example' },
    'HOST: found "10.255.255.1", expected an address or name of this machine',
  ],
])('a wrong %s', async (name, env, sentence) => {
  const { dir } = makeFolder(name)
  const said = await start(dir, env)
  expect(said).toContain(`Chainboard cannot start: ${sentence}`)
  expect(said).toMatch(/^2: /)
  expect(said).not.toMatch(/^ +at /m)
})

it('a folder in place of the pepper', async () => {
  const { dir, folder } = makeFolder('pepper')
  mkdirSync(join(folder, 'pepper'))
  expect(await start(dir)).toBe(
    `2: Chainboard cannot start: The pepper cannot be read at ${join(folder, 'pepper')} (EISDIR): it must be a file that the server's user may read. Put your copy of it back, or set PIN_PEPPER.`,
  )
})

it('a lock file that is none is named, not the database', async () => {
  const { dir, folder } = makeFolder('lock-rubbish')
  const lock = join(folder, 'server.lock')
  writeFileSync(lock, 'rubbish '.repeat(1_000))
  expect(await start(dir)).toBe(
    `2: Chainboard cannot start: The lock file ${lock} cannot be used (file is not a database): stop the server that uses this folder, if any, and delete the file.`,
  )
})

it('a folder in place of the lock file', async () => {
  const { dir, folder } = makeFolder('lock-folder')
  mkdirSync(join(folder, 'server.lock'))
  expect(await start(dir)).toMatch(/^2: Chainboard cannot start: The lock file .*server\.lock cannot be used \(unable to open/)
})

it('a DATA_DIR in a file system that makes no folders', async () => {
  expect(await start('/proc/chainboard')).toMatch(
    /^2: Chainboard cannot start: The folder \/proc\/chainboard cannot be created \(ENOENT\): set DATA_DIR to a folder /,
  )
})
