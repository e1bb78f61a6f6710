import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { forkChild } from '../children.ts'
import { receive } from '../receive.ts'
import { serveHttp } from '../testing/serveHttp.ts'
import { heardSchema } from './reading.ts'

/** On a machine with much else to do. */
const waiting = { timeout: 15_000 }

const patience = { what: 'the report', msMax: 60_000, signal: new AbortController().signal }
const [first, second] = ['0xaa', '0xbb']
const ready = (isResumed: boolean) => `id: e-4\nevent: ready\ndata: {"resumed":${isResumed}}\n\n`
const change = (place: number, address: string) => `id: e-${place}\nevent: price\ndata: {"address":"${address}"}\n\n`

/** One reader of `first` alone, and two of all tokens. Each connection ends once after its changes, and is opened again. */
async function read(changes: { readonly chosen: string; readonly all: readonly string[] }, resumes = true) {
  const streams: { readonly path: string; readonly lastId: unknown; readonly response: ServerResponse }[] = []
  const { url } = await serveHttp(({ url: path = '', headers }, response) => {
    const lastId = headers['last-event-id']
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(ready(lastId !== undefined && resumes))
    streams.push({ path, lastId, response })
  })
  const child = forkChild('the readers', join(import.meta.dirname, 'streamReaders.ts'))
  onTestFinished(() => child.stop())
  child.process.send({ url, keys: ['key'], readers: 3, choosing: 1, addresses: [first], breakEveryMs: 10_000_000 })
  await vi.waitUntil(() => streams.length === 3, waiting)
  const rest = [...changes.all]
  for (const { path, response } of streams.slice(0, 3))
    response.end(path.endsWith(`?addresses=${first}`) ? changes.chosen : rest.shift())
  await vi.waitUntil(() => streams.length === 6, waiting)
  const told = receive(child, heardSchema, patience)
  child.process.send('report')
  return { heard: await told, resumedFrom: streams.slice(3).map(({ lastId }) => lastId) }
}

it('finds nothing wrong when each reader receives each of its changes once, and resumes after the last one', async () => {
  const all = change(5, first) + change(6, second) + change(7, first)
  const { heard, resumedFrom } = await read({ chosen: change(5, first) + change(7, first), all: [all, all] })
  expect(heard).toMatchObject({ events: 3, deliveries: 8, reconnects: 3, lost: 0, missed: 0, odd: 0, errors: [] })
  expect(heard.delaysMs.every((ms) => ms >= 0)).toBe(true)
  expect(resumedFrom).toEqual(['e-7', 'e-7', 'e-7'])
})

it('counts the changes that a reader missed, those out of order, and connections that were not resumed', async () => {
  const whole = change(5, first) + change(6, second) + change(7, first) + change(8, first)
  // One change less, and two in another order.
  const odd = change(5, first) + change(7, first) + change(6, second)
  const { heard } = await read({ chosen: change(5, first) + change(8, first), all: [whole, odd] }, false)
  // Out of order: 7 after 5, and 6 after 7. Missed: of that reader 7 and 8, as 6 was its last; of the chosen one 7.
  expect(heard).toMatchObject({ events: 4, odd: 2, missed: 3, lost: 3 })
})
