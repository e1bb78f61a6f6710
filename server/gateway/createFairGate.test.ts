import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallKind } from './costOf.ts'
import { createFairGate, type FairGateLimits } from './createFairGate.ts'

const limits: FairGateLimits = {
  atOnce: 3,
  kindAtOnce: { light: 3, logs: 1, code: 2 },
  ofClientAtOnce: 2,
  waitingMax: 6,
  waitMsMax: 10_000,
  startsPerSecond: 1_000_000,
  startsAtOnce: 1_000,
}

/** Calls by name, each of which ends when it is told to. */
function open(changes: Partial<FairGateLimits> = {}) {
  const world = { widthTimes: 1, lateMs: 0 }
  const gate = createFairGate({
    limits: { ...limits, ...changes },
    nowMs: () => performance.now() + world.lateMs,
    widthTimes: () => world.widthTimes,
  })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const ended: string[] = []
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    world,
    started,
    ended,
    call: (name: string, client: string, kind: CallKind = 'light') =>
      gate
        .run({ client, kind }, (leaveEmpty) => {
          if (name === 'slow') leaveEmpty({ ms: 400, modestMs: 400 })
          started.push(name)
          return new Promise<void>((resolve) => ends.set(name, resolve))
        })
        .then(
          () => void ended.push(name),
          (error: Error) => void ended.push(`${name}: ${error.message}`),
        ),
    end: async (name: string) => {
      ends.get(name)?.()
      await settled()
    },
    settled,
  }
}

describe('places at the node', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('go to a client that has none before one that has some, however long that one waits', async () => {
    const { call, end, started, settled } = open()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void call(name, '10.0.0.1')
    await settled()
    // Two of one client; the third place waits for somebody else.
    expect(started).toEqual(['a1', 'a2'])
    void call('b1', '10.0.1.1')
    await settled()
    expect(started).toEqual(['a1', 'a2', 'b1'])
    void call('c1', '10.0.2.1')
    await end('a1')
    expect(started.at(-1)).toBe('c1')
    await end('b1')
    expect(started.at(-1)).toBe('a3')
  })

  it('go to a network that has fewest, between clients that have as many', async () => {
    const { call, end, started, settled } = open({ ofClientAtOnce: 1 })
    for (const host of [1, 2, 3, 4]) void call(`a${host}`, `10.0.0.${host}`)
    void call('b', '10.0.1.1')
    await settled()
    expect(started).toEqual(['a1', 'a2', 'a3'])
    await end('a1')
    expect(started.at(-1)).toBe('b')
  })

  it('are few for calls of code, and no other kind waits for them', async () => {
    const { call, end, started, settled } = open()
    void call('heavy 1', '10.0.0.1', 'code')
    void call('heavy 2', '10.0.1.1', 'code')
    void call('heavy 3', '10.0.2.1', 'code')
    void call('light', '10.0.3.1')
    await settled()
    expect(started).toEqual(['heavy 1', 'heavy 2', 'light'])
    await end('light')
    expect(started).toHaveLength(3)
    await end('heavy 1')
    expect(started.at(-1)).toBe('heavy 3')
  })

  it('stay empty after a call for as long as it says', async () => {
    const { call, end, started, settled } = open({ kindAtOnce: { light: 3, logs: 1, code: 1 } })
    void call('slow', '10.0.0.1', 'code')
    void call('light', '10.0.1.1')
    void call('next', '10.0.2.1', 'code')
    void call('last', '10.0.3.1', 'code')
    await settled()
    await end('light')
    await end('slow')
    expect(started).toEqual(['slow', 'light'])
    await vi.advanceTimersByTimeAsync(399)
    expect(started).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(started.at(-1)).toBe('next')
    await end('next')
    expect(started.at(-1)).toBe('last')
  })

  it('are taken so often a second, however quickly each is free again', async () => {
    const { call, end, started, settled } = open({ startsPerSecond: 100, startsAtOnce: 2 })
    for (const name of ['1', '2', '3', '4']) {
      void call(name, `10.0.${name}.1`)
      await settled()
      await end(name)
    }
    expect(started).toEqual(['1', '2'])
    await vi.advanceTimersByTimeAsync(9)
    expect(started).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(started).toEqual(['1', '2', '3'])
    await vi.advanceTimersByTimeAsync(10)
    expect(started).toEqual(['1', '2', '3', '4'])
  })

  it.each([
    ['one client', () => '10.0.0.1'],
    ['many clients of one network', (i: number) => `10.0.0.${i}`],
  ])(
    'go to who comes first of all in the pace, however many calls of %s wait for it and however quick the node is',
    async (_, clientOf) => {
      const { call, end, started, settled } = open({ startsPerSecond: 100, startsAtOnce: 1, waitingMax: 50 })
      for (let i = 1; i <= 20; i += 1) void call(`a${i}`, clientOf(i))
      await settled()
      await end('a1')
      for (const name of ['a2', 'a3']) {
        await vi.advanceTimersByTimeAsync(10)
        await end(name)
      }
      void call('b1', '10.0.1.1')
      await vi.advanceTimersByTimeAsync(10)
      await end('b1')
      expect(started).toEqual(['a1', 'a2', 'a3', 'b1'])
      await vi.advanceTimersByTimeAsync(10)
      expect(started.at(-1)).toBe('a4')
    },
  )

  it('go to those who wait before one that comes just when the next may begin, as timers are late', async () => {
    const { call, started, settled, world } = open({ startsPerSecond: 100, startsAtOnce: 1 })
    void call('a1', '10.0.0.1')
    void call('b1', '10.0.1.1')
    await settled()
    world.lateMs = 10
    void call('c1', '10.0.2.1')
    await settled()
    expect(started).toEqual(['a1', 'b1'])
    await vi.advanceTimersByTimeAsync(10)
    expect(started).toEqual(['a1', 'b1', 'c1'])
  })

  it('are more while the node is slow, of each kind and for each client', async () => {
    const { call, started, settled, world } = open()
    world.widthTimes = 2.5
    for (let i = 1; i <= 9; i += 1) void call(`a${i}`, '10.0.0.1', 'code')
    await settled()
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
    void call('b1', '10.0.1.1', 'logs')
    void call('b2', '10.0.1.1', 'logs')
    void call('b3', '10.0.1.1', 'logs')
    await settled()
    expect(started.slice(5)).toEqual(['b1', 'b2'])
  })

  it('are waited for by so many, of whom the greediest makes room for others, and for ten seconds', async () => {
    const { call, ended, settled } = open()
    const busy = 'Too many calls to the node. Try again later'
    for (let i = 1; i <= 8; i += 1) void call(`a${i}`, '10.0.0.1')
    await settled()
    void call('a9', '10.0.0.1')
    void call('b1', '10.0.1.1')
    void call('b2', '10.0.1.1')
    void call('b3', '10.0.1.1')
    await settled()
    // Six of a wait: the ninth has to go, and the newest of them for b2 and b3. b1 has a place at once.
    expect(ended).toEqual([`a9: ${busy}`, `a8: ${busy}`, `a7: ${busy}`])
    await vi.advanceTimersByTimeAsync(10_000)
    await settled()
    expect(ended.slice(3).sort()).toEqual(['a3', 'a4', 'a5', 'a6', 'b2', 'b3'].map((name) => `${name}: ${busy}`))
    expect(ended).toHaveLength(9)
  })

  it('are waited for by others, too, when one network fills the queue with a call of each of its clients', async () => {
    const { call, ended, started, settled } = open()
    for (let i = 1; i <= 9; i += 1) void call(`a${i}`, `10.0.0.${i}`)
    await settled()
    void call('b1', '10.0.1.1')
    void call('c1', '10.0.2.1')
    void call('a10', '10.0.0.10')
    await settled()
    const busy = 'Too many calls to the node. Try again later'
    expect(started).toEqual(['a1', 'a2', 'a3'])
    expect(ended.toSorted()).toEqual([`a10: ${busy}`, `a8: ${busy}`, `a9: ${busy}`])
  })
})
