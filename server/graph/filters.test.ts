import { beforeAll, describe, expect, it } from 'vitest'
import { dayStart, hash, insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { alpha, alphaPool, trader, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()
const [first, second, third] = [hash('d1'), hash('d2'), hash('d3')]
const swap = rows.swaps?.[0]

/** Names of the swaps below. */
const names = new Map([
  [`${first}-1`, 'a'],
  [`${first}-10`, 'b'],
  [`${first}-9`, 'c'],
  [`${second}-0`, 'd'],
  [`${third}-2`, 'e'],
])
const row = (tx: string, logIndex: number, block: number, more: object) =>
  ({ ...swap, tx_hash: tx, log_index: logIndex, block_number: block, timestamp: dayStart + block, ...more }) as NonNullable<
    typeof swap
  >
const dollars = (value: number) => (BigInt(value * 100) * 10n ** 16n).toString()

describe.each(engines)('filters and orders on %s', (engine) => {
  let graph: TestGraph
  beforeAll(async () => {
    const store = await stores.openNew(engine)
    await insertRows(store, {
      ...rows,
      swaps: [
        row(first, 1, 50, { amount0: '1000000', amount_usd: dollars(1), tick: 5 }),
        row(first, 9, 50, { amount0: '9000000', amount_usd: dollars(9), tick: -5 }),
        row(first, 10, 50, { amount0: '10000000', amount_usd: dollars(10), tick: 7 }),
        // ALPHA has 8 decimals: 0.09 of it.
        row(second, 0, 51, {
          pool: alphaPool,
          amount0: '9000000',
          amount_usd: dollars(0.5),
          sqrt_price_x96: '99',
          recipient: usdc,
        }),
        row(third, 2, 52, { amount0: '-2500000', amount_usd: dollars(2.5), tick: 0 }),
      ],
    })
    graph = openTestGraph(store)
  })

  const swaps = async (given: string, variables?: Record<string, unknown>, head = '') => {
    const { swaps: found } = await graph.ask(`${head}{ swaps(${given}) { id } }`, variables)
    return (found as unknown as { id: string }[]).map(({ id }) => names.get(id)).join('')
  }

  it.each([
    ['timestamp: "1728000051"', 'd'],
    ['timestamp: 1728000051', 'd'],
    ['timestamp_not: "1728000050"', 'de'],
    ['timestamp_gt: "1728000051"', 'e'],
    ['timestamp_gte: "1728000051"', 'de'],
    ['timestamp_lt: "1728000051"', 'abc'],
    ['timestamp_lte: "1728000051"', 'abcd'],
    ['timestamp_in: ["1728000051", "1728000052"]', 'de'],
    ['timestamp_not_in: ["1728000051", "1728000052"]', 'abc'],
    ['timestamp_in: []', ''],
    ['timestamp_not_in: []', 'abcde'],
    ['timestamp_lt: "99999999999999999999999"', 'abcde'],
    ['tick_gt: -1, tick_lt: 6', 'ae'],
    ['amount0: "9"', 'c'],
    ['amount0_gt: "8.999"', 'bc'],
    ['amount0_lt: 0', 'e'],
    ['amount0_in: ["9", "10.0", "0.09"]', 'bcd'],
    ['amount0_not_in: ["9", "10.0", "0.09"]', 'ae'],
    ['amountUSD_gte: "2.5"', 'bce'],
    ['amountUSD: "2.50"', 'e'],
    ['sqrtPriceX96: "99"', 'd'],
    ['sqrtPriceX96_not: "99"', 'abce'],
    ['sqrtPriceX96_gt: "100"', 'abce'],
    ['recipient: "0x1010101010101010101010101010101010101010"', 'd'],
    ['recipient: "0x10101010101010101010101010101010101010AB"', ''],
    ['recipient_not_in: ["0x1010101010101010101010101010101010101010"]', 'abce'],
    ['recipient_contains: "0x1010"', 'd'],
    ['recipient_not_contains: "1010"', 'abce'],
    ['logIndex: null', ''],
    ['logIndex_not: null', 'abcde'],
    ['and: [{ tick_gt: 0 }, { amountUSD_lt: "5" }]', 'ad'],
    ['or: [{ tick: 7 }, { amountUSD_lt: "1" }]', 'bd'],
    ['or: [{ and: [{ tick: 5 }, { logIndex: 1 }] }, { timestamp_gt: "1728000051" }]', 'ae'],
    ['tick_gt: 0, or: [{ logIndex: 1 }, { logIndex: 0 }]', 'ad'],
    ['_change_block: { number_gte: 51 }', 'de'],
  ])('where { %s } finds %s', async (where, found) => {
    expect(await swaps(`where: { ${where} }`)).toBe(found)
  })

  it.each([
    [`pool: "${alphaPool}"`, 'd'],
    [`pool: "${alphaPool.toUpperCase()}"`, 'd'],
    [`pool_not: "${alphaPool}"`, 'abce'],
    [`pool_in: ["${alphaPool}", "${wrappedPool}"]`, 'abcde'],
    [`pool_contains: "a2a2"`, 'd'],
    [`pool_starts_with: "0xa1"`, 'abce'],
    [`pool_ends_with_nocase: "A2"`, 'd'],
    [`pool_not_ends_with: "a2"`, 'abce'],
    [`token0: "${alpha}"`, 'd'],
    [`token0_not: "${alpha}"`, 'abce'],
    [`token1: "${wrapped}"`, 'abcde'],
    ['token0_: { symbol: "USDC" }', 'abce'],
    ['token0_: { symbol_contains_nocase: "lph" }', 'd'],
    ['pool_: { feeTier: 10000 }', 'd'],
    ['pool_: { token0_: { decimals_gt: 6 } }', 'd'],
    ['pool_: { totalValueLockedUSD_lt: "1e7", feeTier_lt: "5000" }', ''],
    ['pool_: { totalValueLockedUSD_lte: "1e7", feeTier_lt: "5000" }', 'abce'],
    [`transaction: "${second}"`, 'd'],
    [`transaction_in: ["${second}", "${third}"]`, 'de'],
    ['transaction_: { blockNumber_gt: 50 }', 'de'],
    [`transaction_: { id: "${third}" }`, 'e'],
  ])('through other entities, where { %s } finds %s', async (where, found) => {
    expect(await swaps(`where: { ${where} }`)).toBe(found)
  })

  it.each([
    [`id: "${first}-9"`, 'c'],
    [`id_not: "${first}-9"`, 'abde'],
    // Ids are texts: 1, 10, 9.
    [`id_gt: "${first}-10"`, 'cde'],
    [`id_gte: "${first}-10"`, 'bcde'],
    [`id_lt: "${first}-10"`, 'a'],
    [`id_lte: "${first}-10"`, 'ab'],
    [`id_in: ["${first}-10", "${second}-0", "${third}-7"]`, 'bd'],
    [`id_not_in: ["${first}-10", "${second}-0"]`, 'ace'],
    ['id_gt: ""', 'abcde'],
    ['id_gt: "0xd2"', 'de'],
    ['id_lt: "0xd2"', 'abc'],
  ])('by id, where { %s } finds %s', async (where, found) => {
    expect(await swaps(`where: { ${where} }`)).toBe(found)
  })

  it.each([
    ['', 'abcde'],
    ['orderDirection: desc', 'edcba'],
    ['orderBy: timestamp', 'abcde'],
    ['orderBy: timestamp, orderDirection: desc', 'edcba'],
    ['orderBy: logIndex', 'daecb'],
    ['orderBy: amountUSD, orderDirection: desc', 'bcead'],
    ['orderBy: amount0', 'edacb'],
    ['orderBy: sqrtPriceX96', 'dabce'],
    ['orderBy: pool__feeTier, orderDirection: desc', 'decba'],
    ['orderBy: token0', 'abced'],
    ['orderBy: token0__symbol', 'dabce'],
    ['orderBy: transaction__blockNumber, orderDirection: desc', 'edcba'],
    ['orderBy: tick, first: 2', 'ce'],
    ['orderBy: tick, first: 2, skip: 1', 'ea'],
    ['first: 0', ''],
  ])('swaps(%s) come as %s', async (given, found) => {
    expect(await swaps(given || 'first: 10')).toBe(found)
  })

  it('takes the same from variables, of the right type or of a text', async () => {
    const where = { and: [{ tick_gt: '0' }, { pool_: { feeTier: '3000' } }] }
    expect(await swaps('where: $where', { where }, 'query ($where: Swap_filter)')).toBe('ab')
    expect(await swaps('where: { amountUSD_gt: $least }', { least: '8' }, 'query ($least: String!)')).toBe('bc')
    expect(
      await swaps(
        'first: $n, orderBy: $by, orderDirection: $way',
        { n: 2, by: 'tick', way: 'desc' },
        'query ($n: Int, $by: Swap_orderBy, $way: OrderDirection)',
      ),
    ).toBe('db')
    expect(await swaps('first: $n', { n: null }, 'query ($n: Int)')).toBe('abcde')
  })

  const pools = async (given: string, variables?: Record<string, unknown>, head = '') => {
    const { pools: found } = await graph.ask(`${head}{ pools(${given}) { id } }`, variables)
    return (found as unknown as { id: string }[]).map(({ id }) => (id === wrappedPool ? 'w' : 'a')).join('')
  }

  it.each([
    ['where: { feeTier: 3000 }', 'w'],
    [`where: { id: "${alphaPool.toUpperCase().replace('0X', '0x')}" }`, 'a'],
    ['where: { token0Price_gt: "400" }', 'w'],
    ['where: { liquidity_gt: "0", totalValueLockedETH: "4000" }', 'w'],
    ['where: { tick_not: null }', 'wa'],
    ['where: { tick: null }', ''],
    [`where: { token0: "${alpha}" }`, 'a'],
    ['where: { token1_: { symbol_starts_with: "W" } }', 'wa'],
    ['where: { token0_: { name_not_ends_with_nocase: "COIN" } }', 'a'],
    ['where: { token0_: { whitelistPools_: { feeTier: 10000 } } }', 'a'],
    [`where: { token0_: { whitelistPools_contains: ["${alphaPool}"] } }`, 'a'],
    [`where: { token0_: { whitelistPools_not: ["${alphaPool}"] } }`, 'w'],
    ['where: { or: [{ feeTier_gt: 5000 }, { txCount: 6 }] }', 'wa'],
    ['orderBy: totalValueLockedUSD, orderDirection: desc', 'aw'],
    ['orderBy: token0__symbol', 'aw'],
    ['orderBy: token1__symbol, orderDirection: desc', 'aw'],
    ['skip: 1', 'a'],
    ['where: { id_in: [] }', ''],
  ])('pools(%s) are %s', async (given, found) => {
    expect(await pools(given)).toBe(found)
  })

  it('answers the queries of the smart order router, whose variables have other types than their places', async () => {
    const fields = 'id token0 { symbol id } token1 { symbol id } feeTier liquidity totalValueLockedUSD totalValueLockedETH'
    const tracked = `query getHighTrackedETHPools($pageSize: Int!, $id: String, $threshold: String!) {
      pools(first: $pageSize where: { id_gt: $id, totalValueLockedETH_gt: $threshold }) { ${fields} }
    }`
    expect(await graph.ask(tracked, { pageSize: 1000, id: '', threshold: '0.01' })).toEqual({
      pools: [
        {
          id: wrappedPool,
          token0: { symbol: 'USDC', id: usdc },
          token1: { symbol: 'WNAT', id: wrapped },
          feeTier: '3000',
          liquidity: '100000000000000000',
          totalValueLockedUSD: '10000000',
          totalValueLockedETH: '4000',
        },
        {
          id: alphaPool,
          token0: { symbol: 'ALPHA', id: alpha },
          token1: { symbol: 'WNAT', id: wrapped },
          feeTier: '10000',
          liquidity: '100000000000000000',
          totalValueLockedUSD: '65000000',
          totalValueLockedETH: '26000',
        },
      ],
    })
    expect(await graph.ask(tracked, { pageSize: 1000, id: alphaPool, threshold: '0.01' })).toEqual({ pools: [] })
    const zero = `query getV3ZeroETHPools($pageSize: Int!, $id: String) {
      pools(first: $pageSize block: { number: 120 } where: { id_gt: $id, liquidity_gt: "0", totalValueLockedETH: "0" }) { ${fields} }
    }`
    expect(await graph.ask(zero, { pageSize: 1000, id: '' })).toEqual({ pools: [] })
  })

  it('knows aliases, fragments, directives and the name of the operation', async () => {
    const body = {
      operationName: 'B',
      variables: { yes: false },
      query: `query A { bundles { id } }
        query B($yes: Boolean!) {
          big: swaps(orderBy: amountUSD, orderDirection: desc, first: 1) { ...Part amountUSD @skip(if: $yes) tick @include(if: $yes) }
          ... on Query { bundles { id } }
        }
        fragment Part on Swap { usd: amountUSD pool { ...Fee } }
        fragment Fee on Pool { feeTier }`,
    }
    expect(JSON.parse(await graph.answer(JSON.stringify(body)))).toEqual({
      data: { big: [{ usd: '10', pool: { feeTier: '3000' }, amountUSD: '10' }], bundles: [{ id: '1' }] },
    })
  })

  it('gives each nested list its own arguments', async () => {
    const answer = await graph.ask(`{
      pools(orderBy: feeTier, orderDirection: desc) {
        newest: swaps(first: 1, orderBy: timestamp, orderDirection: desc) { amountUSD }
        small: swaps(where: { amountUSD_lt: "3", pool_: { feeTier: 3000 } }, orderBy: amountUSD) { amountUSD }
        second: swaps(first: 1, skip: 1) { amountUSD }
      }
    }`)
    expect(answer).toEqual({
      pools: [
        { newest: [{ amountUSD: '0.5' }], small: [], second: [] },
        { newest: [{ amountUSD: '2.5' }], small: [{ amountUSD: '1' }, { amountUSD: '2.5' }], second: [{ amountUSD: '10' }] },
      ],
    })
  })

  it.each([
    [
      'ticks(where: { poolAddress: "0xA1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1", tickIdx_gt: 0 }, orderBy: tickIdx)',
      ['60', '198060'],
    ],
    ['ticks(where: { price0_gt: "1" }, orderBy: price0, orderDirection: desc)', ['198060', '60']],
    ['ticks(where: { liquidityNet_lt: "0" })', ['60']],
    ['ticks(where: { id_gt: "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1#-60" })', ['198060', '60']],
  ])('%s', async (field, found) => {
    expect(await graph.ask(`{ ticks: ${field} { tickIdx } }`)).toEqual({ ticks: found.map((tickIdx) => ({ tickIdx })) })
  })

  it.each([
    [`poolHourDatas(where: { pool: "${wrappedPool}", periodStartUnix_gt: ${dayStart} }, orderBy: periodStartUnix)`],
    [`poolHourDatas(where: { close: "2500", high: "10000" }, orderBy: token1Price)`],
    [`poolHourDatas(where: { id: "${wrappedPool}-480001" })`],
    [`poolHourDatas(where: { id_gt: "${wrappedPool}-480000", id_lt: "${wrappedPool}-480002" })`],
    [`poolHourDatas(where: { pool_: { token0: "${usdc}" } }, orderBy: pool__feeTier)`],
    [`tokenHourDatas(where: { token: "${wrapped}", totalValueLockedUSD_gt: "7499999" })`],
    [`tokenHourDatas(where: { token_: { symbol: "WNAT" }, totalValueLocked: 3000 }, orderBy: token__symbol)`],
    [`uniswapDayDatas(where: { date: ${dayStart}, volumeETH: "0.6", id: "20000" }, orderBy: date, orderDirection: desc)`],
    [
      `transactions(where: { timestamp_gte: ${dayStart}, gasUsed: 0, blockNumber: 110 }, orderBy: timestamp, orderDirection: desc)`,
    ],
    [`mints(where: { owner: "${trader}", tickLower: -60, amount: 77 }, orderBy: amount)`],
    [`flashes(where: { amount1Paid_gt: "0.005", recipient_not: "${trader}" })`],
  ])('%s finds the one row', async (field) => {
    const answer = await graph.ask(`{ found: ${field} { id } }`)
    expect(answer['found']).toHaveLength(1)
  })
})
