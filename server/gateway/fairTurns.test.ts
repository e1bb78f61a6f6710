import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGateway } from './createGateway.ts'

// Honest callers beside strangers who send calls without a pause, at a node of which time is known: a call that burns all its gas takes it
// 60 ms, what a page asks a contract for 3 ms.

const longMs = 60
const quickMs = 3
const addressOf = (place: number) => `10.${place >> 8}.${place % 256}.1`

/** What came of the calls of one kind of caller, in milliseconds each. */
type Times = { readonly waitedMs: number[]; refused: number }

function open() {
  let place = 0
  const gateway = createGateway({
    chain: {
      forward: async (_method, params) => {
        const isLong = JSON.stringify(params).includes('burn')
        await new Promise((resolve) => setTimeout(resolve, isLong ? longMs : quickMs))
        return '0x1'
      },
    },
    head: () => 1_000,
    settledDepth: 64,
    nowMs: () => performance.now(),
  })
  /** @returns once it is answered or refused */
  const call = async (client: string, data: string, times: Times) => {
    place += 1
    const startMs = performance.now()
    try {
      await gateway.call({ client, method: 'eth_call', params: [{ data: `${data} ${place}` }], charge: () => undefined })
      times.waitedMs.push(performance.now() - startMs)
    } catch {
      times.refused += 1
    }
  }
  return { call, newTimes: (): Times => ({ waitedMs: [], refused: 0 }) }
}

/** Strangers send a long call on each of 64 connections, and the next one when it is answered. `networkOf`: of a connection's next call. */
function flood({ call, newTimes }: ReturnType<typeof open>, networkOf: (connection: number, calls: number) => number) {
  const ofNetworks = new Map<number, Times>()
  const line = async (connection: number) => {
    for (let calls = 0; ; calls += 1) {
      const network = networkOf(connection, calls)
      const times = ofNetworks.get(network) ?? newTimes()
      ofNetworks.set(network, times)
      const before = times.refused
      await call(addressOf(network), 'burn', times)
      // Who is refused comes again a moment later.
      if (times.refused > before) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  for (let connection = 0; connection < 64; connection += 1) void line(connection)
  return ofNetworks
}

async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds * 4; i += 1) {
    await vi.advanceTimersByTimeAsync(250)
    await setImmediate()
  }
}

/** Reads contracts two at a time, 35 times in all, as the window of a boost does. */
async function boost({ call }: ReturnType<typeof open>, client: string, times: Times): Promise<void> {
  for (let i = 0; i < 17; i += 1) await Promise.all([call(client, 'a', times), call(client, 'b', times)])
  await call(client, 'c', times)
}

const median = (sorted: readonly number[]) => sorted.toSorted((one, other) => one - other)[Math.floor(sorted.length / 2)] ?? 0
const most = (times: readonly number[]) => Math.max(0, ...times)

describe('beside strangers who send long calls without a pause', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it.each([16, 64])(
    'from %i networks, a visitor who calls now and then waits for the call that is with the node, and no stranger is starved',
    async (networks) => {
      const world = open()
      const strangers = flood(world, (connection) => connection % networks)
      await pass(20)
      const visitor = world.newTimes()
      for (let i = 0; i < 80; i += 1) {
        void world.call('192.0.2.1', 'balance', visitor)
        await pass(0.5)
      }
      expect(visitor.refused).toBe(0)
      expect(visitor.waitedMs).toHaveLength(80)
      expect(median(visitor.waitedMs)).toBeLessThan(50)
      expect(most(visitor.waitedMs)).toBeLessThan(100)
      const answered = [...strangers.values()].map(({ waitedMs }) => waitedMs.length)
      expect(answered).toHaveLength(networks)
      // Of the node's processors, in a minute.
      const busy = (answered.reduce((sum, calls) => sum + calls, 0) * longMs) / 60_000
      expect(busy).toBeGreaterThan(0.5)
      expect(busy).toBeLessThan(1)
      expect(Math.min(...answered)).toBeGreaterThan(0.8 * Math.max(...answered))
      expect([...strangers.values()].map(({ refused }) => refused)).toEqual(Array(networks).fill(0))
    },
  )

  it('from 16 networks, ten visitors who boost at the same time, again and again, get all their answers', async () => {
    const world = open()
    flood(world, (connection) => connection % 16)
    await pass(20)
    const visitors = Array.from({ length: 10 }, () => world.newTimes())
    for (let round = 0; round < 3; round += 1) {
      for (const [place, times] of visitors.entries()) void boost(world, `192.0.${place}.1`, times)
      await pass(20)
    }
    expect(visitors.map(({ refused }) => refused)).toEqual(Array(10).fill(0))
    expect(visitors.map(({ waitedMs }) => waitedMs.length)).toEqual(Array(10).fill(105))
    expect(most(visitors.flatMap(({ waitedMs }) => waitedMs))).toBeLessThan(3_000)
  })

  it('each from a network of its own that is never used again, no call of a visitor waits for longer than ten seconds', async () => {
    const world = open()
    const strangers = flood(world, (connection, calls) => connection + 64 * calls)
    await pass(5)
    const visitor = world.newTimes()
    void boost(world, '192.0.2.1', visitor)
    await pass(120)
    expect(visitor).toMatchObject({ refused: 0 })
    expect(visitor.waitedMs).toHaveLength(35)
    expect(most(visitor.waitedMs)).toBeLessThan(10_000)
    // Each has used little, so that one more place than usual takes turns. Without rest, two would fill two processors.
    const answered = [...strangers.values()].reduce((sum, { waitedMs }) => sum + waitedMs.length, 0)
    expect((answered * longMs) / 125_000).toBeLessThan(1.3)
  })

  it('the same strangers keep nobody out who has used much', async () => {
    const world = open()
    flood(world, (connection, calls) => connection + 64 * calls)
    await pass(5)
    const visitor = world.newTimes()
    for (let i = 0; i < 60; i += 1) {
      void world.call('192.0.2.1', 'burn', visitor)
      await pass(1)
    }
    await pass(15)
    expect(visitor.refused).toBe(0)
    expect(visitor.waitedMs.length).toBeGreaterThan(3)
  })
})
