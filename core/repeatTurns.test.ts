import { describe, expect, it } from 'vitest'
import { Failure } from './failure.ts'
import { repeatTurns } from './repeatTurns.ts'

type Turn = number | Error

/** Turns that come out as given, then the stop. Resolves to what was waited, in milliseconds, and logged. */
async function play(turns: readonly Turn[], firstMs?: number) {
  const waits: number[] = []
  const logged: string[] = []
  const left = [...turns]
  const over = Promise.withResolvers<void>()
  const repeated = repeatTurns(
    async () => {
      const turn = left.shift()
      if (turn === undefined) {
        over.resolve()
        return 9_000
      }
      if (typeof turn !== 'number') throw turn
      return turn
    },
    {
      nowMs: () => 0,
      pause: async (ms, signal) => {
        waits.push(ms)
        // The last one lasts until the stop.
        if (ms === 9_000 && !signal.aborted)
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      },
      log: { warn: (_, text) => logged.push(text), error: (_, text) => logged.push(text) },
      ...(firstMs === undefined ? {} : { firstMs }),
      retryMs: 5_000,
      texts: { failure: 'cannot', bug: 'bug' },
    },
  )
  await over.promise
  await repeated.stop()
  return { waits, logged }
}

const down = () => new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })

describe('turns that are repeated', () => {
  it('wait as long as each turn says', async () => {
    expect(await play([100, 20])).toEqual({ waits: [100, 20, 9_000], logged: [] })
  })

  it('begin after a wait where one is given', async () => {
    expect((await play([], 30_000)).waits).toEqual([30_000, 9_000])
  })

  it('log the first failure in a row, and one that comes after a success again', async () => {
    const { waits, logged } = await play([down(), down(), 100, down()])
    expect(logged).toEqual(['cannot', 'cannot'])
    expect(waits).toEqual([5_000, 5_000, 100, 5_000, 9_000])
  })

  it('start again after a bug, which is logged as one', async () => {
    const { waits, logged } = await play([100, new TypeError('of undefined'), 20], 300)
    expect(logged).toEqual(['bug'])
    // Another second, as supervise says, and the first wait again.
    expect(waits).toEqual([300, 100, 1_000, 300, 20, 9_000])
  })
})
