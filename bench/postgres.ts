import { chmodSync, chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../tools/freePort.ts'
import { type Child, makeFolder, removeFolder, runToEnd, start } from './children.ts'
import { NotMeasured } from './notMeasured.ts'
import { within } from './waiting.ts'

/** A PostgreSQL that this benchmark has started. */
export type Postgres = {
  readonly version: string
  /** Of the process that starts all others. */
  readonly pid: number
  /** @returns the new database's URL */
  createDatabase(name: string): Promise<string>
  /** @returns the first column of the first row */
  queryOne(databaseUrl: string, sql: string): Promise<string>
  urlOf(database: string): string
  /** Starts another PostgreSQL that follows this one by streaming replication. */
  startReplica(): Promise<Replicating>
  /** Ends it; its data and its port stay for `resume`. */
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/** A PostgreSQL that follows another one. */
export type Replicating = { urlOf(database: string): string; halt(): Promise<void>; resume(): Promise<void> }

const versionsDir = '/usr/lib/postgresql'
const setupMsMax = 60_000
const queryMsMax = 30_000

/**
 * Starts a PostgreSQL on a free port, with its data in a temporary folder and its default settings: unlike that of the tests it
 * syncs to disk, as in production.
 * @returns undefined where none is installed
 * @throws NotMeasured when it does not start
 */
export async function startPostgres(signal: AbortSignal): Promise<Postgres | undefined> {
  const bin = findPrograms()
  if (!bin) return undefined
  const limits = { msMax: setupMsMax, signal }
  const folder = makeFolder('postgres')
  const owner = ownerFor(folder)
  const [data, port] = [join(folder, 'data'), await findFreePort()]
  const initArgs = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  await runToEnd({ command: join(bin, 'initdb'), args: initArgs, cwd: folder, ...owner }, limits)
  const launch = async (own: string, at: number, word: string) => {
    const args = ['-D', own, '-p', String(at), '-k', folder, '-c', 'listen_addresses=127.0.0.1']
    const launched = start({ command: join(bin, 'postgres'), args, cwd: folder, ...owner }, 'SIGINT')
    const ready = new Promise<void>((resolve) => {
      launched.process.stderr?.on('data', (text: Buffer) => text.includes(word) && resolve())
    })
    await within(ready, { what: 'PostgreSQL', ...limits, gone: launched.gone })
    return launched
  }
  const launchPrimary = () => launch(data, port, 'ready to accept connections')
  let server = await launchPrimary()
  let replica: Child | undefined
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const queryOne = async (databaseUrl: string, sql: string) => {
    const psql = { command: join(bin, 'psql'), args: [databaseUrl, '-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql] }
    return (await runToEnd(psql, { msMax: queryMsMax, signal })).trim()
  }
  return {
    version: await queryOne(urlOf('postgres'), 'show server_version'),
    pid: server.pid,
    queryOne,
    urlOf,
    halt: () => server.stop(),
    resume: async () => {
      server = await launchPrimary()
    },
    async startReplica() {
      const [copy, at] = [join(folder, 'replica'), await findFreePort()]
      // As its manual says: a copy of all files, and the settings that make it follow.
      const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-D', copy, '-R', '--checkpoint=fast']
      await runToEnd({ command: join(bin, 'pg_basebackup'), args: from, cwd: folder, ...owner }, limits)
      const launchReplica = () => launch(copy, at, 'ready to accept read-only connections')
      replica = await launchReplica()
      return {
        urlOf: (database) => `postgres://postgres@127.0.0.1:${at}/${database}`,
        halt: async () => replica?.stop(),
        resume: async () => {
          replica = await launchReplica()
        },
      }
    },
    async createDatabase(name) {
      await queryOne(urlOf('postgres'), `create database "${name}"`)
      return urlOf(name)
    },
    async stop() {
      await replica?.stop()
      await server.stop()
      removeFolder(folder)
    },
  }
}

/** Folder of the newest version's programs, with Debian's packages. */
function findPrograms(): string | undefined {
  if (!existsSync(versionsDir)) return undefined
  return readdirSync(versionsDir)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(versionsDir, version, 'bin'))
    .find((bin) => ['initdb', 'postgres', 'psql'].every((program) => existsSync(join(bin, program))))
}

/** PostgreSQL refuses to run as root: there, it runs as Debian's user for it. */
function ownerFor(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':')
  if (!uid || !gid) throw new NotMeasured('PostgreSQL does not run as root, and this system has no user "postgres" for it')
  const owner = { uid: Number(uid), gid: Number(gid) }
  chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
  return owner
}
