import type { Address, Hex } from '@chainboard/core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RpcNode } from '../chain/rpcNode.ts'
import { listAsideIndexes } from '../store/asideIndexes.ts'
import { insertDoubts } from '../store/poolChecks.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { collectTopic, isOf, type RpcLog, until, useLyingDevnet } from '../testing/lyingDevnet.ts'
import type { Verification } from './witness.ts'

const { devnet, honest, omitting, lagging, follow, headNumber, isAtHead, truth, trade, collectNothingAndTrade } = useLyingDevnet()

describe('a node that leaves out logs', () => {
  beforeEach(() => trade(2))

  it('honest nodes are never doubted, and every pool is verified', async () => {
    const followed = await follow([honest(), honest()])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock !== undefined)
    await trade(3)
    const head = await headNumber()
    await until(() => followed.witness.status().verifiedBlock === head)
    await followed.end()
    expect(followed.witness.status()).toMatchObject({ doubts: [], repairs: 0, unverifiable: 0, trouble: undefined })
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('once, of the newest block: seen by the contract, and read again', async () => {
    let isLying = false
    let lieFrom = Number.MAX_SAFE_INTEGER
    const followed = await follow([omitting((log) => isLying && Number(log.blockNumber) >= lieFrom, { blooms: false })])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock !== undefined)
    lieFrom = (await headNumber()) + 1
    isLying = true
    await trade(1)
    await until(() => isAtHead(followed))
    isLying = false
    await until(() => followed.witness.status().repairs === 1)
    const head = await headNumber()
    await until(() => followed.witness.status().verifiedBlock === head)
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('in the middle of what was synced: the next swap of that pool does not fit, and the hole is found', async () => {
    const hidden = await trade(1)
    await trade(3)
    let isLying = true
    const followed = await follow([omitting((log) => isLying && isOf(hidden)(log))])
    await until(() => followed.follower.status().trouble !== undefined)
    expect(followed.follower.status().trouble?.text).toContain('are incomplete: swap of pool')
    expect(followed.follower.status().cursor?.number ?? 0).toBeLessThan(hidden + 1)
    isLying = false
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('always, while another node does not: the other one is asked, without a person', async () => {
    const hidden = await trade(1)
    const last = await trade(3)
    const liar = omitting((log) => isOf(hidden)(log) || isOf(last)(log))
    const followed = await follow([liar, honest()])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    await followed.end()
    expect(liar.omitted).toBeGreaterThan(0)
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('always, and there is no other: the index follows on, and says what it doubts', async () => {
    const hidden = await trade(1)
    await trade(3)
    const followed = await follow([omitting(isOf(hidden))])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().doubts.length > 0)
    const block = await trade(2)
    await until(() => followed.follower.status().cursor?.number === block)
    await followed.end()
    const { doubts, repairs } = followed.witness.status()
    expect(doubts[0]).toMatchObject({ pool: devnet().pools[0]?.address.toLowerCase() })
    // Three at once, then at longer and longer waits.
    expect(repairs).toBeLessThanOrEqual(6)
  })

  it('of ranges alone, and there is no other: the bloom and the receipts of blocks since the event before show it', async () => {
    const hidden = await trade(1)
    await devnet().mine(60)
    await trade(2)
    await devnet().mine(60)
    const real = honest()
    const omit = isOf(hidden)
    const liar: RpcNode = {
      request: async (method, params) => {
        const answer = await real.request(method, params)
        const [filter] = params as [{ readonly blockHash?: Hex }]
        return method === 'eth_getLogs' && !filter.blockHash ? (answer as RpcLog[]).filter((log) => !omit(log)) : answer
      },
    }
    const followed = await follow([liar])
    const isRepaired = () => followed.witness.status().repairs > 0 && followed.witness.status().doubts.length === 0
    await until(async () => isRepaired() && (await isAtHead(followed)))
    await followed.end()
    expect(followed.witness.status().doubts).toEqual([])
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it("a pool's creation, so that the whole pool is hidden: who emits its events is asked whose pool it is", async () => {
    const pool = devnet().pools[2]?.address.slice(2).toLowerCase() as string
    let isLying = true
    const followed = await follow([omitting((log) => isLying && log.data.endsWith(pool))])
    await until(() => isAtHead(followed))
    expect((await dumpIndex(followed.store)).pools.length).toBe(devnet().pools.length - 1)
    isLying = false
    await trade(1)
    await until(async () => (await dumpIndex(followed.store)).pools.length === devnet().pools.length)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('of the first block of the index, once: the index is set aside, and a new one is right', async () => {
    const first = Math.min(...(await truth()).pools.map((pool) => Number(pool.created_block)))
    let isLying = true
    const liar = omitting((log) => isLying && isOf(first)(log), { blooms: false })
    const followed = await follow([liar], { startBlock: first })
    await until(() => isAtHead(followed))
    isLying = false
    await until(() => followed.witness.status().repairs === 1)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth(first))
    expect(await listAsideIndexes(followed.store.read)).toMatchObject([{ number: 1 }])
  })

  it('of the first block of the index, whenever it is stored: it stays known, and is looked at ever more seldom', async () => {
    const first = Math.min(...(await truth()).pools.map((pool) => Number(pool.created_block)))
    const warned: string[] = []
    const onWarn = (text: string) => void warned.push(text)
    const head = await headNumber()
    let indexed = () => 0
    const liar = omitting((log) => indexed() < head && isOf(first)(log), { blooms: false })
    const followed = await follow([liar], { startBlock: first, onWarn })
    indexed = () => followed.follower.status().cursor?.number ?? 0
    await until(() => followed.witness.status().repairs === 1)
    await until(() => followed.witness.status().wrongBlock === first)
    const since = followed.witness.status().checkedAtMs ?? 0
    const seen = new Set<number | undefined>()
    await until(() => {
      const { wrongBlock, checkedAtMs = 0 } = followed.witness.status()
      seen.add(wrongBlock)
      return checkedAtMs - since > 600_000
    })
    await followed.end()
    expect([...seen]).toEqual([first])
    // After 1, 2, 4 and 8 minutes.
    expect(warned.filter((text) => text.startsWith('The first block of the index')).length).toBeLessThanOrEqual(5)
    expect(followed.witness.status().repairs).toBe(1)
    expect(await listAsideIndexes(followed.store.read)).toHaveLength(1)
  })

  it('half of the time, of any block', { timeout: 120_000 }, async () => {
    const dice = (answer: number) => (answer * 7919) % 10 < 4
    const followed = await follow([omitting((_log, answer) => dice(answer))])
    for (let i = 0; i < 6; i += 1) await trade(1)
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    await followed.end()
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('an event that moves no price, near the head: its bloom shows it before it is stored', async () => {
    let isLying = false
    const followed = await follow([omitting((log) => isLying && log.topics[0] === collectTopic)])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock !== undefined)
    isLying = true
    await collectNothingAndTrade()
    await until(() => followed.follower.status().trouble !== undefined)
    expect(followed.follower.status().trouble?.text).toContain('which is in its receipts')
    isLying = false
    await until(() => isAtHead(followed))
    await followed.end()
    expect(followed.witness.status().quirks).toEqual([])
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('an event that moves no figure of its contract, without a bloom: found when the block is read a second time', async () => {
    await collectNothingAndTrade()
    let isLying = true
    const followed = await follow([omitting((log) => isLying && log.topics[0] === collectTopic, { blooms: false })])
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    isLying = false
    await until(() => followed.witness.status().repairs > 0)
    await until(() => isAtHead(followed))
    await followed.end()
    expect(followed.witness.status()).toMatchObject({ doubts: [], suspects: 0 })
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('is a balancer that answers each call from a node that may be 5 blocks behind', { timeout: 120_000 }, async () => {
    let calls = 0
    const followed = await follow([lagging(() => (calls++ * 7919) % 10 < 4)])
    for (let i = 0; i < 12; i += 1) await trade(1)
    await until(async () => (await isAtHead(followed)) && followed.witness.status().verifiedBlock === (await headNumber()))
    await followed.end()
    expect(followed.witness.status().doubts).toEqual([])
    expect(await dumpIndex(followed.store)).toEqual(await truth())
  })

  it('known from before the server was started again: told before the first comparison', async () => {
    const hidden = await trade(1)
    await trade(3)
    const nodes = [omitting(isOf(hidden))]
    const followed = await follow(nodes)
    await until(async () => (await isAtHead(followed)) && followed.witness.status().doubts.length > 0)
    await followed.end()
    const told: Verification[] = []
    const again = await follow(nodes, { store: followed.store, onChange: (known) => void told.push(known) })
    await until(() => told.length > 0)
    await again.end()
    expect(told[0]).toMatchObject({ checkedAtMs: undefined, doubts: [{ pool: devnet().pools[0]?.address.toLowerCase() }] })
  })

  it('known of a pool whose fee growth is not worked out: the price agrees, a missing event is still possible', async () => {
    const indexed = await follow([honest()], { withWitness: false })
    await until(() => isAtHead(indexed))
    await indexed.end()
    const [pool, head] = [devnet().pools[0]?.address.toLowerCase() as Address, await headNumber()]
    const doubts = [
      { pool, blockNumber: head - 1, what: 'price', sinceSeconds: 1 },
      { pool, blockNumber: head, what: 'fee growth', sinceSeconds: 1 },
    ]
    await indexed.store.write(async (tx) => {
      const unknown = { fee_growth0: null, fee_growth1: null }
      await tx.updateTable('pools').set(unknown).where('address', '=', pool).execute()
      await tx.updateTable('pool_hours').set(unknown).where('pool', '=', pool).execute()
      await insertDoubts(tx, doubts)
    })
    const again = await follow([honest()], { store: indexed.store })
    await until(() => again.witness.status().doubts.length === 1)
    expect(again.witness.status()).toMatchObject({ doubts: [{ pool, what: 'fee growth' }], unverifiable: 1 })
    await again.end()
  })
})
