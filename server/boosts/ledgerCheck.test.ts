import { Failure, type Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain, ChainLog, ChainRange } from '../chain/chain.ts'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import { pause } from '../pause.ts'
import type { Store } from '../store/store.ts'
import { allowPaymentToken, answerBoosts, boostContract, payBoost } from '../testing/fakeBoosts.ts'
import { strictLog } from '../testing/following.ts'
import { alpha, beta, usdc } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { readWeighedLogs } from '../witness/readReceipts.ts'
import { type BoostFollower, followBoosts } from './followBoosts.ts'

const stores = createTempStores()
const corrected = 'Corrected boosts of a block that differed from the chain'
const minuteMs = 60_000

/** What a node does to the logs of a range, while it lies. */
type Lie = (logs: readonly ChainLog[], range: ChainRange) => readonly ChainLog[]
const omit: Lie = () => []

/** One chain, and nodes of it that lie when told to. */
class Nodes {
  readonly chain = new FakeChain()
  readonly told: string[] = []
  readonly lies: (Lie | undefined)[]
  /** What each node's receipts are like, unless as they are. */
  readonly receipts: (((answer: unknown) => unknown) | undefined)[] = []
  readonly all: readonly Chain[]
  /** Of every header, where they have one. */
  bloom: Hex | undefined
  readings = 0
  nowMs = 1_000_000
  looks = 0
  /** Turns of the check that have ended: it alone rests so long. */
  checks = 0
  #follower: BoostFollower | undefined

  constructor(count = 1) {
    answerBoosts(this.chain, () => new Map())
    this.lies = Array.from({ length: count }, () => undefined)
    this.all = this.lies.map((_, place) => this.#nodeOf(place))
  }

  #nodeOf(place: number): Chain {
    const { chain } = this
    const { readRange, readHead, readHeader, forward } = chain
    return {
      ...chain,
      readRange: async (request) => {
        this.readings += 1
        const range = await readRange(request)
        const wanted = new Set(request.topics)
        const logs = this.lies[place]?.(range.logs, range) ?? range.logs
        return { ...range, logs: logs.filter(({ topics: [topic] }) => topic && wanted.has(topic)) }
      },
      readHeader: async (number) => {
        const header = await readHeader(number)
        return header && this.bloom ? { ...header, logsBloom: this.bloom } : header
      },
      readHead: () => {
        this.looks += 1
        return readHead()
      },
      forward: async (method, params) => {
        const answer = await forward(method, params)
        const change = method === 'eth_getBlockReceipts' ? this.receipts[place] : undefined
        return change ? change(answer) : answer
      },
    }
  }

  async follow(store: Store): Promise<BoostFollower> {
    const say = (_: object, text: string) => this.told.push(text)
    this.#follower = await followBoosts({
      ...{
        chain: this.all[0] as Chain,
        nodes: this.all,
        readReceipts: readWeighedLogs,
        store,
        chainId: 31_337,
        contract: boostContract,
      },
      ...{ usdc: { address: usdc, decimals: 6 }, startBlock: 1, confirmations: 4, pollMs: 2_000, spanMax: 50 },
      ...{ reorgDepthMax: 64, mayRestart: false, log: { ...strictLog, info: say, warn: say }, nowMs: () => this.nowMs },
      pause: (ms, signal) => {
        if (ms === 10_000) this.checks += 1
        return pause(0, signal)
      },
    })
    return this.#follower
  }

  /** Mines blocks until what was mined before is settled, and has the follower see them. */
  async settle(events: readonly FakeEvent[] = []): Promise<void> {
    this.chain.mine(events)
    for (let block = 0; block < 8; block += 1) this.chain.mine()
    await this.look()
  }

  async look(): Promise<void> {
    // The turn of the check that is under way may have begun before; the next one has seen all.
    const [looks, checks] = [this.looks + 4, this.checks + 2]
    while (this.looks < looks || this.checks < checks) await pause(1, new AbortController().signal)
  }

  async wait(minutes: number): Promise<void> {
    for (let half = 0; half < 2 * minutes; half += 1) {
      this.nowMs += minuteMs / 2
      await this.look()
    }
  }

  async stop(): Promise<void> {
    await this.#follower?.stop()
  }
}

async function among(count: number, engine: Store['engine'], story: (nodes: Nodes, boosts: BoostFollower) => Promise<void>) {
  const nodes = new Nodes(count)
  const store = await stores.openNew(engine)
  nodes.chain.mine([allowPaymentToken(usdc, 6)])
  const boosts = await nodes.follow(store)
  await nodes.settle()
  await story(nodes, boosts).finally(() => nodes.stop())
  await store.close()
}

async function readLedger(boosts: BoostFollower) {
  const { payments } = await boosts.listPayments({ token: undefined, offset: 0, limit: 250 })
  return payments.map(({ token, expiresAtSeconds, decimals }) => [token, expiresAtSeconds, decimals])
}

/** The logs of a payment that nobody made. */
let forged: readonly ChainLog[] = []

/** Adds them to a block. */
function forge(block: number): Lie {
  const word = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}` as Hex
  return (logs, { headers }) => {
    const [from, to] = [headers[0]?.number ?? 0, headers.at(-1)?.number ?? 0]
    if (block < from || block > to) return logs
    const place = { blockNumber: block, txHash: word('0x77'), timestampSeconds: 1_700_000_000 + 12 * block }
    const blockHash = headers.find(({ number }) => number === block)?.hash ?? word('0x1')
    const own = forged.map((log, i) => ({ ...log, ...place, blockHash, logIndex: 90 + i }))
    return [...logs, ...own].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  }
}

describe.each(engines)('the ledger of boosts on %s', (engine) => {
  it('has a payment within two minutes that its node left out while it was settled', () =>
    among(1, engine, async (nodes, boosts) => {
      nodes.lies[0] = omit
      await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
      nodes.lies[0] = undefined
      expect([await readLedger(boosts), boosts.repairs()]).toEqual([[], 0])
      await nodes.wait(2)
      expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 1, 0])
      expect(nodes.told).toEqual([corrected])
    }))
})

describe('the ledger of boosts', () => {
  const story = (text: string, count: number, tell: (nodes: Nodes, boosts: BoostFollower) => Promise<void>) =>
    it(text, async () => {
      const made = new FakeChain()
      made.mine(payBoost({ token: beta, expiresAt: 900 }))
      forged = (await made.forward('eth_getLogs', [{ topics: [], fromBlock: '0x1', toBlock: '0x1' }])) as ChainLog[]
      await among(count, 'sqlite', tell)
    })

  story('loses a payment that nobody made, whether or not the node goes on telling of it', 1, async (nodes, boosts) => {
    nodes.lies[0] = forge(nodes.chain.height + 2)
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    expect(await readLedger(boosts)).toEqual([
      [beta, 900, 6],
      [alpha, 500, 6],
    ])
    await nodes.wait(2)
    expect([await readLedger(boosts), boosts.repairs()]).toEqual([[[alpha, 500, 6]], 1])
    nodes.lies[0] = undefined
    await nodes.wait(3)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 1, 0])
  })

  story('is right with a second node, however long the first one leaves payments out', 2, async (nodes, boosts) => {
    nodes.lies[0] = omit
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    await nodes.wait(3)
    expect(await readLedger(boosts)).toEqual([[alpha, 500, 6]])
    await nodes.wait(10)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 1, 0])
  })

  story('has at last what a node left out for longer than the recent blocks are compared', 1, async (nodes, boosts) => {
    nodes.lies[0] = omit
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    await nodes.wait(10)
    for (let block = 0; block < 120; block += 1) nodes.chain.mine()
    await nodes.wait(10)
    nodes.lies[0] = undefined
    await nodes.wait(62)
    expect(await readLedger(boosts)).toEqual([[alpha, 500, 6]])
  })

  story('stays as it is while a node leaves out or makes up payments later', 1, async (nodes, boosts) => {
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    nodes.lies[0] = omit
    await nodes.wait(3)
    nodes.lies[0] = forge(3)
    await nodes.wait(3)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 0, 0])
  })

  story('is in doubt while no receipts decide, and no longer when each node agrees again', 2, async (nodes, boosts) => {
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    nodes.receipts[0] = nodes.receipts[1] = () => {
      throw new Failure('rpc-unavailable', 'No receipts', { retryable: true })
    }
    nodes.lies[0] = omit
    await nodes.wait(3)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 0, 1])
    nodes.lies[0] = undefined
    await nodes.wait(130)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 0, 0])
  })

  story('is in doubt when as many receipts say one thing as another', 2, async (nodes, boosts) => {
    nodes.lies[0] = omit
    nodes.receipts[0] = () => []
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    await nodes.wait(3)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[], 0, 1])
    nodes.receipts[0] = undefined
    await nodes.wait(2)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 1, 0])
  })

  story('keeps what a node has forgotten, logs and receipts alike', 1, async (nodes, boosts) => {
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    nodes.lies[0] = omit
    nodes.receipts[0] = () => []
    nodes.bloom = `0x${'01'.repeat(256)}`
    await nodes.wait(3)
    expect([await readLedger(boosts), boosts.repairs(), boosts.doubts()]).toEqual([[[alpha, 500, 6]], 0, 1])
  })

  story('has decimals that a node made up right again with the next pass over all of it', 1, async (nodes, boosts) => {
    const lies = new FakeChain()
    lies.mine([allowPaymentToken(usdc, 0)])
    const [log] = (await lies.forward('eth_getLogs', [{ topics: [], fromBlock: '0x1', toBlock: '0x1' }])) as [ChainLog]
    const block = nodes.chain.height + 1
    nodes.lies[0] = (logs, { headers }) => {
      const header = headers.find(({ number }) => number === block)
      return header ? [{ ...log, blockNumber: block, blockHash: header.hash, logIndex: 80 }, ...logs] : logs
    }
    await nodes.settle()
    nodes.lies[0] = undefined
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    expect(await readLedger(boosts)).toEqual([[alpha, 500, 0]])
    await nodes.wait(64)
    expect(await readLedger(boosts)).toEqual([[alpha, 500, 6]])
    await nodes.settle(payBoost({ token: alpha, expiresAt: 600 }))
    expect((await readLedger(boosts))[0]).toEqual([alpha, 600, 6])
  })

  story('costs one reading a minute, and one more an hour for each range of it', 1, async (nodes) => {
    await nodes.settle(payBoost({ token: alpha, expiresAt: 500 }))
    await nodes.wait(10)
    nodes.readings = 0
    await nodes.wait(120)
    expect(nodes.readings).toBeLessThanOrEqual(130)
  })
})
