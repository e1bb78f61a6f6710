import { type Address, Failure } from '@chainboard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import { pause } from '../pause.ts'
import type { Store } from '../store/store.ts'
import { allowPaymentToken, answerBoosts, boostContract, payBoost } from '../testing/fakeBoosts.ts'
import { strictLog } from '../testing/following.ts'
import { alpha, beta, trader, usdc } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { readWeighedLogs } from '../witness/readReceipts.ts'
import { type BoostFollower, type FollowBoostsDeps, followBoosts } from './followBoosts.ts'

const stores = createTempStores()
/** Long enough for a busy machine: what is waited for takes milliseconds. */
const soon = { interval: 2, timeout: 10_000 }
const stranger: Address = `0x${'88'.repeat(20)}`
const dai: Address = `0x${'d1'.repeat(20)}`
const down = () => new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })

/** A chain whose boost contract says what `ends` says, and who follows it. */
class World {
  readonly chain: FakeChain
  readonly second: Chain
  readonly ends = new Map<Address, number>()
  /** What operators are told. */
  readonly told: string[] = []
  /** First blocks of the ranges asked for. */
  readonly asked: number[] = []
  nowMs = 1_000_000
  /** What the contract's answers fail with. */
  refusal: Failure | undefined
  looks = 0
  isDown = false
  #followers: BoostFollower[] = []

  constructor(chain = new FakeChain()) {
    this.chain = chain
    this.second = { ...chain }
    answerBoosts(chain, () => {
      if (this.refusal) throw this.refusal
      return this.ends
    })
    const { readRange, readHead, readChainId } = chain
    chain.readChainId = async () => {
      if (this.isDown) throw down()
      return readChainId()
    }
    chain.readRange = (request) => {
      this.asked.push(request.from)
      return readRange(request)
    }
    chain.readHead = () => {
      this.looks += 1
      return readHead()
    }
  }

  async follow(store: Store, changes: Partial<FollowBoostsDeps> = {}): Promise<BoostFollower> {
    const say = (_: object, text: string) => this.told.push(text)
    const asked = { chain: this.chain, nodes: [this.second], readReceipts: readWeighedLogs, contract: boostContract }
    const limits = { startBlock: 1, confirmations: 4, pollMs: 2_000, spanMax: 50, reorgDepthMax: 64, mayRestart: false }
    const follower = await followBoosts({
      ...{ ...asked, store, chainId: 31_337, usdc: { address: usdc, decimals: 6 } },
      ...{ ...limits, log: { ...strictLog, info: say, warn: say }, nowMs: () => this.nowMs },
      // The clock of a test: every wait is over at the next turn.
      pause: (_ms, signal) => pause(0, signal),
      ...changes,
    })
    this.#followers.push(follower)
    return follower
  }

  /** Resolves after so many further looks at the head, each of which may have failed. */
  async lookAgain(count = 3): Promise<void> {
    const until = this.looks + count
    await expect.poll(() => this.looks, soon).toBeGreaterThanOrEqual(until)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#followers.splice(0).map((follower) => follower.stop()))
  }
}

async function inWorld(engine: Store['engine'], story: (world: World, store: Store) => Promise<void>): Promise<void> {
  const world = new World()
  const store = await stores.openNew(engine)
  await story(world, store).finally(() => world.stop())
  await store.close()
}

/** Token, payer and end of each payment, newest first. */
async function readLedger(boosts: BoostFollower) {
  const { payments } = await boosts.listPayments({ token: undefined, offset: 0, limit: 250 })
  return payments.map(({ token, payer, expiresAtSeconds }) => [token, payer, expiresAtSeconds])
}
const ledgerIs = (boosts: BoostFollower, wanted: unknown) => expect.poll(() => readLedger(boosts), soon).toEqual(wanted)
const boostedAre = (boosts: BoostFollower, wanted: unknown) => expect.poll(() => [...boosts.expirations()], soon).toEqual(wanted)

describe.each(engines)('the boosts of a chain on %s', (engine) => {
  const tell = (text: string, story: (world: World, store: Store) => Promise<void>) => it(text, () => inWorld(engine, story))

  tell('are told with the longest first, payments with the newest first, in pages and for one token', async (world, store) => {
    const { chain, ends } = world
    chain.mine([...payBoost({ token: alpha, expiresAt: 100 }), ...payBoost({ token: beta, expiresAt: 300, payer: stranger })])
    for (let block = 0; block < 12; block += 1) chain.mine()
    chain.mine(payBoost({ token: alpha, expiresAt: 200, amountRaw: 2n ** 200n }), 40)
    ends.set(alpha, 200).set(beta, 300)
    const boosts = await world.follow(store)
    await boostedAre(boosts, [
      [beta, 300],
      [alpha, 200],
    ])
    const all = await boosts.listPayments({ token: undefined, offset: 0, limit: 250 })
    expect(all.total).toBe(3)
    expect(all.payments[0]).toEqual({
      ...{ blockNumber: 14, logIndex: 1, token: alpha, payer: trader, paymentToken: usdc, amountRaw: 2n ** 200n, decimals: 6 },
      ...{ expiresAtSeconds: 200, txHash: all.payments[0]?.txHash, timestampSeconds: 1_700_000_000 + 13 * 12 + 40 },
    })
    expect(all.payments.map(({ logIndex, expiresAtSeconds }) => [logIndex, expiresAtSeconds])).toEqual([
      [1, 200],
      [3, 300],
      [1, 100],
    ])
    const second = await boosts.listPayments({ token: undefined, offset: 1, limit: 1 })
    expect([second.total, second.payments.map(({ token }) => token)]).toEqual([3, [beta]])
    const ofAlpha = await boosts.listPayments({ token: alpha, offset: 0, limit: 250 })
    expect([ofAlpha.total, ofAlpha.payments.map((payment) => payment.expiresAtSeconds)]).toEqual([2, [200, 100]])
  })

  tell('follow the chain: a payment, its removal, a pause in which the end moves on', async (world, store) => {
    const { chain, ends } = world
    const boosts = await world.follow(store)
    await expect.poll(() => boosts.answeredAtMs(), soon).toBe(1_000_000)
    expect([...boosts.expirations()]).toEqual([])
    ends.set(alpha, 500)
    chain.mine(payBoost({ token: alpha, expiresAt: 500 }))
    await boostedAre(boosts, [[alpha, 500]])
    const same = boosts.expirations()
    chain.mine()
    await world.lookAgain()
    expect(boosts.expirations()).toBe(same)
    ends.set(alpha, 512)
    chain.mine()
    await boostedAre(boosts, [[alpha, 512]])
    ends.clear()
    chain.mine()
    await boostedAre(boosts, [])
    expect(await readLedger(boosts)).toEqual([[alpha, trader, 500]])
  })

  tell('are taken back with the blocks that a reorg replaces', async (world, store) => {
    const { chain, ends } = world
    const boosts = await world.follow(store)
    chain.mine(payBoost({ token: beta, expiresAt: 400 }))
    for (let block = 0; block < 6; block += 1) chain.mine()
    ends.set(alpha, 500).set(beta, 400)
    chain.mine(payBoost({ token: alpha, expiresAt: 500 }))
    await boostedAre(boosts, [
      [alpha, 500],
      [beta, 400],
    ])
    chain.cut(1)
    ends.delete(alpha)
    chain.mine([])
    await boostedAre(boosts, [[beta, 400]])
    expect(await readLedger(boosts)).toEqual([[beta, trader, 400]])
    // The same payment, mined again a second later in a block of the same number: its end is another.
    chain.cut(1)
    chain.mine(payBoost({ token: alpha, expiresAt: 501 }), 13)
    await ledgerIs(boosts, [
      [alpha, trader, 501],
      [beta, trader, 400],
    ])
    expect(world.told).toEqual([])
  })

  tell('are read anew when the chain changes deeper than it should', async (world, store) => {
    const { chain } = world
    chain.mine(payBoost({ token: alpha, expiresAt: 500 }))
    for (let block = 0; block < 20; block += 1) chain.mine()
    const boosts = await world.follow(store)
    await ledgerIs(boosts, [[alpha, trader, 500]])
    chain.cut(21)
    for (let block = 0; block < 25; block += 1) chain.mine(block === 3 ? payBoost({ token: beta, expiresAt: 700 }) : [])
    await ledgerIs(boosts, [[beta, trader, 700]])
    expect(world.told).toEqual(['A reorg removed the last settled block: the server reads all boosts again'])
  })

  tell('stay while a node is behind the others; a test chain that stays shorter was cut', async (world, store) => {
    const { chain } = world
    for (let block = 0; block < 20; block += 1) chain.mine()
    chain.mine(payBoost({ token: alpha, expiresAt: 500 }))
    const boosts = await world.follow(store, { mayRestart: true })
    await ledgerIs(boosts, [[alpha, trader, 500]])
    const { readHead } = chain
    let behind = 5
    chain.readHead = async () => {
      const head = await readHead()
      behind -= 1
      return behind < 0 ? head : ((await chain.readHeader(3)) as typeof head)
    }
    await world.lookAgain(12)
    expect([await readLedger(boosts), world.told]).toEqual([[[alpha, trader, 500]], []])
    chain.readHead = readHead
    chain.cut(20)
    await ledgerIs(boosts, [])
  })

  tell('outlast a restart: the chain is not read from the start again', async (world, store) => {
    const { chain, ends } = world
    ends.set(alpha, 500)
    chain.mine(payBoost({ token: alpha, expiresAt: 500 }))
    for (let block = 0; block < 30; block += 1) chain.mine()
    await boostedAre(await world.follow(store), [[alpha, 500]])
    await world.stop()
    expect(world.asked[0]).toBe(1)
    world.asked.length = 0
    world.isDown = true
    const again = await world.follow(store)
    expect([await readLedger(again), [...again.expirations()]]).toEqual([[[alpha, trader, 500]], []])
    await expect.poll(() => world.told, soon).toEqual(['Boosts cannot be read: The node is not responding'])
    world.isDown = false
    await boostedAre(again, [[alpha, 500]])
    // 31 blocks less 4 confirmations are settled, in steps of 4.
    expect(Math.min(...world.asked)).toBe(28)
    expect(world.told).toEqual(['Boosts cannot be read: The node is not responding', 'Boosts can be read again'])
  })

  tell('of another contract are thrown away, and of another chain where a test chain may start over', async (world, store) => {
    const contract: Address = `0x${'b1'.repeat(20)}`
    world.chain.mine([...payBoost({ token: alpha, expiresAt: 500 }), ...payBoost({ token: beta, expiresAt: 600, contract })])
    await ledgerIs(await world.follow(store), [[alpha, trader, 500]])
    await world.stop()
    world.isDown = true
    const moved = await world.follow(store, { contract })
    expect(await readLedger(moved)).toEqual([])
    world.isDown = false
    await ledgerIs(moved, [[beta, trader, 600]])
    await world.stop()
    const other = new World(new FakeChain({ genesisAtSeconds: 1_600_000_000 }))
    for (let block = 0; block < 20; block += 1) other.chain.mine()
    const wary = await other.follow(store, { contract })
    await expect.poll(() => other.told.at(-1), soon).toMatch(/^Boosts cannot be read: The node's chain begins with block 0x/)
    expect(await readLedger(wary)).toEqual([[beta, trader, 600]])
    await other.stop()
    await ledgerIs(await other.follow(store, { contract, mayRestart: true }), [])
    await other.stop()
    expect(other.told.at(-1)).toBe('The stored boosts belong to another chain')
  })
})

describe('the boosts of a chain', () => {
  const tell = (text: string, story: (world: World, store: Store) => Promise<void>) => it(text, () => inWorld('sqlite', story))

  tell(
    'are kept for half a minute while the contract does not answer, then there are none; the ledger stays',
    async (world, store) => {
      const { chain, ends } = world
      ends.set(alpha, 500)
      chain.mine(payBoost({ token: alpha, expiresAt: 500 }))
      const boosts = await world.follow(store)
      await boostedAre(boosts, [[alpha, 500]])
      world.refusal = down()
      chain.mine(payBoost({ token: beta, expiresAt: 600 }))
      world.nowMs += 32_000
      await world.lookAgain()
      expect([[...boosts.expirations()], boosts.isKnown()]).toEqual([[[alpha, 500]], true])
      world.nowMs += 1
      expect([[...boosts.expirations()], boosts.isKnown()]).toEqual([[], false])
      expect(await readLedger(boosts)).toEqual([
        [beta, trader, 600],
        [alpha, trader, 500],
      ])
      world.refusal = undefined
      ends.set(beta, 600)
      await boostedAre(boosts, [
        [beta, 600],
        [alpha, 500],
      ])
      expect(boosts.answeredAtMs()).toBe(1_032_001)
      expect(world.told).toEqual(['Boosts cannot be read: The node is not responding', 'Boosts can be read again'])
    },
  )

  tell(
    'are asked for again after ever longer waits, of five seconds at most, or as long as the node asks for',
    async (world, store) => {
      const waited: number[] = []
      let retryAfterMs: number | undefined
      world.chain.readHead = async () => {
        throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true, detail: { retryAfterMs } })
      }
      await world.follow(store, {
        pause: (ms, signal) => {
          if (ms !== 10_000) waited.push(ms) // The check of the ledger waits so long, whatever happens.
          if (waited.length === 8) retryAfterMs = 9_000
          return pause(0, signal)
        },
      })
      await expect.poll(() => waited.length, soon).toBeGreaterThan(9)
      expect(waited.slice(0, 9)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 9_000])
    },
  )

  tell('are none where no boost contract answers', async (world, store) => {
    world.chain.mine(payBoost({ token: alpha, expiresAt: 500 }))
    world.chain.methods.set('eth_call', () => '0x')
    const boosts = await world.follow(store)
    await ledgerIs(boosts, [[alpha, trader, 500]])
    await expect.poll(() => world.told, soon).toEqual(['Boosts cannot be read: The boost contract did not return its boosts'])
    expect([...boosts.expirations()]).toEqual([])
  })

  tell('are read in smaller pieces when the node refuses wide ranges', async (world, store) => {
    for (let block = 0; block < 60; block += 1) world.chain.mine(block === 50 ? payBoost({ token: alpha, expiresAt: 500 }) : [])
    world.chain.rangeMax = 3
    await ledgerIs(await world.follow(store), [[alpha, trader, 500]])
    expect(world.told).toEqual([])
  })

  tell('are asked for 500 tokens at a time', async (world, store) => {
    const tokens = Array.from({ length: 1_001 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`)
    world.chain.mine(tokens.flatMap((token) => payBoost({ token, expiresAt: 500 })))
    for (const token of tokens) world.ends.set(token, 500)
    const boosts = await world.follow(store)
    await expect.poll(() => boosts.expirations().size, soon).toBe(1_001)
  })

  tell('have amounts in the decimals that the contract took, else in those the token says', async (world, store) => {
    const { chain } = world
    const mute: Address = `0x${'d2'.repeat(20)}`
    chain.tokens.set(stranger, { address: stranger, symbol: 'S', name: 'S', decimals: 2, totalSupplyRaw: 1n })
    chain.mine([allowPaymentToken(dai, 18), allowPaymentToken(dai, 0, false)])
    for (let block = 0; block < 10; block += 1) chain.mine()
    for (const paymentToken of [dai, usdc, stranger, mute]) chain.mine(payBoost({ token: alpha, expiresAt: 500, paymentToken }))
    const read = async (boosts: BoostFollower, token: Address) => {
      const { payments } = await boosts.listPayments({ token, offset: 0, limit: 9 })
      return payments.map(({ decimals }) => decimals)
    }
    const boosts = await world.follow(store)
    await expect.poll(() => read(boosts, alpha), soon).toEqual([0, 2, 6, 18])
    for (let block = 0; block < 10; block += 1) chain.mine()
    await world.lookAgain()
    await world.stop()
    chain.mine(payBoost({ token: beta, expiresAt: 500, paymentToken: dai }))
    const again = await world.follow(store)
    await expect.poll(() => read(again, beta), soon).toEqual([18])
  })

  it('are, after any story of blocks and reorgs, those of the chain as it is', { timeout: 60_000 }, async () => {
    const store = await stores.openNew('sqlite')
    let genesisAtSeconds = 1_600_000_000
    const anyConfirmations = fc.integer({ min: 0, max: 5 })
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), anyConfirmations, async (steps, confirmations) => {
        genesisAtSeconds += 1_000_000
        const world = new World(new FakeChain({ genesisAtSeconds }))
        const boosts = await world.follow(store, { confirmations, spanMax: 3, mayRestart: true })
        const ends = await play(world, steps)
        await ledgerIs(
          boosts,
          ends.toReversed().map((end) => [alpha, trader, end]),
        ).finally(() => world.stop())
      }),
      { numRuns: 100 },
    )
  })
})

const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('mine' as const), payments: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant('cut' as const), depth: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('look' as const) }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** Plays a story that ends with a payment. @returns the ends of the payments that are in the chain at last, each another number */
async function play(world: World, steps: readonly Step[]): Promise<number[]> {
  const blocks: number[][] = []
  let end = 0
  const mine = (payments: number) => {
    const ends = Array.from({ length: payments }, (_, i) => end + i + 1)
    end += payments
    blocks.push(ends)
    world.chain.mine(ends.flatMap((expiresAt): FakeEvent[] => payBoost({ token: alpha, expiresAt })))
  }
  for (const step of steps) {
    if (step.kind === 'mine') mine(step.payments)
    if (step.kind === 'look') await world.lookAgain(1)
    if (step.kind !== 'cut') continue
    const depth = Math.min(step.depth, blocks.length)
    blocks.length -= depth
    world.chain.cut(depth)
    for (let block = 0; block < depth; block += 1) mine(0)
  }
  mine(1)
  return blocks.flat()
}
