import { DatabaseSync } from 'node:sqlite'
import type { Address, Hex } from '@chainboard/core'
import { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { findLastMoveBefore, listPoolMoves } from './poolMoves.ts'
import { emptyPoolState } from './poolState.ts'
import { upsertPools } from './pools.ts'
import type { Schema } from './schema.ts'
import { packedQueries } from './sqlite/packedQueries.ts'
import { SqliteDialect } from './sqlite/sqliteDialect.ts'
import { StatementRunner } from './sqlite/statementRunner.ts'
import {
  listAllSwapsBefore,
  listPoolFaces,
  listSwapsOfBefore,
  listSwapsOfPoolsBefore,
  listTradedPools,
  type SwapPlace,
} from './swapFeed.ts'
import { insertSwaps, type Swap } from './swaps.ts'
import { emptyTokenState } from './tokenState.ts'
import { upsertTokens } from './tokens.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, quiet] = [address('a1'), address('a2'), address('a3')]
const [ann, bob] = [address('b1'), address('b2')]
const [gold, coin] = [address('10'), address('50')]

/** Two blocks of one second and several swaps in a block: what a place has to tell apart. */
const swaps = [
  [1, 0, a, ann],
  [2, 0, b, ann],
  [2, 4, a, bob],
  [3, 1, a, ann],
  [3, 2, b, ann],
  [9, 0, a, bob],
] as const
const toSwap = ([blockNumber, logIndex, pool, recipient]: (typeof swaps)[number]): Swap => ({
  ...{ kind: 'swap', blockNumber, logIndex, pool, recipient, txHash: `0x${'c1'.repeat(32)}` as Hex },
  ...{ timestampSeconds: blockNumber < 4 ? 100 * Math.min(blockNumber, 2) : 900, sender: address('77') },
  ...{ amount0: 5n, amount1: -7n, sqrtPriceX96: 2n ** 96n, liquidity: 1n, tick: 0 },
})

describe.each(engines)('the feed of swaps on %s', (engine) => {
  const fill = async () => {
    const store = await stores.openNew(engine)
    const pool = { ...emptyPoolState, token0: gold, token1: coin, fee: 500, tickSpacing: 10, tick: 0, reach: undefined }
    const made = { createdBlock: 1, createdAtSeconds: 10, firstSwapAtSeconds: 100, depth0: 0n, depth1: 0n }
    await store.write(async (tx) => {
      await insertSwaps(tx, swaps.map(toSwap), new Map([['9:0', 3n]]))
      await upsertPools(tx, [
        { ...pool, ...made, address: a, lastSwapAtSeconds: 900 },
        { ...pool, ...made, address: b, lastSwapAtSeconds: 200 },
        { ...pool, ...made, address: quiet, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined },
      ])
      const token = { ...emptyTokenState, name: 'Gold', totalSupplyRaw: 0n }
      await upsertTokens(tx, [{ ...token, address: gold, symbol: 'AU', decimals: 8 }])
    })
    return store
  }
  const places = (found: readonly SwapPlace[]) => found.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)
  /** Every page of two until the end. */
  const walk = async (read: (page: { before: SwapPlace | undefined; limit: number }) => Promise<SwapPlace[]>) => {
    const pages: string[][] = []
    for (let before: SwapPlace | undefined; pages.length < 9; ) {
      const page = await read({ before, limit: 2 })
      if (page.length === 0) break
      pages.push(places(page))
      before = page.at(-1)
    }
    return pages
  }

  it('goes back through all swaps, each once, whatever shares a second or a block', async () => {
    const { read } = await fill()
    expect(await walk((page) => listAllSwapsBefore(read, page))).toEqual([
      ['9:0', '3:2'],
      ['3:1', '2:4'],
      ['2:0', '1:0'],
    ])
  })

  it('is that of a pool, of a wallet, and of several pools together', async () => {
    const { read } = await fill()
    expect(await walk((page) => listSwapsOfBefore(read, { pool: a }, page))).toEqual([
      ['9:0', '3:1'],
      ['2:4', '1:0'],
    ])
    expect(await walk((page) => listSwapsOfBefore(read, { recipient: ann }, page))).toEqual([
      ['3:2', '3:1'],
      ['2:0', '1:0'],
    ])
    const traded = await listTradedPools(read, coin, 9)
    expect(traded.map((pool) => pool.address)).toEqual([a, b])
    expect(await walk((page) => listSwapsOfPoolsBefore(read, traded, page))).toEqual([
      ['9:0', '3:2'],
      ['3:1', '2:4'],
      ['2:0', '1:0'],
    ])
    expect((await listAllSwapsBefore(read, { limit: 1 }))[0]?.usdE18).toBe(3n)
  })

  it('says what pools trade, also of a token whose contract says nothing', async () => {
    const { read } = await fill()
    expect(await listPoolFaces(read, [b, address('ff')])).toEqual([
      {
        ...{ address: b, fee: 500, token0: { address: gold, symbol: 'AU', decimals: 8 } },
        token1: { address: coin, symbol: '', decimals: undefined },
      },
    ])
  })
})

it('asks an index of SQLite for each page, and sorts no more than the swaps of one second', async () => {
  const location = await stores.locateNew('sqlite')
  if (!('file' in location)) throw new TypeError('SQLite is in a file')
  const plans: string[] = []
  const runner = new StatementRunner(new DatabaseSync(location.file, { readOnly: true }))
  const execute = async (text: string, parameters: readonly unknown[]) => {
    plans.push(
      runner
        .run(`explain query plan ${text}`, parameters)
        .rows.map(({ detail }) => String(detail))
        .join('; '),
    )
    return runner.run(text, parameters)
  }
  const dialect = new SqliteDialect({ execute, close: async () => runner.close() }, 'deferred')
  const read = new Kysely<Schema>({ dialect, plugins: [packedQueries] })
  const page = { before: { timestampSeconds: 900, blockNumber: 9, logIndex: 0 }, limit: 2 }
  await listAllSwapsBefore(read, page)
  await listSwapsOfBefore(read, { pool: a }, page)
  await listSwapsOfBefore(read, { recipient: ann }, page)
  await listTradedPools(read, gold, 9)
  await listPoolFaces(read, [a])
  await listPoolMoves(read, { pool: a, fromSeconds: 100, toSeconds: 900 }, 2)
  await findLastMoveBefore(read, a, 100)
  await read.destroy()
  const isFound = (plan: string) => plan.replace(/; SCALAR SUBQUERY.*?\(address=\?\)/, '')
  expect(plans.slice(0, 4).map(isFound)).toEqual([
    'SEARCH swaps USING INDEX sqlite_autoindex_swaps_1 ((block_number,log_index)<(?,?))',
    'SEARCH swaps USING INDEX swaps_by_pool (pool=? AND timestamp<?); USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY',
    'SEARCH swaps USING INDEX swaps_by_recipient (recipient=? AND timestamp<?); USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY',
    'MULTI-INDEX OR; INDEX 1; SEARCH pools USING INDEX pools_by_token0 (token0=?); INDEX 2; SEARCH pools USING INDEX pools_by_token1 (token1=?); USE TEMP B-TREE FOR ORDER BY',
  ])
  expect(plans[4]).not.toContain('SCAN')
  expect(plans.slice(5).map(isFound)).toEqual([
    'SEARCH swaps USING INDEX swaps_by_pool (pool=? AND timestamp>? AND timestamp<?); USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY',
    'SEARCH swaps USING COVERING INDEX swaps_by_pool (pool=? AND timestamp<?)',
  ])
})
