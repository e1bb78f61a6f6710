import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { toStoreEnv } from '../testing/storeEnv.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { startTool } from '../testing/toolProcess.ts'

const stores = createTempStores()
/** Often enough to meet a command in the middle, and it has the processor meanwhile. */
const soon = { timeout: 60_000, interval: 2 }

type Settings = Readonly<Record<string, string>> & { readonly DATA_DIR: string }

const settings = async (engine: (typeof engines)[number], name: string): Promise<Settings> => {
  const location = await stores.locate(engine)
  const folder = join(stores.dir, name)
  mkdirSync(join(folder, 'devnet'), { recursive: true })
  const url = toStoreEnv(location)
  return { DATA_DIR: folder, RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent', ...url }
}

/** Where the pepper of these settings is. */
const placeOf = (of: Settings) => (of['PIN_PEPPER'] ? 'PIN_PEPPER' : join(of.DATA_DIR, 'devnet', 'pepper'))

/** Hands a site's pepper to another one: by its file, or by its environment. */
function givePepper(from: Settings, to: Settings): Settings {
  const pepper = from['PIN_PEPPER'] ?? readFileSync(placeOf(from), 'utf8').trim()
  if (to['PIN_PEPPER']) return { ...to, PIN_PEPPER: pepper }
  writeFileSync(placeOf(to), pepper)
  return to
}

async function register(url: string, username: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, pin: '8027' })
  return (await fetch(`${url}/api/users`, { method: 'POST', headers, body })).status
}

async function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const tool = startTool(command, args, env)
  return { code: await tool.ended, output: tool.output() }
}

const others = { sqlite: engines.at(-1) ?? 'sqlite', postgres: 'sqlite' } as const

describe.each(engines)('npm run backup and npm run restore, from %s', (engine) => {
  it('move a running server’s users to another folder and the other database', { timeout: 180_000 }, async () => {
    const here = await settings(engine, `${engine}-here`)
    const unready = await settings(others[engine], `${engine}-there`)
    const file = join(stores.dir, `${engine}.backup`)
    const first = startServerProcess(here)
    const url = await first.listening
    expect(await register(url, 'ann')).toBe(201)
    const [backup, status] = await Promise.all([run('backup', [file], here), register(url, 'bob')])
    expect(status).toBe(201)
    expect(backup.code).toBe(0)
    expect(backup.output).toMatch(/^Backed up \d+ rows from 53 tables, including [12] users: /)
    expect(backup.output).toContain(`Keep ${placeOf(here)} as well, in another place`)

    const again = await run('backup', [file], here)
    expect([again.code, again.output]).toEqual([2, `${file} already exists: choose another name, or add --overwrite.\n`])
    const own = join(here.DATA_DIR, 'devnet', 'chainboard.db')
    const over = await run('backup', [own, '--overwrite'], here)
    expect([over.code, over.output]).toEqual([2, expect.stringContaining(`${own} belongs to the server's own data`)])
    const beside = await run('restore', [file, '--replace'], here)
    expect(beside.code).toBe(2)
    expect(beside.output).toContain(`Another Chainboard server uses`)

    const early = await run('restore', [file], unready)
    expect(early.code).toBe(2)
    expect(early.output).toContain(`but it is ${unready['PIN_PEPPER'] ? 'a different one' : 'missing'} (${placeOf(unready)})`)
    const there = givePepper(here, unready)
    const restored = await run('restore', [file], there)
    expect([restored.code, restored.output]).toEqual([
      0,
      expect.stringMatching(/^Restored \d+ rows from 20.*, including [12] users\./m),
    ])

    const second = startServerProcess(there)
    // The name is taken: ann is there, and the pepper fits, or the server would not have started.
    expect(await register(await second.listening, 'ann')).toBe(409)
    for (const { child, ended } of [first, second]) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
  })
})

/** A store that takes long enough to be interrupted in the middle. */
async function settingsWithMuch(name: string) {
  const env = await settings('sqlite', name)
  const store = await stores.open({ file: join(env.DATA_DIR, 'devnet', 'chainboard.db') })
  const note = 'x'.repeat(2_000)
  await store.write(async (tx) => {
    for (let i = 0; i < 20_000; i += 100) {
      const acts = Array.from({ length: 100 }, (_, n) => ({
        id: `${i + n}`,
        at: 0,
        wallet: `0x${note}` as const,
        act: 'login' as const,
        key_id: null,
        changes: `${i + n}${note}`,
      }))
      await tx.insertInto('admin_acts').values(acts).execute()
    }
  })
  await store.close()
  return env
}

it('a backup that is ended by Ctrl-C or killed leaves no file of its name', { timeout: 120_000 }, async () => {
  const env = await settingsWithMuch('interrupted')
  const folder = join(stores.dir, 'backups')
  mkdirSync(folder)
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const file = join(folder, signal)
    const { child, ended, output } = startTool('backup', [file], env)
    await vi.waitUntil(() => readdirSync(folder).some((name) => name.startsWith(`${signal}.`)), soon)
    child.kill(signal)
    expect(await ended).toBe(signal === 'SIGINT' ? 130 : null)
    if (signal === 'SIGINT') expect(output()).toBe('Interrupted: nothing was changed.\n')
    expect(existsSync(file)).toBe(false)
  }
  expect(readdirSync(folder).map((name) => name.replace(/\.[0-9a-f]{8}\./, '.'))).toEqual(['SIGKILL.partial'])
})

it.each(engines)(
  'a restore to %s that is killed in the middle leaves what was there; the next one does its work',
  {
    timeout: 120_000,
  },
  async (engine) => {
    const file = join(stores.dir, `much-for-${engine}.backup`)
    expect((await run('backup', [file], await settingsWithMuch(`much-for-${engine}`))).code).toBe(0)
    const there = await settings(engine, `killed-${engine}`)
    const { DATABASE_URL: databaseUrl } = there
    const location = databaseUrl ? { databaseUrl } : { file: join(there.DATA_DIR, 'devnet', 'chainboard.db') }
    const before = await stores.open(location)
    await before.write((tx) => tx.insertInto('credits').values({ service: 'mine', month: '2026-11', spent: 1 }).execute())
    await before.close()
    const observer = 'file' in location ? undefined : await stores.open(location)
    const hasBegun = async () => {
      if ('file' in location) return existsSync(`${location.file}.restoring`)
      const locks = sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.mode = 'AccessExclusiveLock'`
      return observer && (await locks.execute(observer.read)).rows.length > 0
    }
    const { child, ended } = startTool('restore', [file, '--replace'], there)
    await vi.waitUntil(hasBegun, soon)
    child.kill('SIGKILL')
    expect(await ended).toBeNull()
    const still = observer ?? (await stores.open(location))
    expect(await still.read.selectFrom('credits').select('service').execute()).toEqual([{ service: 'mine' }])
    expect(await still.read.selectFrom('admin_acts').select('id').execute()).toEqual([])
    await still.close()

    expect((await run('restore', [file, '--replace'], there)).code).toBe(0)
    const after = await stores.open(location)
    expect(await after.read.selectFrom('admin_acts').select('id').execute()).toHaveLength(20_000)
    await after.close()
    if ('file' in location)
      expect(readdirSync(join(there.DATA_DIR, 'devnet')).filter((name) => name.includes('restoring'))).toEqual([])
  },
)

describe('every command with a DATABASE_URL that leads nowhere', () => {
  it.each(['main', 'backup', 'restore', 'signInCode'])(
    '%s ends with 2 and one sentence',
    { timeout: 60_000 },
    async (command) => {
      const file = resolve(import.meta.dirname, '../testing/releases/0.1.0.backup')
      const env = {
        ...(await settings('sqlite', 'nowhere')),
        ...toStoreEnv({ databaseUrl: 'postgres://u:secret@127.0.0.1:1/db' }),
      }
      const args = { main: [], signInCode: ['ann'] }[command] ?? [file, '--without-pepper']
      const { code, output } = await run(command, command === 'backup' ? [join(stores.dir, 'nowhere.backup')] : args, env)
      expect(output).toMatch(
        /^(Chainboard cannot start: )?DATABASE_URL: nothing listens at 127\.0\.0\.1:1\. Start PostgreSQL, or correct host and port\.\n$/,
      )
      expect(code).toBe(2)
    },
  )

  it('is reported before anything else when it is no URL', { timeout: 60_000 }, async () => {
    const env = { ...(await settings('sqlite', 'no-url')), DATABASE_URL: 'postgres://u:se#cret@127.0.0.1/db' }
    const { code, output } = await run('backup', ['x'], env)
    expect(code).toBe(2)
    expect(output).toContain('DATABASE_URL: found a text that is not a URL, expected postgres://user:password@host:port/database')
    expect(output).not.toContain('cret@')
  })
})
