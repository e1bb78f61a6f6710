import { beforeAll, describe, expect, it } from 'vitest'
import { dayStart, hash, insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { alphaPool, factory, trader, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()
const tx = hash('c1')
const zero = `0x${'00'.repeat(20)}`

describe.each(engines)('the answers of every type on %s', (engine) => {
  let graph: TestGraph
  beforeAll(async () => {
    const store = await stores.openNew(engine)
    await insertRows(store, rows)
    graph = openTestGraph(store)
  })

  it('Factory and Bundle', async () => {
    expect(
      await graph.ask(`{
        factories { id poolCount txCount totalVolumeUSD totalVolumeETH totalFeesUSD totalFeesETH untrackedVolumeUSD owner
          totalValueLockedUSD totalValueLockedETH totalValueLockedUSDUntracked totalValueLockedETHUntracked }
        bundle(id: "1") { id ethPriceUSD }
      }`),
    ).toEqual({
      factories: [
        {
          id: factory,
          poolCount: '2',
          txCount: '7',
          totalVolumeUSD: '1500.5',
          // The one day: 1,500 dollars at 2,500.
          totalVolumeETH: '0.6',
          totalFeesUSD: '4.5015',
          totalFeesETH: '0.0018',
          untrackedVolumeUSD: '1500.5',
          owner: zero,
          totalValueLockedUSD: '75000000',
          totalValueLockedETH: '30000',
          totalValueLockedUSDUntracked: '75000000',
          totalValueLockedETHUntracked: '30000',
        },
      ],
      bundle: { id: '1', ethPriceUSD: '2500' },
    })
  })

  it('Token', async () => {
    const answer = await graph.ask(`{ token(id: "${wrapped}") {
      id symbol name decimals totalSupply volume volumeUSD untrackedVolumeUSD feesUSD txCount poolCount
      totalValueLocked totalValueLockedUSD totalValueLockedUSDUntracked derivedETH whitelistPools { id } tokenDayData { id }
    } }`)
    expect(answer).toEqual({
      token: {
        id: wrapped,
        symbol: 'WNAT',
        name: 'Wrapped Native',
        decimals: '18',
        totalSupply: '3000000000000000000000000',
        volume: '0.6',
        volumeUSD: '1500.5',
        untrackedVolumeUSD: '1500.5',
        feesUSD: '4.5015',
        txCount: '7',
        poolCount: '2',
        totalValueLocked: '3000',
        totalValueLockedUSD: '7500000',
        totalValueLockedUSDUntracked: '7500000',
        derivedETH: '1',
        whitelistPools: [{ id: wrappedPool }, { id: alphaPool }],
        tokenDayData: [{ id: `${wrapped}-20000` }],
      },
    })
  })

  it('Pool, with token0Price as token0 for one token1', async () => {
    const answer = await graph.ask(`{ pool(id: "${wrappedPool.toUpperCase().replace('0X', '0x')}") {
      id createdAtTimestamp createdAtBlockNumber token0 { symbol } token1 { symbol } feeTier liquidity sqrtPrice token0Price
      token1Price tick observationIndex volumeToken0 volumeToken1 volumeUSD untrackedVolumeUSD feesUSD txCount
      collectedFeesToken0 collectedFeesToken1 collectedFeesUSD totalValueLockedToken0 totalValueLockedToken1
      totalValueLockedETH totalValueLockedUSD totalValueLockedUSDUntracked liquidityProviderCount
      poolHourData { id } poolDayData { id } mints { id } burns { id } swaps { id } collects { id } ticks { tickIdx }
    } }`)
    expect(answer).toEqual({
      pool: {
        id: wrappedPool,
        createdAtTimestamp: String(dayStart + 60),
        createdAtBlockNumber: '100',
        token0: { symbol: 'USDC' },
        token1: { symbol: 'WNAT' },
        feeTier: '3000',
        liquidity: '100000000000000000',
        sqrtPrice: '1584563250285286751870879006720000',
        token0Price: '2500',
        token1Price: '0.0004',
        tick: '198079',
        observationIndex: '0',
        volumeToken0: '1500.5',
        volumeToken1: '0.6',
        volumeUSD: '1500.5',
        untrackedVolumeUSD: '1500.5',
        feesUSD: '4.5015',
        txCount: '6',
        collectedFeesToken0: '4.5015',
        collectedFeesToken1: '0',
        collectedFeesUSD: '4.5015',
        totalValueLockedToken0: '5000000',
        totalValueLockedToken1: '2000',
        totalValueLockedETH: '4000',
        totalValueLockedUSD: '10000000',
        totalValueLockedUSDUntracked: '10000000',
        liquidityProviderCount: '0',
        poolHourData: [{ id: `${wrappedPool}-480001` }],
        poolDayData: [{ id: `${wrappedPool}-20000` }],
        mints: [{ id: `${tx}-3` }],
        burns: [{ id: `${tx}-4` }],
        swaps: [{ id: `${tx}-7` }],
        collects: [{ id: `${tx}-5` }],
        // By id, and ids are texts: -60, 198060, 60.
        ticks: [{ tickIdx: '-60' }, { tickIdx: '198060' }, { tickIdx: '60' }],
      },
    })
  })

  it('Tick, with the prices of its index', async () => {
    const fields =
      'id poolAddress tickIdx pool { id } liquidityGross liquidityNet price0 price1 createdAtTimestamp createdAtBlockNumber'
    expect(await graph.ask(`{ tick(id: "${wrappedPool}#60") { ${fields} } }`)).toEqual({
      tick: {
        id: `${wrappedPool}#60`,
        poolAddress: wrappedPool,
        tickIdx: '60',
        pool: { id: wrappedPool },
        liquidityGross: '77',
        liquidityNet: '-77',
        price0: '1.006017734268818165222506292999135',
        price1: '0.9940182622394903374010662303695165',
        createdAtTimestamp: String(dayStart + 3_700),
        createdAtBlockNumber: '110',
      },
    })
  })

  it('Transaction, with its events', async () => {
    const answer = await graph.ask(`{ transactions {
      id blockNumber timestamp gasUsed gasPrice mints { id } burns { id } swaps { id } flashed { id } collects { id }
    } }`)
    expect(answer).toEqual({
      transactions: [
        {
          id: tx,
          blockNumber: '110',
          timestamp: String(dayStart + 3_700),
          gasUsed: '0',
          gasPrice: '7',
          mints: [{ id: `${tx}-3` }],
          burns: [{ id: `${tx}-4` }],
          swaps: [{ id: `${tx}-7` }],
          flashed: [{ id: `${tx}-6` }],
          collects: [{ id: `${tx}-5` }],
        },
      ],
    })
  })

  const shared = 'id transaction { id blockNumber timestamp } timestamp pool { id } amount0 amount1 amountUSD logIndex'
  const sharedAnswer = (logIndex: string) => ({
    id: `${tx}-${logIndex}`,
    transaction: { id: tx, blockNumber: '110', timestamp: String(dayStart + 3_700) },
    timestamp: String(dayStart + 3_700),
    pool: { id: wrappedPool },
    logIndex,
  })
  const tokens = { token0: { id: usdc }, token1: { id: wrapped } }

  it('Swap', async () => {
    const answer = await graph.ask(
      `{ swaps { ${shared} token0 { id } token1 { id } sender recipient origin sqrtPriceX96 tick } }`,
    )
    expect(answer['swaps']).toEqual([
      {
        ...sharedAnswer('7'),
        ...tokens,
        sender: trader,
        recipient: trader,
        origin: trader,
        amount0: '1500.5',
        amount1: '-0.6',
        amountUSD: '1500.5',
        sqrtPriceX96: '1584563250285286751870879006720000',
        tick: '198079',
      },
    ])
  })

  it('Mint and Burn', async () => {
    const answer = await graph.ask(`{
      mints { ${shared} token0 { id } token1 { id } owner sender origin amount tickLower tickUpper }
      burns { ${shared} token0 { id } token1 { id } owner origin amount tickLower tickUpper }
    }`)
    const range = { owner: trader, origin: trader, tickLower: '-60', tickUpper: '60' }
    expect(answer).toEqual({
      mints: [
        {
          ...sharedAnswer('3'),
          ...tokens,
          ...range,
          sender: trader,
          amount: '77',
          amount0: '2',
          amount1: '0.001',
          amountUSD: '4.5',
        },
      ],
      burns: [
        { ...sharedAnswer('4'), ...tokens, ...range, amount: '7', amount0: '0.000001', amount1: '0', amountUSD: '0.000001' },
      ],
    })
  })

  it('Collect and Flash', async () => {
    const answer = await graph.ask(`{
      collects { ${shared} owner tickLower tickUpper }
      flashes { ${shared} sender recipient amount0Paid amount1Paid }
    }`)
    expect(answer).toEqual({
      collects: [
        {
          ...sharedAnswer('5'),
          owner: trader,
          tickLower: '-60',
          tickUpper: '60',
          amount0: '4.5015',
          amount1: '0',
          amountUSD: '4.5015',
        },
      ],
      flashes: [
        {
          ...sharedAnswer('6'),
          sender: trader,
          recipient: factory,
          amount0: '0',
          amount1: '2',
          amountUSD: '5000',
          amount0Paid: '0',
          amount1Paid: '0.006',
        },
      ],
    })
  })

  it('UniswapDayData', async () => {
    expect(
      await graph.ask(
        '{ uniswapDayData(id: "20000") { id date volumeETH volumeUSD volumeUSDUntracked feesUSD txCount tvlUSD } }',
      ),
    ).toEqual({
      uniswapDayData: {
        id: '20000',
        date: dayStart,
        volumeETH: '0.6',
        volumeUSD: '1500',
        volumeUSDUntracked: '1500',
        feesUSD: '4.5',
        txCount: '7',
        tvlUSD: '75000000',
      },
    })
  })

  it('PoolHourData and PoolDayData, whose highest price is that of the lowest root', async () => {
    const fields = `id pool { id } liquidity sqrtPrice token0Price token1Price tick tvlUSD volumeToken0 volumeToken1 volumeUSD feesUSD
      txCount open high low close`
    const figures = {
      pool: { id: wrappedPool },
      liquidity: '100000000000000000',
      sqrtPrice: '1584563250285286751870879006720000',
      token0Price: '2500',
      token1Price: '0.0004',
      tick: '198079',
      tvlUSD: '10000000',
      volumeToken0: '1500.5',
      volumeToken1: '0.6',
      volumeUSD: '1500.5',
      feesUSD: '4.5015',
      txCount: '5',
      open: '10000',
      high: '10000',
      low: '2500',
      close: '2500',
    }
    expect(await graph.ask(`{ poolHourDatas { periodStartUnix ${fields} } poolDayDatas { date ${fields} } }`)).toEqual({
      poolHourDatas: [{ id: `${wrappedPool}-480001`, periodStartUnix: dayStart + 3_600, ...figures }],
      poolDayDatas: [{ id: `${wrappedPool}-20000`, date: dayStart, ...figures }],
    })
  })

  it('TokenHourData and TokenDayData', async () => {
    const fields =
      'id token { id } volume volumeUSD untrackedVolumeUSD totalValueLocked totalValueLockedUSD priceUSD feesUSD open high low close'
    const figures = {
      token: { id: wrapped },
      volume: '0.6',
      volumeUSD: '1500.5',
      untrackedVolumeUSD: '1500.5',
      totalValueLocked: '3000',
      totalValueLockedUSD: '7500000',
      priceUSD: '2500',
      feesUSD: '4.5015',
      open: '2000',
      high: '2600',
      low: '1999.5',
      close: '2500',
    }
    expect(await graph.ask(`{ tokenHourDatas { periodStartUnix ${fields} } tokenDayDatas { date ${fields} } }`)).toEqual({
      tokenHourDatas: [{ id: `${wrapped}-480001`, periodStartUnix: dayStart + 3_600, ...figures }],
      tokenDayDatas: [{ id: `${wrapped}-20000`, date: dayStart, ...figures }],
    })
  })

  it('null for an id that is not there, and for the letters of a text id in another case', async () => {
    expect(
      await graph.ask(`{
        pool(id: "${zero}") { id }
        swap(id: "${tx}-8") { id }
        upper: swap(id: "${tx.toUpperCase()}-7") { id }
        odd: uniswapDayData(id: "today") { id }
      }`),
    ).toEqual({ pool: null, swap: null, upper: null, odd: null })
  })

  it('_meta, with the hash of the newest block, and without when its number was asked for', async () => {
    const answer = await graph.ask(`{
      _meta { block { number hash timestamp parentHash } deployment hasIndexingErrors }
      numbered: _meta(block: { number: 120 }) { block { number hash } }
    }`)
    expect(answer).toEqual({
      _meta: {
        block: { number: 120, hash: `0x${'b1'.repeat(32)}`, timestamp: dayStart + 7_200, parentHash: null },
        // The first 32 digits of the SHA-256 of the identity, which is `test` here.
        deployment: 'chainboard-9f86d081884c7d659a2feaa0c55ad015',
        hasIndexingErrors: false,
      },
      numbered: { block: { number: 120, hash: null } },
    })
    expect(graph.bugs).toEqual([])
  })
})
