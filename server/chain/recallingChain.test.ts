import { Failure } from '@chainboard/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeChain } from './fakeChain.ts'
import { type RecallingChain, toRecallingChain } from './recallingChain.ts'

let fake: FakeChain
let chain: RecallingChain
let nowMs: number
beforeEach(() => {
  nowMs = 10_000
  fake = new FakeChain()
  fake.mine()
  chain = toRecallingChain(fake, { nowMs: () => nowMs })
})

describe('the head', () => {
  it('is recalled for 4 s after it was read', async () => {
    expect(chain.recallHead()).toBe(undefined)
    expect((await chain.readHead()).number).toBe(1)
    nowMs = 14_000
    expect(chain.recallHead()).toBe(1)
    nowMs = 14_001
    expect(chain.recallHead()).toBe(undefined)
  })

  it('is the last that was read, also when the chain has become shorter', async () => {
    await chain.readHead()
    fake.mine()
    await chain.readHead()
    expect(chain.recallHead()).toBe(2)
    fake.cut(1)
    await chain.readHead()
    expect(chain.recallHead()).toBe(1)
  })

  it('is as old as its question, and a late answer replaces none that was asked for later', async () => {
    const late = Promise.withResolvers<void>()
    const header = await fake.readHead()
    let times = 0
    const slow = {
      ...fake,
      readHead: async () => {
        times += 1
        if (times > 1) return { ...header, number: 9 }
        await late.promise
        return { ...header, number: 8 }
      },
    }
    chain = toRecallingChain(slow, { nowMs: () => nowMs })
    const first = chain.readHead()
    nowMs = 11_000
    await chain.readHead()
    nowMs = 13_000
    late.resolve()
    expect((await first).number).toBe(8)
    expect(chain.recallHead()).toBe(9)
    nowMs = 15_001
    expect(chain.recallHead()).toBe(undefined)
  })

  it('that could not be read leaves the one before', async () => {
    await chain.readHead()
    fake.failures.push(new Failure('rpc-unavailable', 'The node is not responding', { retryable: true }))
    await expect(chain.readHead()).rejects.toThrow('The node is not responding')
    expect(chain.recallHead()).toBe(1)
  })
})
