import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FigureReceipt, Receipt } from '@chainboard/contract'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { type Server, startServer } from './startServer.ts'
import { createTempStores } from './testing/tempStores.ts'

const stores = createTempStores()
let devnet: Devnet
let server: Server

const start = async () => {
  const env = { RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, 'data'), PORT: '0', LOG_LEVEL: 'silent' }
  server = await startServer(readConfig(env))
  await server.full
}
beforeAll(async () => {
  devnet = await startDevnet({ history: 'short', live: false })
  await start()
})
afterAll(async () => {
  await server.close()
  await devnet.stop()
})

const addressOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address as string
const get = async <T>(path: string) => (await (await fetch(`${server.url}${path}`)).json()) as T
const readReceipt = (symbol: string, query = '') => get<Receipt>(`/api/tokens/${addressOf(symbol)}/receipt${query}`)
const readFigure = (symbol: string, path: string) => get<FigureReceipt>(`/api/tokens/${addressOf(symbol)}/receipt/${path}`)
/** Some figures at a block. */
const readFigures = (block: number) =>
  Promise.all(
    ['WEMB', 'CPPR'].flatMap((symbol) => ['volume24h', 'candle'].map((figure) => readFigure(symbol, `${figure}?block=${block}`))),
  )
const readWire = async (symbol: string) => {
  const rows = await get<{ address: string; volume24h: number; priceChange24h: number; marketCap: number }[]>('/assets.json')
  return rows.find(({ address }) => address.toLowerCase() === addressOf(symbol).toLowerCase())
}

/** Moves a pool by so many ticks, in a block of its own. */
async function trade(pool: `0x${string}`, ticks: number) {
  const slot = await devnet.rpc<string>('eth_call', [{ to: pool, data: '0x3850c7bd' }, 'latest'])
  await devnet.trade([{ pool, toTick: Number(BigInt.asIntN(24, BigInt(`0x${slot.slice(66, 130)}`))) + ticks }])
  const head = Number(await devnet.rpc<string>('eth_blockNumber', []))
  await expect.poll(async () => (await readReceipt('WEMB')).block?.number, { timeout: 20_000 }).toBe(head)
}

describe('the receipt of a figure', () => {
  it.each(['WEMB', 'BSLT', 'USDC'])('has the very volume of %s that the site shows', async (symbol) => {
    const { value, volume, block } = await readFigure(symbol, 'volume24h')
    expect(Number(value)).toBeCloseTo((await readWire(symbol))?.volume24h ?? 0, 6)
    expect(volume?.toSeconds).toBe(block?.timestamp)
    expect(volume?.fromSeconds).toBe((block?.timestamp ?? 0) - 86_400)
    expect(volume?.pools.length).toBeGreaterThan(0)
  })

  it('has the candle that the chart shows', async () => {
    const chart = await get<{
      candles: { time: number; open: number; high: number; low: number; close: number; volumeUsd: number }[]
    }>(`/api/tokens/${addressOf('BSLT')}/chart?range=1d&candles=1`)
    expect(chart.candles.length).toBeGreaterThan(1)
    for (const { time, ...shown } of chart.candles) {
      const { candle, value } = await readFigure('BSLT', `candle?hour=${time}`)
      const figures = [candle?.open, candle?.high, candle?.low, candle?.close, value].map(Number)
      const wanted = [shown.open, shown.high, shown.low, shown.close, shown.volumeUsd]
      for (const [i, figure] of figures.entries()) expect(figure).toBeCloseTo(wanted[i] as number, 8)
    }
  })

  it('has the market cap that the site shows', async () => {
    const { value, marketCap } = await readFigure('WEMB', 'marketcap')
    expect(Number(value) / ((await readWire('WEMB'))?.marketCap ?? 1)).toBeCloseTo(1, 12)
    expect(marketCap?.supplyFrom).toMatch(/^(list|chain)$/)
  })

  it('says why there is none', async () => {
    // The short history of the devnet is three hours long.
    expect(await readFigure('WEMB', 'change24h')).toMatchObject({
      value: null,
      reasons: ['A pool on the route is younger than a day'],
      change: null,
    })
    expect(await readFigure('WEMB', 'candle?hour=99999999999')).toMatchObject({
      value: null,
      reasons: ['That hour has not begun at this block'],
    })
  })

  it('says that swaps are no longer kept, and never that nobody traded', async () => {
    const { candles } = await get<{ candles: { time: number }[] }>(`/api/tokens/${addressOf('BSLT')}/chart?range=1d&candles=1`)
    const time = candles[0]?.time as number
    const db = new DatabaseSync(join(stores.dir, 'data', 'devnet', 'chainboard.db'), { timeout: 10_000 })
    db.prepare('insert into kept_since values (?, ?)').run('swaps', time + 3_600)
    const day = new Date((time + 3_600) * 1_000).toISOString().slice(0, 10)
    const gone = await readFigure('BSLT', `candle?hour=${time}`)
    const kept = await readFigure('BSLT', `candle?hour=${candles[1]?.time}`)
    db.exec('delete from kept_since')
    db.close()
    expect(gone).toMatchObject({ value: null, reasons: [`Swaps before ${day} are no longer kept`], candle: null })
    expect(Number(kept.value)).toBeGreaterThan(0)
  })
})

// Last: it moves the chain on by a day.
describe('receipts of blocks before the newest', () => {
  it('are to the digit what was served, also after a restart that forgot it', { timeout: 120_000 }, async () => {
    const pools = devnet.pools.slice(0, 4).map(({ address }) => address)
    const served = new Map<number, { readonly receipts: readonly Receipt[]; readonly figures: readonly FigureReceipt[] }>()
    for (const [i, ticks] of [40, -90, 25, 300, -200, 10].entries()) {
      await trade(pools[i % 4] as `0x${string}`, ticks)
      const receipts = await Promise.all(['WEMB', 'BSLT', 'CPPR'].map((symbol) => readReceipt(symbol)))
      const block = receipts[0]?.block?.number as number
      served.set(block, { receipts, figures: await readFigures(block) })
    }
    expect(served.size).toBe(6)
    // A day and two hours later, with trades on the way: those blocks are no longer in the index's newest rows.
    for (const hours of [1, 7, 18]) {
      await devnet.rpc('evm_increaseTime', [hours * 3_600])
      for (const [i, pool] of pools.entries()) await trade(pool as `0x${string}`, 30 - 20 * i)
    }
    await server.close()
    await start()
    for (const [block, { receipts, figures }] of served) {
      for (const receipt of receipts) {
        const again = await readReceipt(receipt.symbol, `?block=${block}`)
        expect({ ...again, reasons: [], warnings: [] }).toEqual({ ...receipt, reasons: [], warnings: [] })
        expect(again.checksum).toMatch(/^[0-9a-f]{64}$/)
      }
      const again = await readFigures(block)
      expect(again.map(({ value, checksum }) => [value, checksum])).toEqual(
        figures.map(({ value, checksum }) => [value, checksum]),
      )
    }
  })

  it('are not there before the chain began, after its end, or for what is not listed', async () => {
    const head = (await readReceipt('WEMB')).block?.number as number
    expect(await readReceipt('WEMB', `?block=${head + 9}`)).toEqual({
      error: `The index ends with block ${head}, before block ${head + 9}`,
    })
    expect(await get(`/api/tokens/0x${'99'.repeat(20)}/receipt`)).toEqual({
      error: `Token 0x${'99'.repeat(20)} is not on this site's list`,
    })
    expect((await readReceipt('WEMB', '?block=0')).priceInUsd).toBeNull()
  })
})
