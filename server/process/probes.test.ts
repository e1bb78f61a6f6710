import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Readiness } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import { afterEach, describe, expect, it } from 'vitest'
import { openProbes, type Probes } from '../api/health/openProbes.ts'
import { answerAlive, answerReady } from '../api/health/probeAnswers.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { createTempStores } from '../testing/tempStores.ts'

const body = (ready: boolean) => ({ ready, store: true, draining: false }) as Readiness
const endings: (() => Promise<void>)[] = []
const stores = createTempStores()
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

type State = { ready: boolean; asked: number; isDraining: boolean; begin: () => void }

async function open(options: { readonly metricsToken?: string } = {}) {
  const state: State = { ready: true, asked: 0, isDraining: false, begin: () => undefined }
  const errors: unknown[] = []
  const probes = (await openProbes(
    { metricsPort: 0, metricsHost: '127.0.0.1', ...options },
    {
      readiness: async () => {
        state.asked += 1
        return body(state.ready)
      },
      metrics: { contentType: 'text/plain; version=0.0.4', text: async () => 'chainboard_boosts 3\n' },
      drain: {
        isDraining: () => state.isDraining,
        onBegin: (listener) => {
          state.begin = listener
        },
      },
    },
    { error: (facts) => void errors.push(facts) },
  )) as Probes
  endings.push(probes.close)
  return { probes, state, errors }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** Keeps this thread, which is the server's here, from doing anything else. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('the probes of METRICS_PORT', () => {
  it('answer alive, ready and figures', async () => {
    const { probes, state } = await open()
    const alive = await fetch(`${probes.url}/healthz`)
    expect([alive.status, (await alive.json()).alive]).toEqual([200, true])
    const ready = await fetch(`${probes.url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, store: true, draining: false }])
    const figures = await fetch(`${probes.url}/metrics`)
    expect(figures.headers.get('content-type')).toBe('text/plain; version=0.0.4')
    expect(await figures.text()).toMatch(/^chainboard_boosts 3\n[\s\S]*\nchainboard_heartbeat_age_seconds 0(\.\d+)?(e-\d+)?\n$/)
    expect((await fetch(`${probes.url}/`)).status).toBe(404)
    state.ready = false
    state.begin()
    while ((await fetch(`${probes.url}/readyz`)).status === 200);
  })

  it('have the figures only for who has the token, where there is one', async () => {
    const { probes } = await open({ metricsToken: 'k3Jp0sTq9ZrW2mXy8VbN4LcA7HdG1FuE' })
    const statusOf = async (path: string, token?: string) =>
      (await fetch(`${probes.url}${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {})).status
    expect(await statusOf('/metrics')).toBe(401)
    expect(await statusOf('/metrics', 'another')).toBe(401)
    expect(await statusOf('/metrics', 'k3Jp0sTq9ZrW2mXy8VbN4LcA7HdG1FuE')).toBe(200)
    expect(await statusOf('/healthz')).toBe(200)
  })

  it('ask nothing more of a server that ends', async () => {
    const { probes, state } = await open()
    const readAge = async () => (await (await fetch(`${probes.url}/healthz`)).json()).beatAgeSeconds as number
    const untilNextBeat = async () => {
      for (let [age, next] = [0, await readAge()]; next >= age; [age, next] = [next, await readAge()]);
    }
    state.isDraining = true
    await untilNextBeat()
    const { asked } = state
    await untilNextBeat()
    expect(state.asked).toBe(asked)
    state.isDraining = false
    await untilNextBeat()
    expect(state.asked).toBe(asked + 1)
  })

  it('answer beside 300 connections that ask nothing whole, and let go of these', async () => {
    const { probes } = await open()
    const { hostname, port } = new URL(probes.url)
    const closed: Promise<unknown>[] = []
    for (let i = 0; i < 300; i += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      closed.push(once(socket.resume(), 'close'))
      await once(socket, 'connect')
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ')
    }
    expect((await fetch(`${probes.url}/healthz`)).status).toBe(200)
    await Promise.all(closed)
  })

  it("answer while the server's thread does nothing else for 3 s", async () => {
    const { probes } = await open()
    // Asked by a process of its own: this one is busy.
    const script = `
      const { Agent, get } = require('node:http'); const agent = new Agent({ keepAlive: true }); const times = []
      const ask = (path) => new Promise((done) => { const at = performance.now()
        get('${probes.url}' + path, { agent }, (a) => a.resume().on('end', () => { times.push(performance.now() - at); done(a.statusCode) })) })
      const statuses = new Set(); const end = performance.now() + 2500; process.stdout.write('go\\n')
      ;(async () => { await ask('/healthz'); times.length = 0
        while (performance.now() < end) for (const p of ['/healthz', '/readyz']) statuses.add(await ask(p))
        times.sort((a, b) => a - b)
        console.log(JSON.stringify({ statuses: [...statuses], count: times.length, p99: times[Math.floor(times.length * 0.99)] })); process.exit() })()`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    await new Promise((go) => child.stdout.once('data', go))
    block(3_000)
    await new Promise((gone) => child.once('close', gone))
    const { statuses, count, p99 } = JSON.parse(text.split('\n')[1] ?? '')
    expect(statuses).toEqual([200])
    expect(count).toBeGreaterThan(20)
    expect(p99).toBeLessThan(1_000)
  })

  it('say which port is taken', async () => {
    const other = createServer()
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    endings.push(() => new Promise((closed) => other.close(() => closed())))
    const { port } = other.address() as AddressInfo
    const parts = {
      readiness: async () => body(true),
      metrics: { contentType: '', text: async () => '' },
      drain: { isDraining: () => false, onBegin: () => undefined },
    }
    const failed = openProbes({ metricsPort: port, metricsHost: '127.0.0.1' }, parts, { error: () => undefined })
    await expect(failed).rejects.toThrow(Failure)
    await expect(failed).rejects.toThrow(
      `METRICS_PORT ${port} of 127.0.0.1 cannot be used: it is taken by another program. Choose another port`,
    )
  })
})

describe('METRICS_PORT of a whole server', () => {
  it('has the figures, which its own port does not have then, and the same readiness', { timeout: 120_000 }, async () => {
    const metricsPort = await findFreePort()
    const env = { RPC_URL: 'http://127.0.0.1:1', DATA_DIR: stores.dir, METRICS_PORT: String(metricsPort), DRAIN_SECONDS: '0' }
    const { child, listening, ended } = startServerProcess({ ...env, LOG_LEVEL: 'silent' })
    const [own, probes] = [await listening, `http://127.0.0.1:${metricsPort}`]
    const figures = await (await fetch(`${probes}/metrics`)).text()
    expect(figures).toContain('\nchainboard_shed_requests_total{class="costly"} 0\n')
    expect(figures).toMatch(/\nchainboard_node_calls_total\{node="0",outcome="failed"\} \d+\n/)
    const elsewhere = await fetch(`${own}/metrics`)
    expect([elsewhere.status, await elsewhere.text()]).toEqual([404, '{"error":"No route for GET /metrics"}'])
    // No node has answered yet, so there is nothing to serve.
    const bodies = await Promise.all([own, probes].map(async (url) => (await fetch(`${url}/readyz`)).json()))
    for (const body of bodies) expect(body).toMatchObject({ ready: false, store: true, draining: false, index: { block: null } })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect(fetch(`${probes}/healthz`)).rejects.toThrow()
  })
})

describe('what a probe is answered', () => {
  it('is alive up to 30 s without a sign of life: busy is not stuck', () => {
    expect(answerAlive(0.25)).toEqual({ status: 200, body: '{"alive":true,"beatAgeSeconds":0.3}' })
    expect(answerAlive(30).status).toBe(200)
    expect(answerAlive(30.1)).toEqual({ status: 503, body: '{"alive":false,"beatAgeSeconds":30.1}' })
  })

  it('is not ready before the first word, nor by a word that is older than 10 s', () => {
    expect(answerReady(undefined, 0).status).toBe(503)
    expect(answerReady({ ready: true, body: '{}' }, 10)).toEqual({ status: 200, body: '{}' })
    expect(answerReady({ ready: false, body: '{}' }, 1)).toEqual({ status: 503, body: '{}' })
    expect(answerReady({ ready: true, body: '{}' }, 12)).toEqual({
      status: 503,
      body: '{"ready":false,"reason":"The server last reported its state 12 s ago, expected at most 10 s"}',
    })
  })
})
