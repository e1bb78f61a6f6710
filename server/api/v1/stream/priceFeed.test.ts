import type { Price, Retracted } from '@chainboard/sdk'
import { describe, expect, it } from 'vitest'
import { alpha, listed, usdc } from '../../../testing/market.ts'
import { alphaSnapshot, nowSeconds, toBlock, toMarket, toSnapshot } from '../../../testing/priceApi.ts'
import { keepPriceCache } from '../priceCache.ts'
import { createEventRing, type StreamEvent } from './eventRing.ts'
import { createPriceFeed } from './priceFeed.ts'

function open(first = alphaSnapshot({ usd: 25, pair: 0.01, block: 77 }, toBlock(77))) {
  const world = { snapshot: first, now: nowSeconds }
  const deps = { snapshot: () => world.snapshot, nowSeconds: () => world.now }
  const ring = createEventRing({ eventsMax: 100, bytesMax: 100_000 }, 'aaaaaaaa')
  const feed = createPriceFeed({ ...deps, ring, prices: keepPriceCache(deps) })
  const tell = (events: readonly StreamEvent[]) => events.map(({ bytes }) => toStory(bytes))
  return {
    ring,
    /** A block after which ALPHA costs `usd`. */
    mine: (number: number, usd: number, branch?: string) => {
      const block = toBlock(number, branch)
      feed.follow({ cursor: block, rolledBack: false })
      world.snapshot = alphaSnapshot({ usd, pair: 0.01, block: number }, block)
      return tell(feed.look())
    },
    /** The market is taken again, as it was at a block. */
    retake: (number: number, usd: number, branch?: string) => {
      world.snapshot = alphaSnapshot({ usd, pair: 0.01, block: number }, toBlock(number, branch))
      return tell(feed.look())
    },
    rollBack: (number: number) => tell(feed.follow({ cursor: toBlock(number), rolledBack: true })),
    look: () => tell(feed.look()),
    world,
  }
}

/** `ALPHA 26 @78`, `back to 77: 0x20…` */
function toStory(bytes: Buffer): string {
  const [, id, name, json = ''] = /^id: (.+)\nevent: (.+)\ndata: (.+)\n\n$/.exec(bytes.toString()) ?? []
  if (name === 'price') {
    const { symbol, usdPrice, block, priceStatus } = JSON.parse(json) as Price
    return `${id} ${symbol} ${usdPrice} @${block} ${priceStatus}`
  }
  const { block, addresses } = JSON.parse(json) as Retracted
  return `${id} back to ${block}: ${addresses.join(' ')}`
}

describe('the feed of price changes', () => {
  it('tells nothing of what was there before it', () => {
    expect(open().look()).toEqual([])
  })

  it('tells a change once, and nothing of a block that changes no price', () => {
    const { mine, look } = open()
    look()
    expect(mine(78, 26)).toEqual(['aaaaaaaa-1 ALPHA 26 @78 priced'])
    expect(look()).toEqual([])
    expect(mine(79, 26)).toEqual([])
    expect(mine(80, 27)).toEqual(['aaaaaaaa-2 ALPHA 27 @80 priced'])
  })

  it('tells a price in its pair, and a price that turns stale by the clock alone', () => {
    const { look, world } = open()
    look()
    world.snapshot = alphaSnapshot({ usd: 25, pair: 0.02, block: 78 }, toBlock(78))
    expect(look()).toEqual(['aaaaaaaa-1 ALPHA 25 @78 priced'])
    world.now = nowSeconds + 601
    expect(look()).toEqual(['aaaaaaaa-2 ALPHA 25 @78 stale'])
  })

  it('takes back what was told of blocks that the chain has left, and tells the prices again even if they are the same', () => {
    const { mine, retake, rollBack, look } = open()
    look()
    mine(78, 26)
    mine(79, 27)
    expect(rollBack(78)).toEqual([`aaaaaaaa-3 back to 78: ${alpha}`])
    expect(retake(78, 26)).toEqual(['aaaaaaaa-4 ALPHA 26 @78 priced'])
    expect(mine(79, 27, 'bb')).toEqual(['aaaaaaaa-5 ALPHA 27 @79 priced'])
    expect(rollBack(78)).toEqual([`aaaaaaaa-6 back to 78: ${alpha}`])
    expect(mine(79, 27, 'cc')).toEqual(['aaaaaaaa-7 ALPHA 27 @79 priced'])
  })

  it('takes nothing back that changed before', () => {
    const { mine, rollBack, look } = open()
    look()
    mine(78, 26)
    mine(79, 26)
    expect(rollBack(78)).toEqual([])
    expect(mine(79, 26, 'bb')).toEqual([])
  })

  it('does not tell a market of the branch that was left, taken just before', () => {
    const { mine, retake, rollBack, look } = open()
    look()
    mine(78, 26)
    mine(79, 27)
    rollBack(78)
    expect(retake(79, 27)).toEqual([])
    expect(retake(78, 26)).toEqual(['aaaaaaaa-4 ALPHA 26 @78 priced'])
  })

  it('tells again of blocks that came back', () => {
    const { mine, rollBack, look } = open()
    look()
    mine(78, 26)
    rollBack(77)
    expect(mine(78, 26)).toEqual(['aaaaaaaa-3 ALPHA 26 @78 priced'])
  })

  it('does not take back a price that is not of the chain', () => {
    const { world, look, rollBack } = open()
    look()
    const [first] = listed
    if (!first) throw new Error('no token')
    world.snapshot = toSnapshot([toMarket(first, 0, { usd: 1, isOffChain: true })], toBlock(78))
    expect(look()).toEqual(['aaaaaaaa-1 USDC 1 @null priced'])
    expect(first.address).toBe(usdc)
    expect(rollBack(70)).toEqual([])
  })
})

describe('the ring of events', () => {
  const names = (events: readonly StreamEvent[] | undefined) => events?.map(({ place }) => place)

  it('gives what came after an event', () => {
    const ring = createEventRing({ eventsMax: 3, bytesMax: 10_000 }, 'aaaaaaaa')
    expect(names(ring.since(ring.lastId()))).toEqual([])
    for (let i = 0; i < 5; i += 1) ring.append('price', [alpha], { json: '{}' })
    expect(ring.lastId()).toBe('aaaaaaaa-5')
    expect(names(ring.since('aaaaaaaa-2'))).toEqual([3, 4, 5])
    expect(names(ring.since('aaaaaaaa-5'))).toEqual([])
  })

  it('says that it has not all of it', () => {
    const ring = createEventRing({ eventsMax: 3, bytesMax: 10_000 }, 'aaaaaaaa')
    for (let i = 0; i < 5; i += 1) ring.append('price', [alpha], { json: '{}' })
    for (const id of [
      'aaaaaaaa-1',
      'aaaaaaaa-6',
      'bbbbbbbb-3',
      'aaaaaaaa--1',
      'aaaaaaaa-',
      '3',
      '',
      `aaaaaaaa-${'9'.repeat(40)}`,
    ])
      expect([id, ring.since(id)]).toEqual([id, undefined])
  })

  it('holds no more bytes than it may', () => {
    const ring = createEventRing({ eventsMax: 100, bytesMax: 200 }, 'aaaaaaaa')
    for (let i = 0; i < 9; i += 1) ring.append('price', [alpha], { json: '"x"' })
    // `id: aaaaaaaa-N`, `event: price`, `data: "x"` with their ends of line: 15 + 13 + 10 + 1 bytes.
    expect(names(ring.since('aaaaaaaa-4'))).toEqual([5, 6, 7, 8, 9])
    expect(ring.since('aaaaaaaa-3')).toBeUndefined()
  })

  it('keeps no memory around its bytes', () => {
    const ring = createEventRing({ eventsMax: 100, bytesMax: 10_000 }, 'aaaaaaaa')
    const { bytes } = ring.append('price', [alpha], { json: '"é"' })
    expect(bytes.toString()).toBe('id: aaaaaaaa-1\nevent: price\ndata: "é"\n\n')
    expect(bytes.buffer.byteLength).toBe(bytes.length)
  })
})
