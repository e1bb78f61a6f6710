import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { WireChart, WireToken } from '@chainboard/contract'
import type { Address } from '@chainboard/core'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { type Server, startServer } from '../startServer.ts'
import { createTempStores } from '../testing/tempStores.ts'

const recording = resolve(import.meta.dirname, '../../../shared/data/usdc-weth-35d.csv.gz')
const hour = 3_600
const day = 86_400

describe.skipIf(!existsSync(recording))('35 recorded days of USDC/WETH (skipped without ../shared/data)', () => {
  const stores = createTempStores()
  let devnet: Devnet
  let server: Server
  /** Close tick of each recorded minute, by the unix second at which the replay puts it. */
  let ticks: ReadonlyMap<number, number>

  beforeAll(async () => {
    devnet = await startDevnet({ replayCsv: recording, live: false })
    const shift = devnet.replay?.shiftSeconds ?? 0
    const [header, ...rows] = gunzipSync(readFileSync(recording)).toString().trim().split('\n')
    const closeAt = header?.split(',').indexOf('close_tick') ?? -1
    ticks = new Map(
      rows.map((row) => {
        const cells = row.split(',')
        return [Number(cells[0]) + shift, Number(cells[closeAt])]
      }),
    )
    const config = readConfig({ RPC_URL: devnet.rpcUrl, DATA_DIR: stores.dir, PORT: '0', LOG_LEVEL: 'silent' })
    server = await startServer(config)
    await server.full
  }, 240_000)
  afterAll(async () => {
    await server.close()
    await devnet.stop()
  })

  const pool = () => devnet.pools[0]?.address.toLowerCase() as Address
  const token = () => devnet.tokens.find(({ symbol }) => symbol === 'WEMB')?.address as string
  const json = async <T>(path: string): Promise<T> => (await server.app.inject(path)).json() as T

  /** Dollars of an ether at a tick: USDC has 6 decimals, the ether 18. */
  const dollars = (tick: number) => 1e12 / 1.0001 ** tick

  /** Tick of the last minute in each period that has one. */
  const closes = (seconds: number) => {
    const last = new Map<number, { at: number; tick: number }>()
    for (const [at, tick] of ticks) {
      const start = Math.floor(at / seconds) * seconds
      if (at >= (last.get(start)?.at ?? 0)) last.set(start, { at, tick })
    }
    return new Map([...last].map(([start, { tick }]) => [start, tick]))
  }
  const carried = (starts: readonly number[]) => {
    const byHour = closes(hour)
    let last = Number.NaN
    return starts.map((start) => {
      last = byHour.get(start) ?? last
      return dollars(last)
    })
  }
  const relative = (a: number, b: number) => Math.abs(a - b) / b

  it.each([
    ['pool_hours', hour],
    ['pool_days', day],
  ] as const)('every close in %s is the close tick of the recording', async (table, seconds) => {
    const store = await stores.open({ file: join(stores.dir, 'devnet', 'chainboard.db') })
    const rows = await store.read
      .selectFrom(table)
      .select(['start', 'tick'])
      .where('pool', '=', pool())
      .orderBy('start')
      .execute()
    const wanted = closes(seconds)
    expect(wanted.size).toBeGreaterThan(table === 'pool_hours' ? 838 : 34)
    const indexed = new Map(rows.map(({ start, tick }) => [start, tick]))
    const wrong = [...wanted].filter(([start, tick]) => indexed.get(start) !== tick)
    expect(wrong).toEqual([])
  })

  it.each([
    ['1d', 24],
    ['3d', 72],
    ['1w', 168],
  ] as const)('the %s chart agrees with it to a millionth', async (range, points) => {
    const chart = await json<WireChart>(`/api/tokens/${token()}/chart?range=${range}`)
    expect(chart.points).toHaveLength(points)
    const wanted = carried(chart.points.map(({ time }) => time))
    chart.points.forEach(({ price }, i) => {
      expect(relative(price, wanted[i] ?? Number.NaN)).toBeLessThan(1e-6)
    })
  })

  it('the month is made of the means of 24 hours each, but for its end, which is the price of now, and agrees to a millionth', async () => {
    const chart = await json<WireChart>(`/api/tokens/${token()}/chart?range=1m`)
    expect(chart.points).toHaveLength(30)
    const [market] = await json<WireToken[]>(`/assets.json?addresses=${token()}`)
    expect(chart.points.at(-1)?.price).toBe(market?.priceInUsd)
    for (const { time, price } of chart.points.slice(0, -1)) {
      const prices = carried(Array.from({ length: 24 }, (_, i) => time + i * hour))
      const mean = prices.reduce((sum, each) => sum + each, 0) / 24
      expect(relative(price, mean)).toBeLessThan(1e-6)
    }
  })

  it('the price and its change over 24 hours agree with it to a millionth', async () => {
    const [market] = await json<WireToken[]>(`/assets.json?addresses=${token()}`)
    const minutes = [...ticks.keys()].sort((a, b) => a - b)
    const last = minutes.at(-1) as number
    expect(relative(market?.priceInUsd ?? 0, dollars(ticks.get(last) as number))).toBeLessThan(1e-6)
    const dayAgo = (market?.priceAsOf ?? 0) - day
    // The tick of each second of the four minutes: the middle one is the median.
    const seconds = Array.from({ length: 240 }, (_, i) => dayAgo - 239 + i)
    const ofSeconds = seconds.map((second) => ticks.get(minutes.findLast((at) => at < second) as number) as number)
    const median = ofSeconds.sort((a, b) => a - b)[119] as number
    const growth = dollars(ticks.get(last) as number) / dollars(median)
    expect(relative(1 + (market?.priceChange24h ?? 0) / 100, growth)).toBeLessThan(1e-6)
  })
})
