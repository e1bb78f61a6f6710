import { type Address, daySeconds, findRoutes, isEstablished } from '@chainboard/core'
import { listLivePools } from '../../store/pools.ts'
import type { Store, Tx } from '../../store/store.ts'
import { listPricesAt } from '../../store/swaps.ts'
import { type BlockRef, findCursor } from '../../store/syncCursor.ts'
import { listAllTokens } from '../../store/tokens.ts'
import { answerFromPools, type PoolBook } from '../answerFromPools.ts'
import type { PriceSource, SourceReading } from '../source.ts'
import type { ListedToken } from '../tokenList.ts'
import { readPoolVolumes } from '../tradedVolume.ts'

export type IndexSourceOptions = { readonly stables: readonly Address[]; readonly depthFloorUsdE18: bigint }

/** Prices from our own index, at the last block in it. */
export function createIndexSource(store: Store, options: IndexSourceOptions): PriceSource {
  return { name: 'index', read: (tokens) => store.readConsistently((tx) => readIndex(tx, tokens, options)) }
}

async function readIndex(tx: Tx, tokens: readonly ListedToken[], options: IndexSourceOptions): Promise<SourceReading> {
  const atBlock = (await findCursor(tx))?.block
  if (atBlock) return answerFromPools(await readBook(tx, { ...options, atBlock }), tokens)
  const nothing = { kind: 'unpriced', reasons: ['The index is empty so far'], displayPool: undefined } as const
  return { atBlock: undefined, answers: new Map(tokens.map(({ id }) => [id, nothing])) }
}

type BookRequest = IndexSourceOptions & { readonly atBlock: BlockRef }

async function readBook(tx: Tx, { stables, depthFloorUsdE18, atBlock }: BookRequest): Promise<PoolBook> {
  const nowSeconds = atBlock.timestampSeconds
  const pools = (await listLivePools(tx)).map((pool) => ({
    ...pool,
    isEstablished: isEstablished(pool.firstSwapAtSeconds, nowSeconds),
  }))
  // Those that a pool has, which are read anyway: asking for each of a long list by name costs more.
  const rows = await listAllTokens(tx)
  const decimals = new Map(
    rows.flatMap(({ address, decimals }) => (decimals === undefined ? [] : [[address, decimals] as const])),
  )
  const routes = findRoutes({ pools, decimals, stables, depthFloorUsdE18 })
  return {
    source: 'index',
    atBlock,
    depthFloorUsdE18,
    pools,
    routes,
    decimals,
    symbols: new Map(rows.map(({ address, symbol }) => [address, symbol])),
    supplies: new Map(rows.map(({ address, totalSupplyRaw }) => [address, totalSupplyRaw])),
    dayAgo: await listPricesAt(tx, nowSeconds - daySeconds),
    weekAgo: await listPricesAt(tx, nowSeconds - 7 * daySeconds),
    volumes: await readPoolVolumes(tx, nowSeconds),
  }
}
