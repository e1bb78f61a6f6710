import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'

const limits = { callTimeoutMs: 50 }
const limited = new Failure('rpc-rate-limited', 'The node limits the rate of calls', { detail: { retryAfterMs: 10 } })

describe('a question to a node', () => {
  it('is asked once more when the node limits the rate of calls', async () => {
    let calls = 0
    const answer = await ask(async () => {
      calls += 1
      if (calls === 1) throw limited
      return 'yes'
    }, limits)
    expect(answer).toMatchObject({ kind: 'answer', value: 'yes' })
  })

  it('is not asked a third time', async () => {
    let calls = 0
    const answer = await ask(() => {
      calls += 1
      return Promise.reject(limited)
    }, limits)
    expect(answer).toMatchObject({ kind: 'rate-limited', said: 'The node limits the rate of calls' })
    expect(calls).toBe(2)
  })

  it('ends when no answer comes in time', async () => {
    expect(await ask(() => new Promise(() => undefined), limits)).toMatchObject({
      kind: 'silent',
      said: 'no answer within 0.05 s',
    })
  })

  it('is answered in the words of the node, on one line of at most 160 characters', async () => {
    const long = new Failure('rpc-refused', `no\n  ${'x'.repeat(300)}`)
    const answer = await ask(() => Promise.reject(long), limits)
    expect(answer.said).toBe(`no ${'x'.repeat(157)}…`)
  })

  it('hides no bug of ours', async () => {
    await expect(ask(() => Promise.reject(new TypeError('oops')), limits)).rejects.toThrow('oops')
  })
})
