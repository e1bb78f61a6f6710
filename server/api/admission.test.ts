import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { classOf, createAdmission, windowMs } from './admission.ts'

function open() {
  const state = { nowMs: 0, busy: 0, shed: [] as string[] }
  const admission = createAdmission({
    nowMs: () => state.nowMs,
    busyShare: () => state.busy,
    onShed: (kind) => state.shed.push(kind),
  })
  const look = () => {
    state.nowMs += windowMs
    admission.look()
  }
  /** Asks so often. @returns how many of them were let in so far, and the heads of those refused */
  const ask = (url: string, times: number, method = 'GET') => {
    const result = { entered: 0, refused: [] as unknown[], end: () => closing.shift()?.() }
    const closing: (() => void)[] = []
    for (let i = 0; i < times; i += 1) {
      const response = {
        destroyed: false,
        once: (_: 'close', listen: () => void) => closing.push(listen),
        writeHead: (status: number, head: Record<string, string>) => {
          result.refused.push([status, head['retry-after']])
          return { end: () => undefined }
        },
      } as unknown as ServerResponse
      admission.admit({ url, method }, response, () => {
        result.entered += 1
      })
    }
    return result
  }
  return { state, look, ask }
}

const chart = '/api/tokens/0x11/chart?range=1m'

it('refuses nothing while the event loop has time', () => {
  const { ask, look, state } = open()
  for (let i = 0; i < 50; i += 1) {
    expect(ask(chart, 500).entered).toBe(500)
    look()
  }
  expect(state.shed).toEqual([])
})

it('lets in 40 costly requests a second and no more while the loop is busy, and refuses the rest after a second', () => {
  const { ask, look, state } = open()
  state.busy = 1
  // Down to the floor first.
  for (let i = 0; i < 30; i += 1) {
    ask(chart, 4)
    look()
  }
  for (let i = 0; i < 12; i += 1) look()
  state.shed.length = 0
  const flood = ask(chart, 500)
  for (let i = 0; i < 9; i += 1) look()
  expect(flood.refused).toEqual([])
  look()
  look()
  expect(flood.entered).toBeGreaterThanOrEqual(36)
  expect(flood.entered).toBeLessThanOrEqual(44)
  expect(flood.refused).toHaveLength(500 - flood.entered)
  expect(flood.refused[0]).toEqual([503, '2'])
  expect(state.shed).toEqual(Array.from({ length: 500 - flood.entered }, () => 'costly'))
})

it('lets in 40 a second from 0.6 s on after a flood came at 2,000 a second', () => {
  const { ask, look, state } = open()
  state.busy = 1
  const asked: { entered: number }[] = []
  const flood = (windows: number) => {
    for (let i = 0; i < windows; i += 1) {
      asked.push(ask(chart, 200))
      look()
    }
    return asked.reduce((sum, { entered }) => sum + entered, 0)
  }
  const soon = flood(6)
  expect(soon).toBeLessThanOrEqual(400)
  expect(flood(10) - soon).toBeLessThanOrEqual(44)
})

it('never refuses a probe or a price for load, and keeps a place for pages and sign-ins beside a flood of charts', () => {
  const { ask, look, state } = open()
  state.busy = 1
  for (let i = 0; i < 30; i += 1) {
    ask(chart, 100)
    look()
  }
  expect(ask('/healthz', 1_000).entered).toBe(1_000)
  expect(ask('/api/v1/prices', 1_000).entered).toBe(1_000)
  expect(ask('/', 20).entered).toBe(20)
  expect(ask('/api/users/dora/verify-pin', 5, 'POST').entered).toBe(5)
  expect(state.shed.filter((kind) => kind !== 'costly')).toEqual([])
})

it('lets strangers’ calls of the node in less often from half a busy loop on, and delays no page for them', () => {
  const { ask, look, state } = open()
  const callNode = (times: number) => ask('/rpc', times, 'POST')
  state.busy = 0.6
  for (let i = 0; i < 40; i += 1) {
    callNode(100)
    expect(ask(chart, 10).entered).toBe(10)
    look()
  }
  expect(state.shed.every((kind) => kind === 'gateway')).toBe(true)
  expect(state.shed.length).toBeGreaterThan(1_000)
})

it('lets everybody in again within 5 s of the end of the flood', () => {
  const { ask, look, state } = open()
  state.busy = 1
  for (let i = 0; i < 100; i += 1) {
    ask(chart, 200)
    look()
  }
  state.busy = 0.5
  for (let i = 0; i < 50; i += 1) look()
  expect(ask(chart, 200).entered).toBe(200)
})

it('lets a request in at once that has no other of its class beside it, however busy the loop is: up to 200 in a second', () => {
  const { ask, look, state } = open()
  state.busy = 1
  for (let i = 0; i < 40; i += 1) look()
  for (let i = 0; i < 20; i += 1) {
    const alone = ask(chart, 1)
    expect(alone.entered).toBe(1)
    alone.end()
  }
  const next = ask(chart, 1)
  expect(next.entered).toBe(0)
  look()
  expect(next.entered).toBe(1)
  next.end()
  // Three beside each other: the first one runs, and the others wait for their turn.
  const used = ask(chart, 3)
  used.end()
  const together = ask(chart, 3)
  expect(together.entered).toBe(0)
  for (let i = 0; i < 2; i += 1) used.end()
  expect(ask(chart, 1).entered).toBe(0)
  look()
  expect(together.entered).toBe(3)
})

it('keeps 2,000 waiting at most: the next one is refused at once', () => {
  const { ask, look, state } = open()
  state.busy = 1
  for (let i = 0; i < 40; i += 1) look()
  const flood = ask(chart, 2_104)
  expect([flood.entered, flood.refused.length]).toEqual([4, 100])
})

it.each([
  ['GET', '/api/tokens/0x11/swaps', 'costly'],
  ['POST', '/subgraph', 'costly'],
  ['POST', '/rpc', 'gateway'],
  ['POST', '/%72pc?x=1', 'gateway'],
  ['POST', '/rpcs', 'account'],
  ['GET', '/assets.json?page=2', 'costly'],
  ['GET', '/assets.json', 'page'],
  ['GET', '/', 'page'],
  ['POST', '/api/users', 'account'],
  ['GET', '/api/v1/prices', undefined],
  ['GET', '/readyz', undefined],
])('%s %s is %s', (method, url, kind) => {
  expect(classOf({ method, url })).toBe(kind)
})

it.each([
  ['/%61pi/tokens/0x1/swaps', 'costly'],
  ['/api/%74okens/0x1/swaps', 'costly'],
  ['/%73ubgraph', 'costly'],
  ['http://board.example/api/tokens/0x1/swaps', 'costly'],
  ['/healthznowhere', 'page'],
  ['/metricsx', 'page'],
  ['/%zz/api/tokens/', 'page'],
  ['/healthz?x=1', undefined],
  ['/readyz', undefined],
])('%s is of the class of its route, however it is spelled', (url, kind) => expect(classOf({ method: 'GET', url })).toBe(kind))
