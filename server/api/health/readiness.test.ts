import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alphaSnapshot } from '../../testing/priceApi.ts'
import { answerAlive, answerReady } from './probeAnswers.ts'
import { type ReadinessDeps, readReadiness } from './readiness.ts'

const day = 86_400
const headAt = 1_700_000_000
type Facts = { readonly blockAt: number | undefined; readonly headAt: number | undefined; readonly ping: () => Promise<void> }

/** A server whose newest data, and whose chain, are of these moments. */
function open({ blockAt = headAt, headAt: head = headAt, ping = async () => undefined }: Partial<Facts> = {}): ReadinessDeps {
  const deps: Pick<ReadinessDeps, 'pingStore' | 'snapshot' | 'followStatus' | 'nowSeconds'> = {
    pingStore: ping,
    snapshot: () => ({ ...alphaSnapshot(), atBlock: { number: 7, hash: '0x07', timestampSeconds: blockAt } }),
    followStatus: () => ({
      cursor: { number: 7, hash: '0x07', timestampSeconds: blockAt },
      ...{ head: 7, headAtSeconds: head, longestGapSeconds: undefined, contactAtMs: undefined, trouble: undefined },
      ...{ complete: true, faults: 0 },
    }),
    nowSeconds: () => headAt + 5,
  }
  return deps as ReadinessDeps
}

describe('a server', () => {
  it('is ready with data of today, and not while it shuts down', async () => {
    expect(await readReadiness(open(), false)).toMatchObject({ ready: true, store: true, draining: false, index: { block: 7 } })
    expect(await readReadiness(open(), true)).toMatchObject({ ready: false, store: true, draining: true })
  })

  it('is ready with data a day behind its chain, and not with older data: it still reads the history', async () => {
    expect(await readReadiness(open({ blockAt: headAt - day }), false)).toMatchObject({ ready: true })
    expect(await readReadiness(open({ blockAt: headAt - day - 1 }), false)).toMatchObject({ ready: false, store: true })
  })

  it('is ready when no node has said where the chain is: its data may be all there is', async () => {
    const deps = open({ blockAt: headAt - 30 * day })
    const silent = { ...deps, followStatus: () => ({ ...deps.followStatus(), headAtSeconds: undefined }) }
    expect(await readReadiness(silent, false)).toMatchObject({ ready: true })
  })

  it('is not ready before it has any data', async () => {
    const empty = { ...open(), snapshot: () => ({ ...alphaSnapshot(), atBlock: undefined }) }
    expect(await readReadiness(empty, false)).toMatchObject({ ready: false, store: true })
  })

  it('is not ready when the database fails', async () => {
    const ping = () => Promise.reject(new Error('the password is hunter2'))
    const body = await readReadiness(open({ ping }), false)
    expect(body).toMatchObject({ ready: false, store: false })
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  describe('whose database hangs', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    it('is not ready, and says so after two seconds', async () => {
      const asked = readReadiness(open({ ping: () => new Promise(() => undefined) }), false)
      let isAnswered = false
      void asked.then(() => {
        isAnswered = true
      })
      await vi.advanceTimersByTimeAsync(1_999)
      expect(isAnswered).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(await asked).toMatchObject({ ready: false, store: false })
    })

    it('keeps no timer when it answered in time', async () => {
      await readReadiness(open(), false)
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

describe('the probes of a thread of their own', () => {
  it('call a busy server alive for half a minute', () => {
    expect(answerAlive(0.04)).toEqual({ status: 200, body: '{"alive":true,"beatAgeSeconds":0}' })
    expect(answerAlive(30)).toEqual({ status: 200, body: '{"alive":true,"beatAgeSeconds":30}' })
    expect(answerAlive(30.06)).toEqual({ status: 503, body: '{"alive":false,"beatAgeSeconds":30.1}' })
  })

  it('hand on what the server last reported, for ten seconds', () => {
    const [ready, not] = [
      { ready: true, body: '{"ready":true}' },
      { ready: false, body: '{"ready":false,"draining":true}' },
    ]
    expect(answerReady(ready, 10)).toEqual({ status: 200, body: '{"ready":true}' })
    expect(answerReady(not, 0)).toEqual({ status: 503, body: '{"ready":false,"draining":true}' })
    expect(answerReady(ready, 10.1)).toEqual({
      status: 503,
      body: '{"ready":false,"reason":"The server last reported its state 10 s ago, expected at most 10 s"}',
    })
    expect(answerReady(undefined, 0)).toEqual({ status: 503, body: '{"ready":false,"reason":"The server is starting"}' })
  })
})
