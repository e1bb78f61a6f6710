import { describe, expect, it } from 'vitest'
import { type BlockPeriod, readTimes } from './readTimes.ts'

/** A chain whose block `n` is made at `timeOf(n)`; counts the headers that are read. */
async function timesOf(
  timeOf: (block: number) => number,
  from: number,
  to: number,
  period: BlockPeriod = { seconds: undefined },
) {
  const read: number[] = []
  const time = (number: number) => ({ number, timestampSeconds: timeOf(number) })
  const wanted = Array.from({ length: to - from - 1 }, (_, i) => from + i + 1).filter((block) => block % 5 < 2)
  const times = await readTimes(wanted, [time(from), time(to)], {
    period,
    read: async (block) => {
      read.push(block)
      return { ...time(block), hash: '0x1', parentHash: '0x0' }
    },
  })
  const wrong = wanted.filter((block) => times.get(block) !== timeOf(block))
  return { wrong, reads: read.length, readTwice: read.length - new Set(read).size, wanted: wanted.length, period }
}

describe('times of blocks whose logs do not tell them', () => {
  it('follow from the edges where all gaps are one', async () => {
    const first = await timesOf((block) => 1_000 + 5 * block, 0, 1_000)
    expect(first).toMatchObject({ wrong: [], reads: 64, wanted: 399 })
    expect(await timesOf((block) => 1_000 + 5 * block, 1_000, 2_000, first.period)).toMatchObject({
      wrong: [],
      reads: 0,
      wanted: 399,
    })
  })

  it('are found around slots without a block', async () => {
    // Of Ethereum's slots of 12 s about one in a hundred is empty.
    const late = (block: number) => 12 * (block + [130, 288, 290, 555, 803, 991].filter((missed) => missed <= block).length)
    expect(await timesOf(late, 0, 1_000, { seconds: 12 })).toMatchObject({ wrong: [], readTwice: 0 })
    expect((await timesOf(late, 0, 1_000, { seconds: 12 })).reads).toBeLessThan(50)
  })

  it('are right for several blocks in a second, and for blocks without a rhythm', async () => {
    expect(await timesOf((block) => Math.floor(block / 4), 0, 1_000)).toMatchObject({ wrong: [], readTwice: 0 })
    const noise = (block: number) => block * 13 + ((block * 7_919) % 11)
    const irregular = await timesOf(noise, 0, 1_000)
    expect(irregular.wrong).toEqual([])
    expect(irregular.reads).toBeLessThanOrEqual(irregular.wanted + 64)
  })

  it('are right where the chain changes its pace, quicker or slower', async () => {
    const quicker = (block: number) => (block < 500 ? 5 * block : 2_500 + (block - 500))
    expect(await timesOf(quicker, 0, 1_000, { seconds: 5 })).toMatchObject({ wrong: [] })
    const slower = (block: number) => (block < 500 ? block : 500 + 5 * (block - 500))
    const changed = await timesOf(slower, 0, 1_000, { seconds: 1 })
    expect(changed.wrong).toEqual([])
    expect(await timesOf(slower, 1_000, 2_000, changed.period)).toMatchObject({ wrong: [], reads: 64 })
    expect(await timesOf(slower, 2_000, 3_000, changed.period)).toMatchObject({ wrong: [], reads: 0 })
  })

  it('follow for few blocks, too, once so many were read one by one as show the period', async () => {
    const period: BlockPeriod = { seconds: undefined }
    const reads: number[] = []
    for (let i = 0; i < 6; i += 1) reads.push((await timesOf((block) => 5 * block, i * 60, i * 60 + 60, period)).reads)
    expect(reads).toEqual([23, 23, 23, 60, 0, 0])
  })

  it('are learned once by ranges that are read at the same time, and by the next one when that fails', async () => {
    const period: BlockPeriod = { seconds: undefined }
    const both = await Promise.all([0, 1_000].map((from) => timesOf((block) => 5 * block, from, from + 1_000, period)))
    expect(both.map(({ reads, wrong }) => [reads, wrong])).toEqual([
      [64, []],
      [0, []],
    ])
    const failing: BlockPeriod = { seconds: undefined }
    const edges = [0, 1_000].map((number) => ({ number, timestampSeconds: 5 * number })) as [never, never]
    const wanted = Array.from({ length: 400 }, (_, i) => 2 * i + 1)
    const away = readTimes(wanted, edges, { period: failing, read: () => Promise.reject(new Error('away')) })
    const other = timesOf((block) => 5 * block, 1_000, 2_000, failing)
    await expect(away).rejects.toThrow('away')
    expect(await other).toMatchObject({ reads: 64, wrong: [] })
  })

  it('of few blocks are read one by one', async () => {
    const noise = (block: number) => block * 13 + ((block * 7_919) % 11)
    expect(await timesOf(noise, 0, 60)).toMatchObject({ wrong: [], reads: 23, wanted: 23, period: { seconds: undefined } })
  })
})
