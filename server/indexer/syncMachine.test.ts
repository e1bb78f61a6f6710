import { describe, expect, it } from 'vitest'
import type { BlockRef } from '../store/syncCursor.ts'
import { nextSync, type SyncEvent, type SyncLimits, type SyncStep, startSync } from './syncMachine.ts'

const limits: SyncLimits = {
  startBlock: 100,
  confirmations: 10,
  pollMs: 500,
  spanMax: 4_000,
  reorgDepthMax: 64,
  mayRestart: false,
}

/** A chain that may still change whole: each block is read with its links. */
const young: SyncLimits = { ...limits, confirmations: 100_000 }

type StoreRange = SyncStep & { readonly kind: 'storeRange' }

const block = (number: number): BlockRef => ({
  number,
  hash: `0x${number.toString(16)}`,
  timestampSeconds: 1_700_000_000 + number,
})

/** A look at the head that finds the store where the machine left it, unless it says otherwise. */
type Look = Omit<SyncEvent & { kind: 'headRead' }, 'cursor'>

/** Tells a story: the steps the machine took in answer to the events, first step included. */
function tell(cursor: BlockRef | undefined, events: readonly (SyncEvent | Look)[], of = limits): SyncStep[] {
  let [state, step] = startSync(of, cursor)
  const steps = [step]
  for (const event of events) {
    ;[state, step] = nextSync(state, { cursor: state.cursor, ...event } as SyncEvent)
    steps.push(step)
  }
  return steps
}

const head = (number: number, known: 'same' | 'other' | 'none' = 'none'): Look => ({
  kind: 'headRead',
  head: number,
  headAtSeconds: 1_700_000_000 + number,
  known,
})
const stored = (number: number, logs = 0): SyncEvent => ({ kind: 'rangeStored', last: block(number), logs })
const last = (steps: readonly SyncStep[]) => steps.at(-1)

describe('following the chain', () => {
  it('starts at the block of the factory, asks for all settled blocks behind the last that came, and never for a block twice', () => {
    const steps = tell(undefined, [head(1_000), stored(199), stored(399), stored(799), stored(990), stored(1_000)])
    expect(steps).toEqual([
      { kind: 'readHead' },
      { kind: 'storeRange', from: 100, to: 990, everyHeader: false },
      { kind: 'storeRange', from: 200, to: 990, everyHeader: false },
      { kind: 'storeRange', from: 400, to: 990, everyHeader: false },
      { kind: 'storeRange', from: 800, to: 990, everyHeader: false },
      { kind: 'storeRange', from: 991, to: 1_000, everyHeader: true },
      { kind: 'wait', ms: 500 },
    ])
  })

  it('asks near the head for ranges that hold about two thousand logs, and for 32 blocks at most', () => {
    const next = (logs: number) => last(tell(undefined, [head(131), stored(131, logs), head(400)], young)) as StoreRange
    const blocks = (logs: number) => next(logs).to - next(logs).from + 1
    expect([0, 2_000, 4_000, 8_000, 64_000, 9_000_000].map(blocks)).toEqual([32, 32, 16, 8, 1, 1])
  })

  it('continues behind the block it stored last, after a restart', () => {
    expect(last(tell(block(2_000), [head(2_003)]))).toEqual({ kind: 'storeRange', from: 2_001, to: 2_003, everyHeader: true })
  })

  it('waits for the factory of a chain that is still younger', () => {
    expect(last(tell(undefined, [head(50)]))).toEqual({ kind: 'wait', ms: 500 })
  })

  it('checks every link of blocks that may still change, a few at a time', () => {
    const far: SyncLimits = { ...limits, confirmations: 100 }
    let [state, step] = startSync(far, block(1_000))
    ;[state, step] = nextSync(state, { ...head(1_090), cursor: block(1_000) })
    expect(step).toEqual({ kind: 'storeRange', from: 1_001, to: 1_032, everyHeader: true })
  })

  it('waits when there is nothing new', () => {
    expect(last(tell(block(300), [head(300, 'same')]))).toEqual({ kind: 'wait', ms: 500 })
    expect(last(tell(block(300), [head(300, 'same'), { kind: 'waited' }]))).toEqual({ kind: 'readHead' })
  })
})

describe('a node that refuses', () => {
  const tooWide = { kind: 'failed', reason: 'range-too-wide' } as const

  it('halves the range at once until it is taken, stays there for a while, then lets it grow again', () => {
    const taken = Array.from({ length: 8 }, (_, i) => stored(107 + 8 * i))
    const steps = tell(undefined, [head(9_000), tooWide, tooWide, ...taken], young)
    expect(steps.slice(1, 5)).toEqual([
      { kind: 'storeRange', from: 100, to: 131, everyHeader: true },
      { kind: 'storeRange', from: 100, to: 115, everyHeader: true },
      { kind: 'storeRange', from: 100, to: 107, everyHeader: true },
      { kind: 'storeRange', from: 108, to: 115, everyHeader: true },
    ])
    expect(steps.slice(-2)).toEqual([
      { kind: 'storeRange', from: 156, to: 163, everyHeader: true },
      { kind: 'storeRange', from: 164, to: 179, everyHeader: true },
    ])
  })

  it('halves where the node offers what it has just refused', () => {
    const steps = tell(undefined, [head(9_000), { ...tooWide, blocks: 32 }, { ...tooWide, blocks: 7 }], young)
    expect(steps.slice(2)).toEqual([
      { kind: 'storeRange', from: 100, to: 115, everyHeader: true },
      { kind: 'storeRange', from: 100, to: 106, everyHeader: true },
    ])
  })

  it('and blocks that are doubted are asked for in smaller and smaller parts, until one of them is stored', () => {
    const doubted = [{ kind: 'failed', reason: 'other' }, { kind: 'waited' }, head(9_000)] as const
    const after = (times: number) => tell(undefined, [head(9_000), ...Array.from({ length: times }, () => doubted).flat()])
    expect([0, 1, 2, 5, 9].map((times) => (last(after(times)) as StoreRange).to)).toEqual([8_990, 149, 124, 102, 100])
    const steps = tell(undefined, [head(9_000), ...doubted, ...doubted, stored(124)])
    expect(last(steps)).toEqual({ kind: 'storeRange', from: 125, to: 8_990, everyHeader: false })
  })

  it('comes down to single blocks, and even then does not skip one', () => {
    const refusals = Array.from({ length: 6 }, () => tooWide)
    const steps = tell(undefined, [head(9_000), ...refusals], young)
    expect(steps.at(-2)).toEqual({ kind: 'storeRange', from: 100, to: 100, everyHeader: true })
    expect(last(steps)).toEqual({ kind: 'wait', ms: 250 })
    expect(last(tell(undefined, [head(9_000), ...refusals, { kind: 'waited' }, head(9_000)], young))).toEqual({
      kind: 'storeRange',
      from: 100,
      to: 100,
      everyHeader: true,
    })
  })

  it('waits longer after each failure, as long as the node asks for, and at most five seconds', () => {
    const failed: SyncEvent = { kind: 'failed', reason: 'other' }
    const waits = tell(block(200), [failed, failed, failed, failed]).slice(1)
    expect(waits).toEqual([250, 500, 1_000, 2_000].map((ms) => ({ kind: 'wait', ms })))
    expect(last(tell(block(200), [{ kind: 'failed', reason: 'rate-limited', retryAfterMs: 7_000 }]))).toEqual({
      kind: 'wait',
      ms: 7_000,
    })
    const longest = (reason: 'other' | 'rate-limited' | 'store') =>
      last(
        tell(
          block(200),
          Array.from({ length: 40 }, () => ({ kind: 'failed', reason }) as const),
        ),
      )
    expect(longest('other')).toEqual({ kind: 'wait', ms: 5_000 })
    expect(longest('rate-limited')).toEqual({ kind: 'wait', ms: 30_000 })
    expect(longest('store')).toEqual({ kind: 'wait', ms: 2_000 })
  })

  it('makes ranges smaller where the rate is refused again and again: its words may mean something else', () => {
    const limited = [{ kind: 'failed', reason: 'rate-limited' }, { kind: 'waited' }, head(9_000)] as const
    const after = (times: number) => {
      const events = [head(9_000), ...Array.from({ length: times }, () => limited).flat()]
      return last(tell(undefined, events, young))
    }
    expect(after(3)).toEqual({ kind: 'storeRange', from: 100, to: 131, everyHeader: true })
    expect(after(5)).toEqual({ kind: 'storeRange', from: 100, to: 124, everyHeader: true })
    expect(after(12)).toEqual({ kind: 'storeRange', from: 100, to: 100, everyHeader: true })
  })

  it('does not make ranges smaller because calls came too fast', () => {
    const events = [head(9_000), { kind: 'failed', reason: 'rate-limited' }, { kind: 'waited' }, head(9_000)] as const
    expect(last(tell(undefined, events, young))).toEqual({ kind: 'storeRange', from: 100, to: 131, everyHeader: true })
  })
})

describe('a chain that changes its mind', () => {
  it('takes back a block of the same height with another hash', () => {
    expect(last(tell(block(300), [head(300, 'other')]))).toEqual({ kind: 'rollBack' })
  })

  it('takes back when the next range does not continue the last block, and reads on from what is shared', () => {
    const steps = tell(block(300), [head(303), { kind: 'forked' }, { kind: 'rolledBack', cursor: block(297) }, head(303)])
    expect(steps.slice(2)).toEqual([
      { kind: 'rollBack' },
      { kind: 'readHead' },
      { kind: 'storeRange', from: 298, to: 303, everyHeader: true },
    ])
  })

  it('reads what it repairs by the hash of each block, and what follows by ranges again', () => {
    const events = [head(9_000), { kind: 'rolledBack', cursor: block(290), repairs: 301 }, head(9_000), stored(301)] as const
    expect(tell(block(300), events).slice(-2)).toEqual([
      { kind: 'storeRange', from: 291, to: 322, everyHeader: true },
      expect.objectContaining({ kind: 'storeRange', from: 302, everyHeader: false }),
    ])
  })

  it('starts over when nothing is shared', () => {
    const steps = tell(block(300), [head(303), { kind: 'forked' }, { kind: 'rolledBack', cursor: undefined }, head(303)])
    expect(last(steps)).toEqual({ kind: 'storeRange', from: 100, to: 293, everyHeader: false })
  })

  it('does not spin when the node contradicts itself: nothing to take back makes it wait', () => {
    const steps = tell(block(300), [head(303), { kind: 'forked' }, { kind: 'rolledBack', cursor: block(300) }])
    expect(last(steps)).toEqual({ kind: 'wait', ms: 250 })
  })

  it('takes a shorter chain with other blocks for a fork at once', () => {
    expect(last(tell(block(300), [head(250, 'other')]))).toEqual({ kind: 'rollBack' })
  })

  const looks = Array.from({ length: 10 }, () => [head(250, 'same'), { kind: 'waited' } as const]).flat()

  it('never takes anything back for a node that ends earlier and is otherwise the same: it is behind', () => {
    const forAnHour = Array.from({ length: 720 }, () => looks).flat()
    expect(last(tell(block(300), forAnHour))).toEqual({ kind: 'readHead' })
    expect(tell(block(300), forAnHour)).not.toContainEqual({ kind: 'rollBack' })
  })

  it('gives a test chain ten such looks before it believes that the chain was cut', () => {
    const test = { ...limits, mayRestart: true }
    expect(last(tell(block(300), looks.slice(0, -1), test))).toEqual({ kind: 'wait', ms: 500 })
    expect(last(tell(block(300), [...looks, head(250, 'same')], test))).toEqual({ kind: 'rollBack' })
    expect(last(tell(block(300), [...looks, head(300, 'same'), { kind: 'waited' }, head(250, 'same')], test))).toEqual({
      kind: 'wait',
      ms: 500,
    })
  })
})

describe('a database that fails', () => {
  const failed: SyncEvent = { kind: 'failed', reason: 'store' }

  it('is tried again with longer and longer waits, and makes no range smaller', () => {
    const steps = tell(undefined, [head(9_000), failed, { kind: 'waited' }, head(9_000), failed], young)
    expect(steps.slice(1)).toEqual([
      { kind: 'storeRange', from: 100, to: 131, everyHeader: true },
      { kind: 'wait', ms: 250 },
      { kind: 'readHead' },
      { kind: 'storeRange', from: 100, to: 131, everyHeader: true },
      { kind: 'wait', ms: 500 },
    ])
  })

  it('that stored a range and lost the answer is believed: the range is not stored twice', () => {
    const steps = tell(undefined, [head(9_000), failed, { kind: 'waited' }, { ...head(9_000), cursor: block(199) } as SyncEvent])
    expect(last(steps)).toEqual({ kind: 'storeRange', from: 200, to: 299, everyHeader: false })
  })
})
