import { Failure } from '@chainboard/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGateway } from './createGateway.ts'

type Answer = unknown | (() => Promise<unknown>)

function open(answer: (method: string, params: unknown) => Answer) {
  const clock = { ms: 1 }
  const world = { head: 1_000 as number | undefined }
  const asked: string[] = []
  const charged: number[] = []
  const gateway = createGateway({
    chain: {
      forward: async (method, params) => {
        asked.push(`${method} ${JSON.stringify(params)}`)
        return answer(method, params)
      },
    },
    head: () => world.head,
    settledDepth: 64,
    nowMs: () => clock.ms,
  })
  const call = async (method: string, params: unknown = [], client = '192.0.2.1') =>
    JSON.parse((await gateway.call({ method, params, client, charge: (units) => charged.push(units) })).json)
  return { gateway, clock, world, asked, charged, call }
}

const silent = new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
afterEach(() => void vi.useRealTimers())

describe('the gateway caches', () => {
  // 1,000 = 0x3e8, and 64 blocks before it is 936 = 0x3a8.
  it.each([
    ['eth_chainId', [], '0x1', 1],
    ['net_version', [], '1', 1],
    ['eth_blockNumber', [], '0x3e8', 2],
    ['eth_getBlockByNumber', ['0x3a8', false], { number: '0x3a8' }, 1],
    ['eth_getBlockByNumber', ['0x3a9', false], { number: '0x3a9' }, 2],
    ['eth_getBlockByNumber', ['finalized', false], { number: '0x1' }, 2],
    ['eth_getBlockByNumber', ['0x3a8', false], null, 2],
    ['eth_getBlockByHash', ['0xaa', false], { number: '0x3a8' }, 1],
    ['eth_getTransactionReceipt', ['0xaa'], { blockNumber: '0x3a8' }, 1],
    ['eth_getTransactionReceipt', ['0xaa'], { blockNumber: '0x3e8' }, 2],
    ['eth_getTransactionReceipt', ['0xaa'], null, 2],
    ['eth_getTransactionByHash', ['0xaa'], { blockNumber: null }, 2],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x3a8' }], [], 1],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x3a9' }], [], 2],
    ['eth_call', [{ to: '0x1' }, '0x1'], '0x', 2],
    ['eth_getBlockByNumber', ['0x3a8', false], { number: '0x3a8', junk: 'x'.repeat(512 * 1024) }, 2],
  ])('%s %j: %#', async (method, params, result, times) => {
    const { call, asked } = open(() => result)
    expect([await call(method, params), await call(method, params)]).toEqual([result, result])
    expect(asked.filter((each) => each.startsWith(method))).toHaveLength(times)
  })

  it('nothing of blocks before it knows the head, and nothing from before a reorg, nor for longer than ten minutes', async () => {
    const { call, asked, gateway, clock, world } = open(() => ({ number: '0x1' }))
    world.head = undefined
    const ask = () => call('eth_getBlockByNumber', ['0x1', false])
    await ask()
    world.head = 1_000
    await ask()
    await ask()
    expect(asked).toHaveLength(2)
    gateway.forget()
    await ask()
    expect(asked).toHaveLength(3)
    clock.ms += 600_001
    await ask()
    expect(asked).toHaveLength(4)
  })
})

describe('the gateway asks once', () => {
  it('for equal calls while the node works, of any client, and again afterwards; a failure is everybody’s', async () => {
    let answer = Promise.withResolvers<unknown>()
    const { call, asked } = open(() => answer.promise)
    const three = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((client) => call('eth_blockNumber', [], client))
    answer.resolve('0x5')
    expect(await Promise.all(three)).toEqual(['0x5', '0x5', '0x5'])
    expect(asked).toHaveLength(1)
    answer = Promise.withResolvers()
    const two = Promise.allSettled([call('eth_gasPrice'), call('eth_gasPrice')])
    answer.reject(new Failure('rpc-refused', 'no'))
    expect((await two).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(asked).toHaveLength(2)
  })

  it('for each transaction, however equal', async () => {
    const { call, asked } = open(() => '0xaa')
    await Promise.all([call('eth_sendRawTransaction', ['0x1']), call('eth_sendRawTransaction', ['0x1'])])
    expect(asked).toHaveLength(2)
  })

  it('and charges the one who caused it with the time, and each with the size', async () => {
    const { call, clock, charged } = open(async (method) => {
      if (method !== 'eth_getLogs') return '0x1'
      clock.ms += 300
      return 'x'.repeat(32 * 1024)
    })
    await call('eth_gasPrice')
    await call('eth_getLogs', [{}])
    expect(charged).toEqual([0, 12])
    const both = [call('eth_getLogs', [{}]), call('eth_getLogs', [{}])]
    await Promise.all(both)
    expect(charged.slice(2).sort()).toEqual([12, 2].sort())
  })

  it('and charges a heavy call that the node did not answer', async () => {
    const { call, clock, charged } = open(async (method) => {
      if (method === 'eth_chainId') return '0x1'
      clock.ms += 5_000
      throw silent
    })
    await expect(call('eth_call', [{}])).rejects.toBe(silent)
    await expect(call('eth_gasPrice')).rejects.toBe(silent)
    expect(charged).toEqual([198])
  })
})

describe('at a node whose every answer takes two to five seconds', () => {
  /** Answers after 2 to 5 s, whatever is asked. */
  const openSlow = (nodeMs: (place: number) => number) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    let place = 0
    const charged = new Map<string, number>()
    const gateway = createGateway({
      chain: {
        forward: async () => {
          place += 1
          await new Promise((resolve) => setTimeout(resolve, nodeMs(place)))
          return '0x1'
        },
      },
      head: () => 1_000,
      settledDepth: 64,
      nowMs: () => performance.now(),
    })
    return {
      charged,
      call: (client: string, method: string, params: unknown) =>
        gateway.call({
          ...{ client, method, params },
          charge: (units) => void charged.set(client, (charged.get(client) ?? 0) + units),
        }),
    }
  }

  it('twenty visitors who boost at the same time are all answered, and pay nothing for its slowness', async () => {
    const { call, charged } = openSlow((place) => 2_000 + (place % 4) * 1_000)
    /** Reads two contracts at a time, five times, and the gas price in between. */
    const boost = async (client: string) => {
      for (let i = 0; i < 5; i += 1)
        await Promise.all([
          call(client, 'eth_call', [{ to: client, data: `${i} a` }, 'latest']),
          call(client, 'eth_call', [{ to: client, data: `${i} b` }, 'latest']),
          call(client, 'eth_gasPrice', []),
        ])
    }
    const boosts = Promise.allSettled(Array.from({ length: 20 }, (_, place) => boost(`10.0.${place}.1`)))
    await vi.advanceTimersByTimeAsync(120_000)
    const failed = (await boosts).filter(({ status }) => status === 'rejected')
    expect(failed).toEqual([])
    // A boost costs 25 units before it is made; an address has 1,200 a minute.
    for (const units of charged.values()) expect(units).toBeLessThan(300)
  })

  it('a fast node gets no more calls that run code because a stranger’s calls take long', async () => {
    let running = 0
    let most = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const gateway = createGateway({
      chain: {
        forward: async (method) => {
          if (method !== 'eth_call') return '0x1'
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setTimeout(resolve, 4_000))
          running -= 1
          return '0x1'
        },
      },
      head: () => 1_000,
      settledDepth: 64,
      nowMs: () => performance.now(),
    })
    for (let i = 0; i < 50; i += 1)
      void gateway
        .call({ method: 'eth_call', params: [{ to: `${i}` }], client: `10.0.${i}.1`, charge: () => undefined })
        .catch(() => undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(most).toBe(2)
  })
})

it('an answer that turns out too long costs what was read of it, and the place of the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { call, charged, asked } = open(() => {
    throw new Failure('rpc-refused', 'The response is over 1048576 bytes', { detail: { code: -32005, bytes: 1_048_576 } })
  })
  for (const method of ['eth_call', 'eth_getBlockByHash'])
    await expect(call(method, ['0x1', true])).rejects.toMatchObject({ code: 'rpc-refused' })
  // A unit for each 16,384 characters.
  expect(charged).toEqual([64, 64])
  await expect(call('eth_call', [2])).rejects.toMatchObject({ code: 'rpc-refused' })
  void call('eth_call', [3]).catch(() => undefined)
  const isAsked = () => asked.includes('eth_call [3]')
  // Two places, each empty for a millisecond for each 4,096 characters.
  await vi.advanceTimersByTimeAsync(255)
  expect(isAsked()).toBe(false)
  await vi.advanceTimersByTimeAsync(2)
  expect(isAsked()).toBe(true)
})

describe('the gateway’s breaker', () => {
  it('leaves a silent node alone after eight cheap calls in a row, and tries again with a cheap one', async () => {
    vi.useFakeTimers()
    const world = { isUp: false }
    const { call, asked } = open(() => {
      if (!world.isUp) throw silent
      return '0x1'
    })
    for (let i = 0; i < 8; i += 1) await expect(call('eth_gasPrice')).rejects.toBe(silent)
    const resting = {
      code: 'busy',
      message: 'The node has not responded for a while, so calls to it are paused. Try again in a minute',
    }
    await expect(call('eth_gasPrice')).rejects.toMatchObject(resting)
    await expect(call('eth_call', [{}])).rejects.toMatchObject(resting)
    expect(asked).toHaveLength(8)
    world.isUp = true
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await call('eth_call', [{}])).toBe('0x1')
    expect(asked.slice(8)).toEqual(['eth_chainId []', 'eth_call [{}]'])
  })

  it('is not opened by heavy calls that a stranger has made too dear, nor by what the node refuses', async () => {
    const { call } = open((method) => {
      if (method === 'eth_call') throw silent
      if (method === 'eth_gasPrice') throw new Failure('rpc-refused', 'no', { retryable: true })
      return '0x1'
    })
    for (let i = 0; i < 20; i += 1) await expect(call('eth_call', [{ i }])).rejects.toBe(silent)
    for (let i = 0; i < 20; i += 1) await expect(call('eth_gasPrice')).rejects.toMatchObject({ code: 'rpc-refused' })
    expect(await call('eth_blockNumber')).toBe('0x1')
  })
})
