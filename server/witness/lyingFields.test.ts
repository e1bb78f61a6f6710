import type { Address, Hex } from '@chainboard/core'
import { pad, toEventSelector } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RpcNode } from '../chain/rpcNode.ts'
import { revalueHour } from '../indexer/revalue.ts'
import { listUnconfirmedTokens } from '../store/tokens.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { type RpcLog, until, useLyingDevnet } from '../testing/lyingDevnet.ts'

const { devnet, honest, follow, valuation, isAtHead, truth, trade } = useLyingDevnet()

const mintTopic = toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)')
const initializeTopic = toEventSelector('Initialize(uint160,int24)')

/** The real node, but for one log that it adds to its next answer with logs. */
function addingOnce(log: Pick<RpcLog, 'address' | 'topics' | 'data'>): RpcNode & { begin(): void; hasLied(): boolean } {
  const real = honest()
  let state: 'honest' | 'lies' | 'has lied' = 'honest'
  return {
    request: async (method, params) => {
      const answer = await real.request(method, params)
      const last = method === 'eth_getLogs' ? (answer as RpcLog[]).at(-1) : undefined
      if (state !== 'lies' || !last) return answer
      state = 'has lied'
      return [...(answer as RpcLog[]), { ...last, ...log, logIndex: '0x3e7' }]
    },
    begin: () => {
      state = 'lies'
    },
    hasLied: () => state === 'has lied',
  }
}

describe('a node that gives other fields', () => {
  beforeEach(() => trade(2))

  it('another token of a pool, in its creation: the index is read again from there', async () => {
    const pool = devnet().pools[2]?.address.slice(2).toLowerCase() as string
    const other = devnet().tokens.findLast(({ address }) => address.toLowerCase() !== devnet().pools[2]?.token1.toLowerCase())
      ?.address as Address
    let isLying = true
    const real = honest()
    const liar: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        if (method !== 'eth_getLogs' || !isLying) return answer
        const lie = (log: RpcLog) => ({ ...log, topics: log.topics.with(2, pad(other.toLowerCase() as Address)) })
        return (answer as RpcLog[]).map((log) => (log.data.endsWith(pool) ? lie(log) : log))
      },
    }
    const followed = await follow([liar])
    await until(() => isAtHead(followed))
    expect((await dumpIndex(followed.store)).pools.map(({ token1 }) => token1)).toContain(other.toLowerCase())
    isLying = false
    await until(() => followed.witness.status().repairs > 0)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('and says other decimals of tokens while the index is made: they are read again, and dollars valued again', async () => {
    let isLying = true
    const real = honest()
    const liar: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        const [call] = params as [{ data?: Hex }]
        const asksDecimals = method === 'eth_call' && call.data === '0x313ce567'
        return asksDecimals && isLying ? `0x${(BigInt(answer as Hex) - 2n).toString(16).padStart(64, '0')}` : answer
      },
    }
    const followed = await follow([liar, honest()])
    const { store, witness } = followed
    await until(() => isAtHead(followed))
    const misled = await dumpIndex(store)
    isLying = false
    await until(() => witness.status().unsure !== undefined)
    expect(witness.status().unsure).toContain('tokens have other decimals on the nodes than in the index')
    await until(async () => (await listUnconfirmedTokens(store.read, { limit: 1 })).length === 0)
    await followed.end()
    // What is stored is as it was, but for the decimals.
    expect(witness.status()).toMatchObject({
      unsure: 'Wrong token decimals were corrected; the server revalues the blocks with them',
      doubts: [],
      repairs: 0,
    })
    while (await revalueHour({ store, valuation: valuation(), holder: { world: undefined }, isOurs: () => true }));
    const wanted = await truth()
    expect(misled.tokens.map(({ decimals }) => decimals)).toEqual(wanted.tokens.map(({ decimals }) => (decimals ?? 0) - 2))
    expect(misled.days).not.toEqual(wanted.days)
    expect(await dumpIndex(store)).toEqual(wanted)
  })

  it.each<[string, (logs: RpcLog[]) => unknown]>([
    ['a log twice', (logs) => [...logs, ...logs.slice(-1)]],
    ['data that is not hexadecimal', (logs) => logs.map((log, i) => (i === 0 ? { ...log, data: '0xnonsense' } : log))],
    ['logs that it calls removed', (logs) => logs.map((log) => ({ ...log, removed: true }))],
    ['logs of another block', (logs) => logs.map((log) => ({ ...log, blockNumber: '0xfffff' }))],
  ])('gives %s: refused, and read again by itself', async (_name, change) => {
    let isLying = true
    const real = honest()
    const liar: RpcNode = {
      request: async (method, params) => {
        const result = await real.request(method, params)
        return method === 'eth_getLogs' && isLying && (result as RpcLog[]).length > 0 ? change(result as RpcLog[]) : result
      },
    }
    const followed = await follow([liar])
    await until(() => followed.follower.status().trouble !== undefined)
    isLying = false
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  // Each price and tick as two words.
  it.each([
    ['without a price', `0x${'0'.repeat(128)}` as Hex],
    ['at another price', `0x${(2n ** 96n).toString(16).padStart(64, '0')}${'0'.repeat(64)}` as Hex],
  ])('once opens a pool again, %s, before its next swap: never stored', async (_name, data) => {
    const pool = devnet().pools[0]?.address.toLowerCase() as Address
    const liar = addingOnce({ address: pool, topics: [initializeTopic], data })
    const followed = await follow([liar])
    await until(() => isAtHead(followed))
    liar.begin()
    await trade(1)
    await until(async () => liar.hasLied() && (await isAtHead(followed)))
    await trade(1)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(followed.follower.status().faults).toBe(0)
    expect(followed.witness.status()).toMatchObject({ repairs: 0, doubts: [] })
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('once tells the creation of an idle pool again: the pool stays as it is', async () => {
    const real = honest()
    const { pools, contracts } = devnet()
    const idle = pools[2]?.address.slice(2).toLowerCase() as string
    const created = (
      (await real.request('eth_getLogs', [{ address: contracts.factory, fromBlock: '0x0', toBlock: 'latest' }])) as RpcLog[]
    ).find(({ data }) => data.endsWith(idle)) as RpcLog
    const { address, topics, data } = created
    const liar = addingOnce({ address, topics, data })
    const followed = await follow([liar])
    await until(() => isAtHead(followed))
    liar.begin()
    await trade(1)
    await until(async () => liar.hasLied() && (await isAtHead(followed)))
    await followed.end()
    expect(followed.witness.status()).toMatchObject({ repairs: 0, doubts: [] })
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('says that somebody else has minted: found by the second reading', async () => {
    const real = honest()
    let isLying = true
    const liar: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        if (method !== 'eth_getLogs' || !isLying) return answer
        const lie = (log: RpcLog) => ({ ...log, data: `0x${'0'.repeat(24)}${'ba'.repeat(20)}${log.data.slice(66)}` })
        return (answer as RpcLog[]).map((log) => (log.topics[0] === mintTopic ? lie(log) : log))
      },
    }
    const followed = await follow([liar])
    await until(() => isAtHead(followed))
    isLying = false
    await until(() => followed.witness.status().repairs > 0)
    await until(() => isAtHead(followed))
    await until(async () => JSON.stringify((await dumpIndex(followed.store)).events) === JSON.stringify((await truth()).events))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })
})
