import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishMs } from '../stopOnSignal.ts'
import { startBusyClients } from '../testing/busyClients.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

describe('SIGTERM', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startShortDevnet()
  })
  afterAll(() => devnet.stop())

  const start = (name: string, more: Record<string, string> = {}) =>
    startServerProcess({
      RPC_URL: devnet.rpcUrl,
      DATA_DIR: join(stores.dir, name),
      LOG_LEVEL: 'silent',
      DRAIN_SECONDS: '0.3',
      ...more,
    })

  it('breaks no request of 32 busy clients, three times', { timeout: 300_000 }, async () => {
    const token = devnet.tokens[0]?.address ?? ''
    const register = ['/api/users', () => ({ username: `u${randomBytes(6).toString('hex')}`, pin: '617283' })] as const
    const forms = ['/api/v1/prices', '/assets.json', `/api/tokens/${token}/chart?range=1m`, '/', '/api/trending', register]
    // `npm run bench -- drain` does it ten times.
    const rounds = 3
    const codes: unknown[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { child, listening, ended } = start('busy')
      const clients = startBusyClients(await listening, 32, forms)
      await clients.answered(96)
      child.kill('SIGTERM')
      const { broken, statuses } = await clients.over
      codes.push([await ended, broken, Object.keys(statuses).filter((status) => Number(status) >= 500)])
    }
    expect(codes).toEqual(Array.from({ length: rounds }, () => [0, {}, []]))
  })

  it('turns readiness off at once, answers on for a while and closes each connection after its answer', async () => {
    const { child, full, ended } = start('notice', { DRAIN_SECONDS: '2' })
    const url = await full
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    child.kill('SIGTERM')
    let ready: Response
    do ready = await fetch(`${url}/readyz`)
    while (ready.status === 200)
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
    expect(await ready.json()).toMatchObject({ ready: false, store: true, draining: true })
    const price = await fetch(`${url}/api/v1/prices`)
    expect([price.status, price.headers.get('connection')]).toEqual([200, 'close'])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await ended).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  it('ends a stream of prices with a word, and connections that never asked anything', async () => {
    const { child, full, ended } = start('stream')
    const url = new URL(await full)
    const silent = await open(url)
    const stream = await fetch(new URL('/api/v1/stream', url))
    const startMs = performance.now()
    child.kill('SIGTERM')
    const text = await stream.text()
    expect(text).toContain('event: ready\n')
    expect(text.endsWith(': this server is shutting down, reconnect\nretry: 2000\n\n')).toBe(true)
    await new Promise((closed) => silent.once('close', closed))
    expect(await ended).toBe(0)
    // Nobody waited for an answer, so neither did the server.
    expect(performance.now() - startMs).toBeLessThan(finishMs)
  })

  it('waits for an answer whose request is still coming in', async () => {
    const { child, full, ended } = start('slow')
    const url = new URL(await full)
    const line = await open(url)
    const [answer, exit] = [readAll(line), ended]
    line.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n')
    const { ended: readyOff } = { ended: poll(async () => (await fetch(new URL('/readyz', url))).status === 503) }
    child.kill('SIGTERM')
    await readyOff
    await poll(() =>
      fetch(new URL('/readyz', url)).then(
        () => false,
        () => true,
      ),
    )
    line.write('\r\n')
    expect(await answer).toContain('HTTP/1.1 200 OK')
    expect(await exit).toBe(0)
  })

  it('to npm alone ends the server too', async () => {
    const { env: own } = process
    const env = { ...own, RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, 'npm'), PORT: '0', LOG_LEVEL: 'silent' }
    const npm = spawn('npm', ['--ignore-scripts', 'start'], { cwd: resolve(import.meta.dirname, '../..'), env })
    const ended = new Promise((done) => npm.once('close', (code, signal) => done(signal ?? code)))
    let text = ''
    const url = await new Promise<string>((ready) => {
      npm.stdout.on('data', (chunk) => {
        text += chunk
        const [, found] = /Listening at (http:\S+);/.exec(text) ?? []
        if (found) ready(found)
      })
    })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    npm.kill('SIGTERM')
    // Its pipes close when the last process that holds them is gone.
    expect(await ended).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  it('given twice ends at once', async () => {
    const { child, full, ended } = start('twice', { DRAIN_SECONDS: '60' })
    const url = await full
    child.kill('SIGTERM')
    await poll(async () => (await fetch(`${url}/readyz`)).status === 503)
    // The first second's signals are one wish: npm and the terminal both send it.
    while (child.exitCode === null) {
      child.kill('SIGTERM')
      await new Promise((turn) => setTimeout(turn, 50))
    }
    expect(await ended).toBe(1)
  })
})

async function open({ hostname, port }: URL): Promise<Socket> {
  const line = connect(Number(port), hostname)
  line.on('error', () => undefined)
  await new Promise((connected) => line.once('connect', connected))
  return line
}

async function readAll(line: Socket): Promise<string> {
  let text = ''
  for await (const chunk of line) text += chunk
  return text
}

async function poll(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}
