import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address, Hex } from '@chainboard/core'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { indexedTopics } from '../../indexer/decodeLog.ts'
import { factory, mineSome } from '../../testing/fakeExchange.ts'
import { type Asked, newChain, read, textOf } from '../../testing/readHistoryOf.ts'
import type { Chain, ChainRange } from '../chain.ts'
import { FakeChain } from '../fakeChain.ts'
import { packRanges, parseFileName } from './pieceFile.ts'
import { toRecordingChain } from './recordingChain.ts'
import { createRecordings } from './recordings.ts'

const dir = mkdtempSync(join(tmpdir(), 'chainboard-recorded-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let folder = ''
let count = 0
let warned: string[] = []
beforeEach(() => {
  count += 1
  folder = join(dir, `${count}`)
  warned = []
})

/** The chain as a server has it that was started just now, with what its node was asked for. */
function start(chain: FakeChain, { bytesMax = 1e9, chainId = 31_337, of = factory as Address } = {}) {
  const asked: (readonly [number, number])[] = []
  const counted: Chain = {
    ...chain,
    readHistory: (request) => {
      asked.push([request.from, request.to])
      return chain.readHistory(request)
    },
  }
  const log = { warn: (_: object, text: string) => warned.push(text) }
  const recordings = createRecordings({ folder, bytesMax, log })
  return { chain: toRecordingChain(counted, { chainId, factory: of, recordings }), asked, recordings }
}

const key = { chainId: 31_337, genesis: '0x0', factory: factory as Address, topics: indexedTopics, wanted: 'few' }
const listFiles = () =>
  existsSync(folder)
    ? readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    : []
const pieces = () =>
  listFiles()
    .flatMap((file) => parseFileName(file.slice(file.lastIndexOf('/') + 1)) ?? [])
    .sort((a, b) => a.from - b.from)
/** All that was read is on disk, and nothing half of it. */
const written = (to = 390) =>
  vi.waitUntil(() => pieces().some((piece) => piece.to === to) && !listFiles().some((file) => file.endsWith('.partial')), {
    ...{ interval: 2, timeout: 10_000 },
  })

/** A folder in which all of the chain is recorded. */
async function recorded(chain: FakeChain, request: Asked = {}) {
  const ranges = await read(start(chain).chain, request)
  await written(request.to ?? 390)
  return textOf(ranges)
}

it('a second reading has the same, and asks no node for a log', async () => {
  const chain = newChain()
  const wanted = await recorded(chain)
  expect(JSON.parse(wanted.logs).length).toBeGreaterThan(400)
  const again = start(chain)
  const ranges = await read(again.chain)
  expect(textOf(ranges)).toEqual(wanted)
  expect(again.asked).toEqual([])
  expect(pieces().length).toBeLessThan(4)
})

it('gives ranges as one up to a number of logs, as a node does', async () => {
  const chain = newChain()
  const wanted = await recorded(chain)
  const ranges = await read(start(chain).chain, { joinLogsMax: 100 })
  expect(textOf(ranges)).toEqual(wanted)
  expect(ranges.length).toBeLessThan(14)
  expect(Math.max(...ranges.map(({ logs }) => logs.length))).toBeLessThanOrEqual(100)
})

it('asks nodes for what is missing alone, and records that, too', async () => {
  const chain = newChain()
  await recorded(chain, { to: 120 })
  await recorded(chain, { from: 201, to: 300 })
  const plain = textOf(await read(chain))
  const again = start(chain)
  expect(textOf(await read(again.chain))).toEqual(plain)
  expect(again.asked).toEqual([
    [121, 200],
    [301, 390],
  ])
  await written()
  const third = start(chain)
  expect(textOf(await read(third.chain, { from: 40 })).ends).toEqual([40, plain.ends[1]])
  expect(third.asked).toEqual([])
})

it('records nothing that the index did not take', async () => {
  const chain = newChain()
  await read(start(chain).chain, { takes: false })
  const half = start(chain)
  await read(half.chain, { ranges: 3 })
  await written(59)
  expect(pieces().map(({ from, to }) => [from, to])).toEqual([[0, 59]])
})

it('removes a range that the index refused, and reads it of a node', async () => {
  const chain = newChain()
  const wanted = await recorded(chain)
  const [piece] = pieces()
  const first = start(chain)
  const [refused] = await read(first.chain, { ranges: 1 })
  refused?.distrust?.()
  expect(pieces().some(({ from }) => from === piece?.from)).toBe(false)
  expect(textOf(await read(first.chain))).toEqual(wanted)
  expect(first.asked).toEqual([[0, piece?.to]])
})

it('forgets what lies after a block that the index is taken back to, of all contracts, and what is being written meanwhile', async () => {
  const chain = newChain()
  await recorded(chain, { to: 120 })
  await recorded(chain, { from: 121, to: 300 })
  await recorded(chain, { to: 300, wanted: 'few' })
  const other = start(chain, { of: `0x${'ab'.repeat(20)}` })
  await read(other.chain, { to: 300 })
  await vi.waitUntil(() => pieces().length === 4, { timeout: 10_000 })
  const again = start(chain)
  const ranges = await read(chain, { from: 301 })
  const writing = again.recordings.put({ ...key, wanted: 'all' }, ranges, again.recordings.mark())
  again.chain.forgetAfter?.(150)
  await writing
  expect(
    pieces()
      .map(({ to }) => to)
      .sort(),
  ).toEqual([120, 300])
  expect(listFiles()).toHaveLength(2)
  await again.recordings.put(key, ranges, again.recordings.mark())
  expect(pieces().at(-1)).toMatchObject({ from: 301, to: 390 })
})

it('records nothing of before a removal that was collected and not written yet', async () => {
  const chain = newChain()
  const { chain: recording, recordings } = start(chain)
  const over = new AbortController()
  const ranges = recording
    .readHistory({
      ...{ from: 0, to: 390, topics: indexedTopics, order: 'up', spanMax: 20, wanted: 'all', signal: over.signal },
    })
    [Symbol.asyncIterator]()
  for (let i = 0; i < 3; i += 1) (await ranges.next()).value?.taken?.()
  recording.forgetAfter?.(30)
  const { value: next } = await ranges.next()
  next?.taken?.()
  over.abort()
  await vi.waitUntil(() => pieces().length > 0, { timeout: 10_000 })
  expect(pieces().map(({ from, to }) => [from, to])).toEqual([[60, 79]])
  expect(recordings.mark()).toBe(1)
})

it.each([
  ['another chain', { genesisAtSeconds: 1_600_000_000 }, 31_337],
  ['a chain of another number', { chainId: 1 }, 1],
])('nothing of %s is given', async (_, made, chainId) => {
  await recorded(newChain())
  const other = new FakeChain(made)
  other.joinsRanges = false
  for (let i = 0; i < 400; i += 1) other.mine()
  const again = start(other, { chainId })
  const ranges = await read(again.chain)
  expect(ranges.flatMap(({ logs }) => logs)).toEqual([])
  expect(again.asked).toEqual([[0, 390]])
  await vi.waitUntil(() => pieces().length === 2, { timeout: 10_000 })
  // Each in a folder of its own.
  expect(readdirSync(folder)).toHaveLength(2)
})

it('nothing is recorded or given while a node is on another chain than is followed', async () => {
  const chain = newChain()
  const wrong = start(chain, { chainId: 5 })
  const ranges = await read(wrong.chain)
  expect(wrong.asked).toEqual([[0, 390]])
  expect(ranges.map(({ taken }) => taken)).toEqual(ranges.map(() => undefined))
})

it('pieces of a branch that the chain left are removed, and those before it are given', async () => {
  const chain = newChain()
  await recorded(chain, { to: 120 })
  await recorded(chain, { from: 121, to: 300 })
  await recorded(chain, { from: 301 })
  chain.cut(chain.height - 250)
  mineSome(chain, { blocks: 160, seed: 9 })
  const again = start(chain)
  expect(textOf(await read(again.chain))).toEqual(textOf(await read(chain)))
  expect(again.asked).toEqual([[121, 390]])
  await written()
  expect(start(chain).recordings).toBeDefined()
  const third = start(chain)
  expect(textOf(await read(third.chain))).toEqual(textOf(await read(chain)))
  expect(third.asked).toEqual([])
})

it('a piece of another branch that lies below good ones does not continue them, and is removed', async () => {
  const [chain, other] = [newChain(), newChain()]
  other.cut(other.height - 60)
  mineSome(other, { blocks: 340, seed: 9 })
  await recorded(other, { from: 101, to: 200 })
  await recorded(chain, { to: 100 })
  await recorded(chain, { from: 201 })
  const again = start(chain)
  expect(textOf(await read(again.chain))).toEqual(textOf(await read(chain)))
  expect(again.asked).toEqual([[101, 200]])
})

it('a node that is behind is no reason to remove anything', async () => {
  const chain = newChain()
  await recorded(chain)
  const before = pieces()
  const behind = newChain()
  behind.cut(behind.height - 200)
  await read(start(behind).chain, { to: 390 }).catch(() => undefined)
  expect(pieces().slice(0, before.length)).toEqual(before)
})

it.each([
  [
    'a changed byte',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 90), Buffer.from([(bytes[90] as number) ^ 1]), bytes.subarray(91)]),
  ],
  ['half of a file', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ['an empty file', () => Buffer.alloc(0)],
  ['something else', () => Buffer.from('{"ranges":[]}')],
])('%s is removed, said once, and read from the node again', async (_, damage) => {
  const chain = newChain()
  await recorded(chain, { to: 200 })
  const wanted = await recorded(chain)
  for (const file of listFiles()) writeFileSync(file, damage(readFileSync(file)))
  const again = start(chain)
  expect(textOf(await read(again.chain))).toEqual(wanted)
  expect(again.asked.map(([from]) => from)).toEqual([0, 201])
  expect(warned).toEqual(['A recorded response in RPC_CACHE is damaged: the server removes it and reads it from the node again'])
  await written()
  expect(textOf(await read(start(chain).chain))).toEqual(wanted)
})

it('what is damaged and cannot be removed is not read again', async () => {
  const chain = newChain()
  await recorded(chain)
  const [file] = listFiles() as [string]
  rmSync(file)
  // No file is removed in the way that a folder is.
  mkdirSync(join(file, 'in-it'), { recursive: true })
  const again = start(chain)
  const wanted = textOf(await read(chain))
  for (let i = 0; i < 2; i += 1) expect(textOf(await read(again.chain, { takes: false }))).toEqual(wanted)
  expect(again.asked).toEqual([
    [0, 390],
    [0, 390],
  ])
  expect(warned).toHaveLength(2)
  const genesis = (await chain.readHeader(0))?.hash as string
  expect(again.recordings.list({ ...key, genesis, wanted: 'all' })).toEqual([])
})

it('a file under the name of other blocks is removed', async () => {
  const chain = newChain()
  await recorded(chain)
  const [file] = listFiles() as [string]
  writeFileSync(file, await packRanges((await read(chain, { to: 60 })) as ChainRange[]))
  const again = start(chain)
  expect(textOf(await read(again.chain, { takes: false }))).toEqual(textOf(await read(chain)))
  expect(again.asked).toEqual([[0, 390]])
  expect(warned).toEqual(['A recorded response in RPC_CACHE is damaged: the server removes it and reads it from the node again'])
})

it('logs that were changed behind a checksum are not given', async () => {
  const chain = newChain()
  await recorded(chain)
  const [file] = listFiles() as [string]
  const ranges = await read(chain)
  const changed = ranges.map(({ headers, logs }) => ({ headers, logs: logs.slice(1) }))
  const head = readFileSync(file).subarray(0, 40)
  writeFileSync(file, Buffer.concat([head, (await packRanges(changed)).subarray(40)]))
  expect(textOf(await read(start(chain).chain))).toEqual(textOf(ranges))
})

it('what a killed process left half-written is not read, and removed an hour later', async () => {
  const chain = newChain()
  await recorded(chain, { to: 100 })
  const [file] = listFiles() as [string]
  const [old, young] = ['1-1.partial', '1-2.partial'].map((name) => join(file, '..', name)) as [string, string]
  for (const partial of [old, young]) writeFileSync(partial, readFileSync(file).subarray(0, 40))
  const hourAgo = Date.now() / 1_000 - 3_700
  utimesSync(old, hourAgo, hourAgo)
  const again = start(chain)
  expect(textOf(await read(again.chain))).toEqual(textOf(await read(chain)))
  await vi.waitUntil(() => pieces().at(-1)?.to === 390, { timeout: 10_000 })
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

it('a folder that cannot be written to is said once, and everything is read of the node', async () => {
  const chain = newChain()
  mkdirSync(dir, { recursive: true })
  // No folder can be made where a file is.
  writeFileSync(folder, '')
  const first = start(chain)
  expect(textOf(await read(first.chain))).toEqual(textOf(await read(chain)))
  await vi.waitUntil(() => warned.length > 0, { timeout: 10_000 })
  expect(textOf(await read(first.chain))).toEqual(textOf(await read(chain)))
  expect(warned).toEqual(['The server cannot write to RPC_CACHE: it records nothing until the next start'])
  expect(first.asked).toEqual([
    [0, 390],
    [0, 390],
  ])
  // It may work by now: what fails once is not tried again and again.
  rmSync(folder)
  const ranges = await read(chain)
  await first.recordings.put(key, ranges, first.recordings.mark())
  expect(existsSync(folder)).toBe(false)
  await start(chain).recordings.put(key, ranges, 0)
  expect(pieces()).toHaveLength(1)
})

it('no more is recorded than the limit, which is said once', async () => {
  const chain = newChain()
  await recorded(chain, { to: 200 })
  const bytes = listFiles().reduce((sum, file) => sum + statSync(file).size, 0)
  const full = start(chain, { bytesMax: bytes + 10 })
  expect(textOf(await read(full.chain))).toEqual(textOf(await read(chain)))
  await vi.waitUntil(() => warned.length > 0, { timeout: 10_000 })
  await read(full.chain)
  expect(warned).toEqual(['RPC_CACHE has reached its size limit: the server records no more responses'])
  expect(pieces().at(-1)?.to).toBe(200)
  expect(full.asked).toEqual([
    [201, 390],
    [201, 390],
  ])
})

it('two servers write one folder, and both read what either has', async () => {
  const chain = newChain()
  const [one, other] = [start(chain), start(chain)]
  const wanted = textOf(await read(chain))
  const both = await Promise.all([read(one.chain), read(other.chain, { spanMax: 33 })])
  for (const ranges of both) expect(textOf(ranges)).toEqual(wanted)
  await vi.waitUntil(() => !listFiles().some((file) => file.endsWith('.partial')) && pieces().length > 0, { timeout: 10_000 })
  const again = start(chain)
  expect(textOf(await read(again.chain))).toEqual(wanted)
  expect(textOf(await read(again.chain, { from: 7 })).ends[1]).toBe(wanted.ends[1])
})

it('what was read of fewer contracts is not given for more, nor of other topics', async () => {
  const chain = newChain()
  await recorded(chain, { wanted: 'few' })
  const again = start(chain)
  await read(again.chain, { wanted: 'more' })
  await read(again.chain, { wanted: 'few', topics: indexedTopics.slice(1) as Hex[] })
  expect(again.asked).toEqual([
    [0, 390],
    [0, 390],
  ])
})

it('nothing is recorded of readings that are not named, begin at the newest block, or are of named contracts only', async () => {
  const chain = newChain()
  const { chain: recording } = start(chain)
  const contracts = { factory: factory as Address, known: async () => [], listCreated: () => [] }
  for await (const range of recording.readHistory({
    ...{ from: 0, to: 390, topics: indexedTopics, order: 'up', spanMax: 20, signal: new AbortController().signal },
  }))
    expect(range.taken).toBeUndefined()
  for (const request of [{ order: 'down' }, { contracts: { ...contracts, only: true } }] as const)
    for (const range of await read(recording, request)) expect(range.taken).toBeUndefined()
  expect(listFiles()).toEqual([])
})
