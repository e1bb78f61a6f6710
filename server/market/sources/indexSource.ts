import { type Address, basePrice, e18ToNumber, formatMoney, oneE18, timesFraction } from '@chainboard/core'
import { listLivePools, type Pool } from '../../store/pools.ts'
import type { Store, Tx } from '../../store/store.ts'
import { listPricesAt } from '../../store/swaps.ts'
import { type BlockRef, findCursor } from '../../store/syncCursor.ts'
import { listTokens, type TokenRow } from '../../store/tokens.ts'
import { depthInQuote, type FoundRoute, findRoutes, groupByToken } from '../findRoutes.ts'
import { usdAlong } from '../route.ts'
import type { DisplayPool, HopEvidence, PriceSource, SourceAnswer, SourceReading } from '../source.ts'
import type { ListedToken } from '../tokenList.ts'
import { readPoolVolumes } from '../tradedVolume.ts'
import { weighPrice } from '../weighPrice.ts'

const daySeconds = 86_400

export type IndexSourceOptions = { readonly stables: readonly Address[]; readonly depthFloorUsdE18: bigint }

/** Prices from our own index, at the last block in it. */
export function createIndexSource(store: Store, options: IndexSourceOptions): PriceSource {
  return { name: 'index', read: (tokens) => store.readConsistently((tx) => readIndex(tx, tokens, options)) }
}

async function readIndex(
  tx: Tx,
  tokens: readonly ListedToken[],
  { stables, depthFloorUsdE18 }: IndexSourceOptions,
): Promise<SourceReading> {
  const atBlock = (await findCursor(tx))?.block
  if (!atBlock)
    return { atBlock: undefined, answers: new Map(tokens.map(({ id }) => [id, unpriced('The index is empty so far')])) }
  const pools = await listLivePools(tx)
  const facts = await readFacts(tx, pools, tokens)
  const { found, thin } = findRoutes({ pools, decimals: facts.decimals, stables, depthFloorUsdE18 })
  const nowSeconds = atBlock.timestampSeconds
  const book: Book = {
    atBlock,
    found,
    thin,
    facts,
    depthFloorUsdE18,
    pools: new Map(pools.map((pool) => [pool.address, pool])),
    poolsOf: groupByToken(pools),
    dayAgo: await listPricesAt(tx, nowSeconds - daySeconds),
    weekAgo: await listPricesAt(tx, nowSeconds - 7 * daySeconds),
    volumes: await readPoolVolumes(tx, { nowSeconds, pools, routes: found, decimals: facts.decimals }),
  }
  return { atBlock, answers: new Map(tokens.map((token) => [token.id, answer(book, token)])) }
}

/** All that one reading needs to answer for a token. */
type Book = {
  readonly atBlock: BlockRef
  readonly found: ReadonlyMap<Address, FoundRoute>
  readonly thin: ReadonlyMap<Address, bigint>
  readonly facts: Facts
  readonly depthFloorUsdE18: bigint
  readonly pools: ReadonlyMap<Address, Pool>
  readonly poolsOf: ReadonlyMap<Address, readonly Pool[]>
  readonly dayAgo: ReadonlyMap<Address, bigint>
  readonly weekAgo: ReadonlyMap<Address, bigint>
  readonly volumes: ReadonlyMap<Address, bigint>
}

type Facts = { readonly decimals: ReadonlyMap<Address, number>; readonly rows: ReadonlyMap<Address, TokenRow> }

async function readFacts(tx: Tx, pools: readonly Pool[], tokens: readonly ListedToken[]): Promise<Facts> {
  const addresses = new Set([...pools.flatMap(({ token0, token1 }) => [token0, token1]), ...tokens.map(({ id }) => id)])
  const rows = await listTokens(tx, [...addresses])
  const decimals = new Map(
    rows.flatMap(({ address, decimals }) => (decimals === undefined ? [] : [[address, decimals] as const])),
  )
  return { decimals, rows: new Map(rows.map((row) => [row.address, row])) }
}

function answer(book: Book, token: ListedToken): SourceAnswer {
  const displayPool = pickDisplayPool(book, token)
  const route = book.found.get(token.id)
  if (!route) return { kind: 'unpriced', reasons: [whyUnpriced(book, token)], displayPool }
  const evidence = route.route.map((hop) => toEvidence(book, hop))
  const quietSeconds = Math.max(
    0,
    ...evidence.map(({ lastSwapAtSeconds }) => book.atBlock.timestampSeconds - (lastSwapAtSeconds ?? 0)),
  )
  const { confidence, reasons } = weighPrice(route.depthUsdE18, book.depthFloorUsdE18, quietSeconds)
  const onChain = book.facts.decimals.get(token.id)
  const mismatch = onChain !== undefined && onChain !== token.decimals
  return {
    kind: 'quoted',
    displayPool,
    quote: {
      source: 'index',
      usdE18: route.usdE18,
      atBlock: book.atBlock,
      route: evidence,
      depthUsdE18: route.depthUsdE18,
      confidence,
      reasons: mismatch
        ? [...reasons, `The list says ${token.decimals} decimals, the chain ${onChain}: the chain's are used`]
        : reasons,
      dayAgoUsdE18: usdAlong(route.route, (pool) => book.dayAgo.get(pool)),
      weekAgoUsdE18: usdAlong(route.route, (pool) => book.weekAgo.get(pool)),
      volume24hUsdE18: (book.poolsOf.get(token.id) ?? []).reduce(
        (sum, { address }) => sum + (book.volumes.get(address) ?? 0n),
        0n,
      ),
    },
  }
}

function whyUnpriced({ poolsOf, thin, depthFloorUsdE18, facts }: Book, { id }: ListedToken): string {
  if (!poolsOf.has(id)) return 'No pool on the chain trades this token'
  if (!facts.decimals.has(id)) return "The token's contract does not say its decimals"
  const depth = thin.get(id)
  if (depth === undefined) return 'No pool leads from this token to US dollars'
  const [has, wanted] = [depth, depthFloorUsdE18].map((usdE18) => formatMoney(e18ToNumber(usdE18)))
  return `Too thin to set a price: ${has} within 2 % of the price, ${wanted} wanted`
}

function toEvidence({ pools, facts, found }: Book, hop: FoundRoute['route'][number]): HopEvidence {
  const pool = pools.get(hop.pool) as Pool
  return {
    ...hop,
    fee: pool.fee,
    baseSymbol: facts.rows.get(hop.base)?.symbol ?? '',
    quoteSymbol: facts.rows.get(hop.quote)?.symbol ?? '',
    sqrtPriceX96: pool.sqrtPriceX96,
    quoteUsdE18: found.get(hop.quote)?.usdE18 ?? 0n,
    lastSwapAtSeconds: pool.lastSwapAtSeconds,
  }
}

/** The pool that the list names, else the one its price comes from, else the deepest one of the token. */
function pickDisplayPool(book: Book, token: ListedToken): DisplayPool | undefined {
  const own = book.poolsOf.get(token.id) ?? []
  const named = own.find(({ address }) => address === token.priceInfo?.poolAddress.toLowerCase())
  const routed = book.pools.get(book.found.get(token.id)?.route[0]?.pool as Address)
  const pool = named ?? routed ?? own.toSorted((a, b) => compare(depthOf(b, token.id), depthOf(a, token.id)))[0]
  if (!pool) return undefined
  const baseIsToken0 = pool.token0 === token.id
  const quote = baseIsToken0 ? pool.token1 : pool.token0
  const decimals0 = book.facts.decimals.get(pool.token0)
  const decimals1 = book.facts.decimals.get(pool.token1)
  if (decimals0 === undefined || decimals1 === undefined) return undefined
  const price = basePrice({ sqrtPriceX96: pool.sqrtPriceX96, decimals0, decimals1 }, baseIsToken0)
  const quoteSymbol = book.facts.rows.get(quote)?.symbol ?? ''
  const { address, fee, token0, token1 } = pool
  const quoteRoute = book.found.get(quote)?.route
  return {
    pool: address,
    fee,
    token0,
    token1,
    decimals0,
    decimals1,
    baseIsToken0,
    quoteSymbol,
    priceE18: timesFraction(oneE18, price),
    quoteRoute,
  }
}

function depthOf(pool: Pool, token: Address): bigint {
  return depthInQuote(pool, pool.token1 !== token)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function unpriced(reason: string): SourceAnswer {
  return { kind: 'unpriced', reasons: [reason], displayPool: undefined }
}
