import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChainRange } from '../chain/chain.ts'
import { createLogSpool, type LogSpool } from './logSpool.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'chainboard-spool-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** A range with one header, of its last block. */
const rangeTo = (number: number): ChainRange => ({
  headers: [{ number, hash: `0x${number}`, parentHash: `0x${number - 1}`, timestampSeconds: number * 2 }],
  logs: [],
})
const keep = (spool: LogSpool, from: number, to: number) => spool.put({ from, to }, rangeTo(to))
async function readEnds(spool: LogSpool, from: number): Promise<(number | undefined)[]> {
  const ends: (number | undefined)[] = []
  for await (const { headers } of spool.read(from)) ends.push(headers.at(-1)?.number)
  return ends
}

describe('ranges of blocks on disk', () => {
  it('come back in the order of the chain, in whatever order they came', async () => {
    const spool = createLogSpool(join(dir, 'spool'))
    for (const [from, to] of [
      [21, 30],
      [11, 20],
      [31, 40],
      [1, 10],
    ] as const)
      await keep(spool, from, to)
    expect(await readEnds(spool, 1)).toEqual([10, 20, 30, 40])
  })

  it('are read from the range on that holds the block', async () => {
    const spool = createLogSpool(join(dir, 'spool'))
    for (const from of [1, 11, 21]) await keep(spool, from, from + 9)
    expect([await readEnds(spool, 10), await readEnds(spool, 11), await readEnds(spool, 31)]).toEqual([
      [10, 20, 30],
      [20, 30],
      [],
    ])
  })

  it('say what is missing of a span, at its ends and between', async () => {
    const spool = createLogSpool(join(dir, 'spool'))
    expect(spool.missing(1, 40)).toEqual([{ from: 1, to: 40 }])
    await keep(spool, 11, 20)
    await keep(spool, 31, 35)
    expect(spool.missing(1, 40)).toEqual([
      { from: 1, to: 10 },
      { from: 21, to: 30 },
      { from: 36, to: 40 },
    ])
    expect(spool.missing(15, 33)).toEqual([{ from: 21, to: 30 }])
    expect(spool.missing(12, 19)).toEqual([])
    expect(spool.missing(36, 40)).toEqual([{ from: 36, to: 40 }])
  })

  it('of a run before are gone, and so is the folder after the last one', async () => {
    const folder = join(dir, 'spool')
    mkdirSync(folder)
    writeFileSync(join(folder, '1-10.json.gz'), 'of a run before')
    const spool = createLogSpool(folder)
    expect(existsSync(folder)).toBe(false)
    await keep(spool, 1, 10)
    expect(readdirSync(folder)).toEqual(['1-10.json.gz'])
    spool.clear()
    expect([existsSync(folder), spool.missing(1, 10)]).toEqual([false, [{ from: 1, to: 10 }]])
  })

  it('that cannot be written fail as a full disk does, and stay missing', async () => {
    const folder = join(dir, 'spool')
    const spool = createLogSpool(folder)
    // A folder stands where the file should be.
    mkdirSync(join(folder, '1-10.json.gz'), { recursive: true })
    await expect(keep(spool, 1, 10)).rejects.toThrow(expect.objectContaining({ code: 'store-full', retryable: true }))
    expect(spool.missing(1, 10)).toEqual([{ from: 1, to: 10 }])
  })
})
