import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { TokenBoard } from '../market/tokenBoard.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import { keepWholeList } from './wholeList.ts'

const idOf = (symbol: string): Address => `0x${symbol}`
const unpriced = (symbol: string) => ({ token: { symbol, id: idOf(symbol) }, freshSecondsMax: 0 }) as TokenMarket
const priced = (symbol: string, observedAtSeconds: number) =>
  ({ token: { symbol, id: idOf(symbol) }, quote: { observedAtSeconds }, freshSecondsMax: 300 }) as TokenMarket
const toBoard = (markets: readonly TokenMarket[]): TokenBoard => ({
  slice: () => ({ markets, total: markets.length }),
  categories: () => [],
})

function open(markets: readonly TokenMarket[]) {
  const world = {
    board: toBoard(markets),
    nowSeconds: 1_000,
    written: [] as string[],
    broken: false,
    boosts: new Map() as ReadonlyMap<Address, number>,
    leadSeconds: 0,
    pausedAtSeconds: undefined as number | undefined,
  }
  const list = keepWholeList({
    board: () => world.board,
    boosts: {
      expirations: () => world.boosts,
      leadSeconds: () => world.leadSeconds,
      pausedAtSeconds: () => world.pausedAtSeconds,
    },
    nowSeconds: () => world.nowSeconds,
  })
  const write = ({ token }: TokenMarket) => {
    if (world.broken) throw new Error('cannot be written')
    world.written.push(token.symbol)
    return JSON.stringify(token.symbol)
  }
  const read = async (encoding: Parameters<typeof list>[0] = 'identity') => (await list(encoding, write)).bytes
  return { world, read }
}

describe('the answer with all tokens', () => {
  it('is made once for everybody, however many ask at once', async () => {
    const { world, read } = open([priced('A', 900), unpriced('B')])
    expect((await Promise.all([read(), read(), read()])).map(String)).toEqual(Array(3).fill('["A","B"]'))
    await read()
    expect(world.written).toEqual(['A', 'B'])
  })

  it('is an empty list where there are no tokens', async () => {
    const { read } = open([])
    expect((await read()).toString()).toBe('[]')
    expect(brotliDecompressSync(await read('br')).toString()).toBe('[]')
  })

  it('is packed as it is asked for', async () => {
    const { read } = open([unpriced('A')])
    expect(brotliDecompressSync(await read('br')).toString()).toBe('["A"]')
    expect(gunzipSync(await read('gzip')).toString()).toBe('["A"]')
    expect((await read()).toString()).toBe('["A"]')
  })

  it('writes after a block what has a price, and not again what has none', async () => {
    const [first, second] = [priced('A', 900), unpriced('B')]
    const { world, read } = open([first, second])
    await read()
    world.board = toBoard([priced('A', 960), second, unpriced('C')])
    expect((await read()).toString()).toBe('["A","B","C"]')
    expect(world.written).toEqual(['A', 'B', 'A', 'C'])
  })

  it('is made again when a price turns stale by the clock alone', async () => {
    const { world, read } = open([priced('A', 900), priced('B', 950)])
    await read()
    world.nowSeconds = 1_200
    await read()
    expect(world.written).toEqual(['A', 'B'])
    world.nowSeconds = 1_200.5
    await read()
    await read()
    expect(world.written).toEqual(['A', 'B', 'A', 'B'])
  })

  it('is made again when a boost comes or goes, also of a token without a price, and when a minute of one is over', async () => {
    const { world, read } = open([unpriced('A'), unpriced('B')])
    await read()
    world.boosts = new Map([[idOf('A'), 4_630]])
    await read()
    await read()
    expect(world.written).toEqual(['A', 'B', 'A'])
    // 1 h 30 s are left at 1,000: the minute is over after 1,030.
    world.nowSeconds = 1_030
    await read()
    expect(world.written).toEqual(['A', 'B', 'A'])
    world.nowSeconds = 1_030.5
    await read()
    expect(world.written).toEqual(['A', 'B', 'A', 'A'])
    world.boosts = new Map()
    await read()
    expect(world.written).toEqual(['A', 'B', 'A', 'A'])
  })

  it('is made again when the chain goes ahead, and then with its minutes', async () => {
    const { world, read } = open([unpriced('A')])
    world.boosts = new Map([[idOf('A'), 4_630]])
    await read()
    world.leadSeconds = 10
    await read()
    await read()
    expect(world.written).toEqual(['A', 'A'])
    // 1 h 20 s are left at 1,000: the minute is over after 1,020.
    world.nowSeconds = 1_020
    await read()
    expect(world.written).toEqual(['A', 'A'])
    world.nowSeconds = 1_020.5
    await read()
    expect(world.written).toEqual(['A', 'A', 'A'])
  })

  it('is made again when a pause of boosts begins or ends, and not for a minute that is over meanwhile', async () => {
    const { world, read } = open([unpriced('A')])
    world.boosts = new Map([[idOf('A'), 4_630]])
    await read()
    world.pausedAtSeconds = 1_000
    await read()
    world.nowSeconds = 1_300
    await read()
    expect(world.written).toEqual(['A', 'A'])
    world.pausedAtSeconds = undefined
    await read()
    expect(world.written).toEqual(['A', 'A', 'A'])
  })

  it('is tried again after it could not be made', async () => {
    const { world, read } = open([unpriced('A')])
    world.broken = true
    await expect(read()).rejects.toThrow('cannot be written')
    world.broken = false
    expect((await read()).toString()).toBe('["A"]')
  })
})
