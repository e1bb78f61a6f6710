import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findState, putAside, repackDump, type StateAbout, statePath, writeState } from './stateFile.ts'
import { createTraceStripper } from './stripTraces.ts'

const about: StateAbout = { recipe: { version: 1, seed: 's', history: 'full', replay: '' }, genesisSeconds: 1_700_000_000 }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'devnet-state-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a written state is found again, with what is said about it', async () => {
  await writeState(folder, about, Buffer.from('state one'))
  await writeState(folder, about, Buffer.from('state two'))
  expect(await findState(folder)).toEqual({ kind: 'found', about, state: Buffer.from('state two') })
})

test('an empty folder has no state', async () => {
  expect(await findState(folder)).toEqual({ kind: 'none' })
})

test('a file cut off, changed or foreign is called damaged, with the reason', async () => {
  await writeState(folder, about, Buffer.from('the state'))
  const whole = await readFile(statePath(folder))
  const changed = Buffer.from(whole)
  changed[whole.length - 1] = 0
  for (const [bytes, reason] of [
    [whole.subarray(0, whole.length - 2), '7 bytes instead of 9'],
    [changed, 'its checksum is wrong'],
    [Buffer.from('not ours\nat all'), /its first line cannot be read/],
    [Buffer.alloc(0), 'its first line is missing'],
  ] as const) {
    await writeFile(statePath(folder), bytes)
    const found = await findState(folder)
    expect(found.kind === 'damaged' && found.reason).toMatch(reason)
  }
})

test('a damaged file is moved aside and can be looked at', async () => {
  await writeFile(statePath(folder), 'rubbish')
  const aside = await putAside(folder)
  expect(await readFile(aside, 'utf8')).toBe('rubbish')
  expect(await findState(folder)).toEqual({ kind: 'none' })
})

const dump =
  '{"a":[{"info":{"to":"0x1","traces":[{"children":[1,2],"ordering":[{"Call":0}],"logs":[]},{"idx":1,"data":"0x"}],"exit":"Stop","out":null}},{"info":{"traces":[],"exit":"Stop"}}],"z":1}'
const slim = '{"a":[{"info":{"to":"0x1","traces":[],"exit":"Stop","out":null}},{"info":{"traces":[],"exit":"Stop"}}],"z":1}'

test('traces are left out of a kept state, and nothing else is', async () => {
  const kept = await repackDump(`0x${gzipSync(dump).toString('hex')}`)
  expect(gunzipSync(kept).toString()).toBe(slim)
})

test('traces are found wherever the pieces of the stream end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: dump.length }), { maxLength: 12 }), async (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), dump.length]
      const pieces = edges.slice(1).map((edge, place) => Buffer.from(dump.slice(edges[place], edge)))
      const kept: Buffer[] = []
      for await (const piece of Readable.from(pieces).pipe(createTraceStripper())) kept.push(piece as Buffer)
      expect(Buffer.concat(kept).toString()).toBe(slim)
    }),
    { numRuns: 300 },
  )
})

test('a dump that ends inside a trace is refused', async () => {
  await expect(repackDump(`0x${gzipSync(dump.slice(0, 40)).toString('hex')}`)).rejects.toThrow('ends inside a trace')
})
