import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { HistoryRequest } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import type { Store } from '../store/store.ts'
import { createReadAhead } from './readAhead.ts'

const never = new AbortController().signal

/** Forty blocks in ranges of ten; `readings` are those that were begun. */
function scene(signal = never) {
  const chain = new FakeChain()
  chain.joinsRanges = false
  for (let i = 0; i < 40; i += 1) chain.mine()
  const readings: HistoryRequest[] = []
  const { readHistory } = chain
  chain.readHistory = (request) => {
    readings.push(request)
    return readHistory(request)
  }
  const scope = { factory: `0x${'fa'.repeat(20)}` as Address, onlyTokens: undefined, valuation: {} as never }
  const ahead = createReadAhead({ chain, store: {} as Store, scope, spanMax: 10, signal })
  const refAt = async (number: number) => {
    const header = await chain.readHeader(number)
    if (!header) throw new Error(`the chain has no block ${number}`)
    return header
  }
  const edgesOf = async (from: number, cursorAt: number | undefined) => {
    const range = await ahead.next({ from, to: 40 }, cursorAt === undefined ? undefined : await refAt(cursorAt))
    return range?.headers.map(({ number }) => number)
  }
  return { chain, ahead, readings, edgesOf, refAt }
}

describe('what is read ahead of the index', () => {
  it('comes of one reading while the index continues it', async () => {
    const { edgesOf, readings } = scene()
    expect([await edgesOf(1, 0), await edgesOf(11, 10), await edgesOf(21, 20), await edgesOf(31, 30)]).toEqual([
      [1, 10],
      [11, 20],
      [21, 30],
      [31, 40],
    ])
    expect(readings).toHaveLength(1)
  })

  it('is read again after it was dropped: a range that was doubted does not come a second time from memory', async () => {
    const { edgesOf, readings, ahead } = scene()
    await edgesOf(1, 0)
    ahead.drop()
    expect(readings[0]?.signal.aborted).toBe(true)
    expect(await edgesOf(11, 10)).toEqual([11, 20])
    expect(readings.map(({ from }) => from)).toEqual([1, 11])
    expect(readings[1]?.signal.aborted).toBe(false)
  })

  it('is of no use where the index ends otherwise: at another block, or at another one of that number', async () => {
    const { chain, edgesOf, readings, refAt, ahead } = scene()
    await edgesOf(1, 0)
    expect(await edgesOf(6, 5)).toEqual([6, 15])
    const before = await refAt(15)
    chain.cut(30)
    for (let i = 0; i < 30; i += 1) chain.mine([], 13)
    expect((await refAt(15)).hash).not.toBe(before.hash)
    expect(await edgesOf(16, 15)).toEqual([16, 25])
    expect(readings.map(({ from }) => from)).toEqual([1, 6, 16])
    expect(readings.slice(0, 2).every(({ signal }) => signal.aborted)).toBe(true)
    ahead.drop()
  })

  it('goes as far as is settled now', async () => {
    const { ahead, readings, refAt } = scene()
    await ahead.next({ from: 1, to: 30 }, await refAt(0))
    await ahead.next({ from: 11, to: 35 }, await refAt(10))
    expect(readings.map(({ from, to }) => [from, to])).toEqual([
      [1, 30],
      [11, 35],
    ])
  })

  it('of an empty index has to continue the block before it, or begin with the first block of the chain', async () => {
    const [late, first] = [scene(), scene()]
    await late.edgesOf(5, undefined)
    expect(late.readings[0]?.anchor).toMatchObject({ number: 4, hash: (await late.refAt(4)).hash })
    await first.edgesOf(0, undefined)
    expect(first.readings[0]?.anchor).toMatchObject({ number: 0, hash: (await first.refAt(0)).hash })
  })

  it('ends with the server', async () => {
    const stop = new AbortController()
    const { edgesOf, readings } = scene(stop.signal)
    await edgesOf(1, 0)
    stop.abort()
    expect(readings[0]?.signal.aborted).toBe(true)
    expect(await edgesOf(11, 10)).toBeUndefined()
  })
})
