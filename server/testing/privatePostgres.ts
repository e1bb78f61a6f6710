import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL for these tests alone, without the database's name; empty where none is installed. */
    postgresUrl: string
  }
}

const versionsDir = '/usr/lib/postgresql'

/** Starts a PostgreSQL of our own for one run of the tests, on a free port, with its data in a temporary folder. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const bin = findPostgres()
  if (!bin) {
    provide('postgresUrl', '')
    return async () => undefined
  }
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-postgres-'))
  const owner = ownerFor(dir)
  execFileSync(join(bin, 'initdb'), ['-D', join(dir, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
  })
  const port = await freePort()
  const args = ['-D', join(dir, 'data'), '-p', String(port), '-k', dir, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off']
  const server = spawn(join(bin, 'postgres'), args, { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: Buffer) => text.includes('ready to accept connections') && resolve())
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}`)))
  })
  provide('postgresUrl', `postgres://postgres@127.0.0.1:${port}`)
  return async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await ended
    rmSync(dir, { recursive: true, force: true })
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
