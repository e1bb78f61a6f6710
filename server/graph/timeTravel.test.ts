import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { toValuation } from '../networkFile.ts'
import { type Server, startServer } from '../startServer.ts'
import { hash, headBlock, insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()
const hour = 3_600

/** Every figure that changes with the blocks. */
const everything = (at: string) => `{
  factories${at} { txCount totalVolumeUSD totalVolumeETH totalValueLockedUSD }
  bundles${at} { ethPriceUSD }
  tokens${at} { id volume volumeUSD feesUSD txCount totalValueLocked derivedETH tokenDayData(first: 2, orderBy: date, orderDirection: desc) { date open high low close volume } }
  pools${at} {
    id sqrtPrice liquidity tick txCount volumeToken0 volumeUSD totalValueLockedUSD collectedFeesToken0
    poolHourData(first: 3, orderBy: periodStartUnix, orderDirection: desc) { periodStartUnix open high low close volumeUSD txCount tvlUSD }
    poolDayData(first: 2) { date open high low close volumeUSD }
    swaps(first: 2, orderBy: timestamp, orderDirection: desc) { id amountUSD }
    ticks { tickIdx liquidityGross liquidityNet }
  }
  poolHourDatas${at.replace(')', ', first: 12, skip: 1, orderBy: volumeUSD, orderDirection: desc)')} { id volumeUSD }
  tokenHourDatas${at.replace(')', ', first: 12, orderBy: periodStartUnix, orderDirection: desc)')} { id close volumeUSD totalValueLockedUSD }
  uniswapDayDatas${at} { id volumeUSD volumeETH txCount tvlUSD }
  swaps${at.replace(')', ', first: 5, orderBy: timestamp, orderDirection: desc)')} { id }
  transactions${at.replace(')', ', first: 5, orderBy: timestamp, orderDirection: desc)')} { id blockNumber }
}`

describe.each(engines)('an earlier block on %s', (engine) => {
  let devnet: Devnet
  let server: Server
  let graph: TestGraph

  beforeAll(async () => {
    devnet = await startShortDevnet()
    const location = await stores.locate(engine)
    const pepper = { PIN_PEPPER: 'the-same-one-on-every-server-of-tests' }
    const env = { RPC_URL: devnet.rpcUrl, DATA_DIR: stores.dir, PORT: '0', LOG_LEVEL: 'silent', ...pepper }
    const config = { ...readConfig(env), store: location }
    server = await startServer(config)
    await server.full
    const { dex } = config.network
    graph = openTestGraph(await stores.open(location), {
      facts: { factory: dex.factory.toLowerCase(), valuation: toValuation(config.network) },
    })
  }, 240_000)
  afterAll(async () => {
    await server.close()
    await devnet.stop()
  })

  const head = async () => {
    const { _meta: meta } = (await graph.ask('{ _meta { block { number timestamp hash } } }')) as unknown as {
      _meta: { block: { number: number; timestamp: number; hash: string } }
    }
    return meta.block
  }

  it('shows everything as it was when it was the newest, by number and by hash', async () => {
    const pool = devnet.pools[0]?.address as `0x${string}`
    const seen: { number: number; hash: string; answer: unknown }[] = []
    const latest = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
    // The node's own clock is ahead of its newest block.
    const timestamp = Math.max(Number(latest.timestamp), Math.floor(Date.now() / 1_000)) + 10
    const nextHour = Math.ceil((timestamp + 1) / hour) * hour
    const nextDay = Math.ceil((nextHour + hour) / 86_400) * 86_400
    const times = [timestamp + 1, nextHour + 5, nextHour + 9, nextDay + 60, nextDay + 70]
    for (const [i, at] of times.entries()) {
      const block = await head()
      seen.push({ ...block, answer: await graph.ask(everything(`(block: { number: ${block.number} })`)) })
      const { block: mined } = await devnet.trade([{ pool, toTick: 200_000 + i * 50 }], at)
      await vi.waitFor(async () => expect((await head()).number).toBe(mined), { timeout: 20_000 })
    }
    expect(new Set(seen.map(({ answer }) => JSON.stringify(answer))).size).toBe(times.length)
    for (const { number, hash: blockHash, answer } of seen) {
      expect(await graph.ask(everything(`(block: { number: ${number} })`))).toEqual(answer)
      expect(await graph.ask(everything(`(block: { hash: "${blockHash}" })`))).toEqual(answer)
    }
    const first = seen[0] as (typeof seen)[number]
    expect(await graph.ask(`{ _meta(block: { hash: "${first.hash}" }) { block { number hash } } }`)).toEqual({
      _meta: { block: { number: first.number, hash: first.hash } },
    })
    expect(graph.bugs).toEqual([])
  })
})

describe('a block that is too far back, or between those whose hash the index kept', () => {
  it.each([119, 499])('is refused: %s', async (number) => {
    const store = await stores.openNew('sqlite')
    await insertRows(store, { ...rows, sync_cursor: (rows.sync_cursor ?? []).map((row) => ({ ...row, block_number: 500 })) })
    expect(await openTestGraph(store).errorsOf(`{ pools(block: { number: ${number} }) { id } }`)).toEqual([
      `Failed to decode \`block.number\` value: \`subgraph chainboard-9f86d081884c7d659a2feaa0c55ad015 keeps the state of few blocks below block number 500 and data for block number ${number} is therefore not available\``,
    ])
  })
})

describe.each(engines)('ticks of an earlier block on %s', (engine) => {
  it('have what was minted later taken back, and are not there before their first mint', async () => {
    const store = await stores.openNew(engine)
    const mint = rows.pool_events?.[0]
    await insertRows(store, {
      ...rows,
      pool_events: [
        {
          ...(mint as NonNullable<typeof mint>),
          block_number: headBlock.number,
          tx_hash: hash('c2'),
          amount: '23',
          tick_upper: 198_060,
        },
      ],
      ticks: (rows.ticks ?? []).map((row) => (row.tick === 60 ? { ...row, created_block: headBlock.number } : row)),
    })
    const graph = openTestGraph(store)
    expect(
      await graph.ask('{ ticks(block: { number: 119 }, orderBy: tickIdx) { tickIdx liquidityGross liquidityNet } }'),
    ).toEqual({
      ticks: [
        { tickIdx: '-60', liquidityGross: '54', liquidityNet: '54' },
        { tickIdx: '198060', liquidityGross: '-18', liquidityNet: '28' },
      ],
    })
  })
})
