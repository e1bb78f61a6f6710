import { RpcRequestError } from 'viem'
import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../testing/simulation/virtualClock.ts'
import { paceCalls } from './paceCalls.ts'
import type { RpcNode } from './rpcNode.ts'

const never = new AbortController().signal
const refusal = (message: string, code = -32_005) =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code, message } })

/** A node that answers after 200 ms, and not more than `perSecond` calls of any second. */
function limitedNode(perSecond: number, words = 'rate limit exceeded') {
  const clock = createVirtualClock(0)
  const taken: number[] = []
  const seen = { refused: 0, answered: 0 }
  const node: RpcNode = {
    request: async () => {
      const now = clock.nowMs()
      const isFull = taken.filter((atMs) => atMs > now - 1_000).length >= perSecond
      if (!isFull) taken.push(now)
      await clock.pause(isFull ? 20 : 200, never)
      seen[isFull ? 'refused' : 'answered'] += 1
      if (isFull) throw refusal(words)
      return '0x1'
    },
  }
  return { node, clock: { nowMs: clock.nowMs, pause: (ms: number) => clock.pause(ms, never) }, seen, runTo: clock.runTo }
}

/** Asks so many calls at once. */
async function askAll(calls: number, { node, clock, runTo }: ReturnType<typeof limitedNode>) {
  const paced = paceCalls(node, clock)
  const asked = Promise.allSettled(Array.from({ length: calls }, () => paced.request('eth_blockNumber', [])))
  let ended = false
  void asked.then(() => {
    ended = true
  })
  await runTo(10_000_000, () => ended)
  return { answers: await asked, seconds: clock.nowMs() / 1_000 }
}

describe('calls at the pace of a node', () => {
  it.each([
    [1, 60],
    [15, 1_500],
    [60, 1_200],
  ])('%i a second: all of a burst are answered, and few are refused twice', async (perSecond, calls) => {
    const limited = limitedNode(perSecond)
    const { answers, seconds } = await askAll(calls, limited)
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(limited.seen.answered).toBe(calls)
    // A burst is refused whole once; then what is left is asked at the pace that was learned.
    expect(seconds).toBeLessThan((calls / perSecond) * 1.35 + 5)
    expect(limited.seen.refused - calls).toBeLessThan(calls * 0.1 + 10)
  })

  it('does not wait for a node that refuses nothing', async () => {
    const { seconds } = await askAll(300, limitedNode(Number.POSITIVE_INFINITY))
    expect(seconds).toBe(0.2)
  })

  it('tells a quota that is used up at once, and a revert, and any other failure', async () => {
    for (const error of [
      refusal('daily request count exceeded'),
      refusal('execution reverted: rate limit', 3),
      new Error('dead'),
    ]) {
      let asked = 0
      const paced = paceCalls({
        request: async () => {
          asked += 1
          throw error
        },
      })
      await expect(paced.request('eth_call', [])).rejects.toBe(error)
      expect(asked).toBe(1)
    }
  })

  it('rests as long as the node asks, and gives a call up that is refused six times', async () => {
    const limited = limitedNode(0, 'Too many requests, reason: call rate limit exhausted, retry in 10s')
    const { answers, seconds } = await askAll(1, limited)
    expect(answers).toMatchObject([{ status: 'rejected', reason: { details: expect.stringContaining('retry in 10s') } }])
    expect(limited.seen.refused).toBe(6)
    expect(seconds).toBeCloseTo(50.12, 2)
  })

  it('tells a long rest at once, and lets others try', async () => {
    const limited = limitedNode(0, 'retry in 10m0s: rate limit')
    const { answers, seconds } = await askAll(3, limited)
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(seconds).toBe(0.02)
  })

  it('lets a call leave the line that nobody waits for any more: it is never sent, and those behind it move up', async () => {
    const limited = limitedNode(1)
    const paced = paceCalls(limited.node, limited.clock)
    const stop = new AbortController()
    const first = Promise.allSettled([paced.request('eth_call', []), paced.request('eth_call', [])])
    await limited.runTo(900)
    const left = Array.from({ length: 50 }, () => paced.request('eth_call', [], stop.signal))
    const last = paced.request('eth_call', [])
    expect(paced.waiting?.()).toBeGreaterThan(50)
    stop.abort(new Error('stopped'))
    expect((await Promise.allSettled(left)).every(({ status }) => status === 'rejected')).toBe(true)
    let ended = false
    void Promise.all([first, last]).then(() => {
      ended = true
    })
    await limited.runTo(20_000, () => ended)
    expect(limited.seen.answered).toBe(3)
    expect(limited.clock.nowMs()).toBeLessThan(6_000)
    await expect(paced.request('eth_call', [], stop.signal)).rejects.toThrow('stopped')
  })
})
