import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const versionsDir = '/usr/lib/postgresql'
/** A database is there for one test: nothing of it has to outlive this machine, and nothing in it grows old. */
const settings = {
  ...{ listen_addresses: '127.0.0.1', fsync: 'off', full_page_writes: 'off' },
  ...{ autovacuum: 'off', wal_level: 'minimal', max_wal_senders: '0' },
}

export type PrivatePostgres = {
  /** Without the database's name. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL of our own, on a free port, with its data in a temporary folder. It ends with this process at the latest.
 * `undefined` where none is installed.
 */
export async function startPrivatePostgres(): Promise<PrivatePostgres | undefined> {
  const bin = findPostgres()
  if (!bin) return undefined
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-postgres-'))
  const owner = ownerFor(dir)
  execFileSync(join(bin, 'initdb'), ['-D', join(dir, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
  })
  const port = await freePort()
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', join(dir, 'data'), '-p', String(port), '-k', dir, ...words]
  const server = spawn(join(bin, 'postgres'), args, { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  const abort = () => server.kill('SIGQUIT')
  process.once('exit', abort)
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: Buffer) => text.includes('ready to accept connections') && resolve())
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}`)))
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
      process.off('exit', abort)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function findPostgres(): string | undefined {
  if (!existsSync(versionsDir)) return undefined
  return readdirSync(versionsDir)
    .map((version) => join(versionsDir, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
}

/** PostgreSQL refuses to run as root: there, it runs as Debian's user for it. */
function ownerFor(dir: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':')
  const owner = { uid: Number(uid), gid: Number(gid) }
  chownSync(dir, owner.uid, owner.gid)
  chmodSync(dir, 0o700)
  return owner
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
