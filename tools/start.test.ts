import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const soon = { timeout: 50_000, interval: 50 }

/** The command behind `npm start`, on a node that is not there. */
function start(): { readonly child: ChildProcess; readonly output: () => string; readonly ended: Promise<number | null> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'chainboard-start-'))
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'start.ts')], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, RPC_URL: 'http://127.0.0.1:9', DRAIN_SECONDS: '0', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk))
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { child, output: () => text, ended }
}

const timesListening = (text: string) => text.split('Listening at').length - 1
const listServers = (pid: number | undefined) =>
  spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)
const serverOf = (pid: number | undefined) => listServers(pid)[0] as number

it('starts a server again that ended by itself, and ends with it when it is told to', { timeout: 120_000 }, async () => {
  const { child, output, ended } = start()
  await expect.poll(() => timesListening(output()), soon).toBe(1)
  process.kill(serverOf(child.pid), 'SIGKILL')
  await expect.poll(() => timesListening(output()), soon).toBe(2)
  expect(output()).toContain('The server ended with SIGKILL; restarting in 1 s')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it('continues when whoever reads its output is gone', { timeout: 120_000 }, async () => {
  const { child, output, ended } = start()
  await expect.poll(() => timesListening(output()), soon).toBe(1)
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  // Node bears one write into the void, and ends at the next.
  for (let i = 0; i < 3; i += 1) {
    const before = serverOf(child.pid)
    process.kill(before, 'SIGKILL')
    await expect.poll(() => listServers(child.pid).filter((pid) => pid !== before).length, soon).toBe(1)
  }
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
