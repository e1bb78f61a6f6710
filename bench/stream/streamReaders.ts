// Many readers of one stream of prices, in a process of their own. Each notes the events that it receives and when, drops its
// connection now and then, and resumes.
import { Agent, type ClientRequest, request } from 'node:http'
import type { Heard, Reading } from './reading.ts'

type Reader = {
  readonly key: string
  readonly chosen: string | undefined
  last: number
  lastId: string | undefined
  heard: number[]
}

const delaysMax = 200_000
const firstHeardMs = new Map<number, number>()
/** The token of each event, as readers of all tokens received it. */
const about = new Map<number, string>()
const totals = { deliveries: 0, reconnects: 0, lost: 0, odd: 0 }
const delaysMs: number[] = []
const errors: string[] = []
const calls = new Map<Reader, ClientRequest>()
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
let readers: Reader[] = []
let told: Reading
let ending = false
let timer: NodeJS.Timeout

process.on('message', (message: Reading | 'report') => {
  if (message === 'report') return settle()
  told = message
  const { keys, choosing, addresses } = told
  readers = Array.from({ length: told.readers }, (_, i) => ({
    key: keys[i % keys.length] ?? '',
    chosen: i < choosing ? addresses[i % addresses.length] : undefined,
    last: -1,
    lastId: undefined,
    heard: [],
  }))
  for (const reader of readers) open(reader)
  // Drops one connection at a time, so that each is dropped once in `breakEveryMs` on average.
  timer = setInterval(() => {
    const reader = readers[Math.floor(Math.random() * readers.length)]
    if (reader) calls.get(reader)?.destroy()
  }, told.breakEveryMs / readers.length)
  return undefined
})
process.on('disconnect', () => process.exit(0))

function open(reader: Reader): void {
  if (ending) return
  const { url, key, chosen, lastId } = { ...told, ...reader }
  const headers = { 'x-api-key': key, ...(lastId ? { 'last-event-id': lastId } : {}) }
  const call = request(`${url}/api/v1/stream${chosen ? `?addresses=${chosen}` : ''}`, { agent, headers }, (answer) => {
    if (answer.statusCode !== 200) errors.push(`status ${answer.statusCode}`)
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (piece: string) => {
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) take(reader, block)
    })
    answer.on('error', () => undefined)
  })
  calls.set(reader, call)
  call.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && !/aborted|hang up/.test(error.message)) errors.push(error.message)
  })
  call.on('close', () => {
    calls.delete(reader)
    if (ending) return
    totals.reconnects += 1
    setImmediate(open, reader)
  })
  call.end()
}

function take(reader: Reader, block: string): void {
  const [, id] = /^id: (.+)$/m.exec(block) ?? []
  const [, name] = /^event: (.+)$/m.exec(block) ?? []
  if (!id || !name) return
  const place = Number(id.split('-')[1])
  if (name === 'ready') {
    if (reader.lastId && !block.includes('"resumed":true')) totals.lost += 1
    if (reader.last < 0) reader.last = place
    reader.lastId ??= id
    return
  }
  const nowMs = performance.now()
  const firstMs = firstHeardMs.get(place) ?? nowMs
  firstHeardMs.set(place, firstMs)
  totals.deliveries += 1
  if (totals.deliveries % Math.max(1, Math.floor(totals.deliveries / delaysMax)) === 0 && delaysMs.length < delaysMax)
    delaysMs.push(nowMs - firstMs)
  const expected = reader.chosen ? place > reader.last : place === reader.last + 1
  if (!expected) totals.odd += 1
  if (!reader.chosen) about.set(place, /"address":"(0x\w+)"/.exec(block)?.[1]?.toLowerCase() ?? 'many')
  else reader.heard.push(place)
  reader.last = place
  reader.lastId = id
}

const settleMs = 5_000

/** Drops no more connections, and gives events on their way the time to arrive. */
function settle(): void {
  clearInterval(timer)
  const newest = Math.max(0, ...about.keys())
  setTimeout(report, settleMs, newest)
}

/** @param newest the last change that counts */
function report(newest: number): void {
  ending = true
  const missedByAll = readers.filter(({ chosen }) => !chosen).reduce((sum, { last }) => sum + Math.max(0, newest - last), 0)
  const missedBySome = readers
    .filter(({ chosen }) => chosen)
    .reduce((sum, { chosen, heard }) => {
      const from = heard[0] ?? newest
      const wanted = [...about].filter(
        ([place, address]) => place >= from && place <= newest && address === chosen?.toLowerCase(),
      )
      const got = new Set(heard)
      return sum + wanted.filter(([place]) => !got.has(place)).length
    }, 0)
  const heard: Heard = {
    events: about.size,
    ...totals,
    missed: missedByAll + missedBySome,
    delaysMs,
    errors: [...new Set(errors)],
  }
  process.send?.(heard, () => process.exit(0))
}
