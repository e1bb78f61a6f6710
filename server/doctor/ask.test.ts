import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'

const node = { url: 'https://node.example/v3/a-key-of-the-operator' }
const limits = { callTimeoutMs: 50 }
const limited = new Failure('rpc-rate-limited', "The node's rate limit was reached", { detail: { retryAfterMs: 10 } })

describe('a question to a node', () => {
  it('is asked once more when the node limits the rate of calls', async () => {
    let calls = 0
    const answer = await ask(
      node,
      async () => {
        calls += 1
        if (calls === 1) throw limited
        return 'yes'
      },
      limits,
    )
    expect(answer).toMatchObject({ kind: 'answer', value: 'yes' })
  })

  it('is not asked a third time', async () => {
    let calls = 0
    const answer = await ask(
      node,
      () => {
        calls += 1
        return Promise.reject(limited)
      },
      limits,
    )
    expect(answer).toMatchObject({ kind: 'rate-limited', said: "The node's rate limit was reached" })
    expect(calls).toBe(2)
  })

  it('ends when no answer comes in time', async () => {
    expect(await ask(node, () => new Promise(() => undefined), limits)).toMatchObject({
      kind: 'silent',
      said: 'no answer within 0.05 s',
    })
  })

  it('is answered in the words of the node, on one line of at most 160 characters', async () => {
    const long = new Failure('rpc-refused', `no\n  ${'x'.repeat(300)}`)
    const answer = await ask(node, () => Promise.reject(long), limits)
    expect(answer.said).toBe(`no ${'x'.repeat(157)}…`)
  })

  it.each([
    new Failure('rpc-refused', 'a-key-of-the-operator is spent'),
    new Failure('rpc-unavailable', 'a-key-of-the-operator is spent'),
    new Failure('rpc-range-too-wide', 'no', { detail: { said: 'a-key-of-the-operator is spent' } }),
  ])('is answered without the key that the words of the node quote', async (failure) => {
    expect((await ask(node, () => Promise.reject(failure), limits)).said).toBe('… is spent')
  })

  it('hides a key that stands where long words are cut', async () => {
    const long = new Failure('rpc-refused', `${'no '.repeat(50)}a-key-of-the-operator`)
    expect((await ask(node, () => Promise.reject(long), limits)).said).toBe(`${'no '.repeat(50)}…`)
  })

  it('hides no bug of ours', async () => {
    await expect(ask(node, () => Promise.reject(new TypeError('oops')), limits)).rejects.toThrow('oops')
  })
})
