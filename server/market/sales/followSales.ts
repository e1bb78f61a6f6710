import type { WireWarning } from '@chainboard/contract'
import { type Address, repeatTurns } from '@chainboard/core'
import type { Chain } from '../../chain/chain.ts'
import { createTransactionReader, type TransactionReader } from '../../chain/readTransactions.ts'
import type { PoolHistory } from '../source.ts'
import type { Snapshot } from '../takeSnapshot.ts'
import type { TokenMarket } from '../tokenMarket.ts'
import { readGasPrice } from './callAs.ts'
import { describeHolders, describeSale } from './describeSale.ts'
import type { TakingsReader } from './protocolTakings.ts'
import { simulateHolders, swapsMax } from './simulateHolders.ts'
import { simulateSale } from './simulateSale.ts'

/** How often is looked whether a sale is due. */
const everyMs = 1_000
/** After a failure of the node. */
const againAfterFailureMs = 30_000
/** Sales simulated in so long, one at a time: 20,000 quiet tokens with a price take sixteen hours at most, those that trade go before. */
const salesPerSpan = 20
const spanMs = 30_000
/** The sale of a token that nobody trades is simulated so often, as rules change without a trade. */
const quietMs = 180_000
/** That of one that has traded since. */
const tradedMs = 60_000
/** What one simulation found another one confirms, at a later block. */
const confirmMs = 2_000

export type SalesDeps = {
  readonly chain: Pick<Chain, 'readHead' | 'forward'>
  readonly snapshot: () => Pick<Snapshot, 'markets' | 'atBlock'>
  readonly listSwaps: PoolHistory['listNewestSwaps']
  /** What the exchange took out of a pool. */
  readonly readTakings: TakingsReader
  readonly log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
  readonly nowMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export type Sales = {
  /** What simulated sales of a token warn of: only what two in a row have found. */
  find(token: Address): readonly WireWarning[]
  stop(): Promise<void>
}

/** What is known of a token's sales. `suspected`: the last one found something, and no other one has confirmed it. */
type Tested = {
  readonly atMs: number
  /** The newest block then. */
  readonly block: number
  /** When its pool had last traded then, unix seconds; undefined: never. */
  readonly tradedAtSeconds: number | undefined
  readonly suspected: WireWarning | undefined
  readonly warnings: readonly WireWarning[]
  /** Whether these are of sales by holders. */
  readonly isOfHolders: boolean
}

/** `spentAtMs`: when sales of the last span were simulated. */
type Book = { readonly tested: Map<Address, Tested>; spentAtMs: readonly number[] }

/** Simulates sales of all tokens with a price, over and over. */
export function followSales(deps: SalesDeps): Sales {
  const { log, snapshot, pause } = deps
  const book: Book = { tested: new Map(), spentAtMs: [] }
  const readTransactions = createTransactionReader(deps.chain)
  // The time of a chain that runs ahead of the clock, as test chains do, is the one in which its tokens change.
  const nowMs = () => Math.max(deps.nowMs(), (snapshot().atBlock?.timestampSeconds ?? 0) * 1_000)
  const turn = async (signal: AbortSignal) => {
    await takeTurn({ ...deps, nowMs, readTransactions }, book, signal)
    return everyMs
  }
  const { stop } = repeatTurns(turn, {
    ...{ nowMs: deps.nowMs, pause, log, firstMs: everyMs, retryMs: againAfterFailureMs },
    texts: {
      failure: 'Token sales cannot be simulated; the server retries every 30 s',
      bug: 'Simulating sales failed because of a bug and restarts',
    },
  })
  return { find: (token) => book.tested.get(token)?.warnings ?? [], stop }
}

type TurnDeps = SalesDeps & { readonly readTransactions: TransactionReader }

/** @throws Failure as the node does, with what is known left as it is */
async function takeTurn(deps: TurnDeps, book: Book, signal: AbortSignal): Promise<void> {
  const { chain, snapshot, nowMs } = deps
  const { tested } = book
  const sellable = snapshot().markets.flatMap(toSellable)
  const priced = new Set(sellable.map(({ market }) => market.token.id))
  for (const token of tested.keys()) if (!priced.has(token)) tested.delete(token)
  book.spentAtMs = book.spentAtMs.filter((atMs) => nowMs() - atMs < spanMs)
  const left = salesPerSpan - book.spentAtMs.length
  const due = left > 0 ? pickDue(sellable, tested, nowMs()) : []
  if (due.length === 0) return
  const { number: block } = await chain.readHead()
  // The same block would say the same once more.
  const news = due.filter(
    ({ market }) => !isConfirming(tested.get(market.token.id)) || tested.get(market.token.id)?.block !== block,
  )
  if (news.length === 0) return
  const gasPriceWei = await readGasPrice(chain)
  for (const one of news.slice(0, left)) {
    if (signal.aborted) return
    const { id } = one.market.token
    const last = tested.get(id)
    const now = { atMs: nowMs(), block, tradedAtSeconds: one.tradedAtSeconds }
    book.spentAtMs = [...book.spentAtMs, now.atMs]
    // Whatever comes of it, others are next: a token may be what the node fails at.
    tested.set(id, { ...now, suspected: undefined, warnings: last?.warnings ?? [], isOfHolders: last?.isOfHolders ?? false })
    const found = await test(deps, one, { block, gasPriceWei })
    if (found && !(found.isSilent && last?.isOfHolders)) tested.set(id, { ...now, ...judge(found, last) })
  }
}

/** `isSilent`: a buyer could sell, and no holder was found who tried. */
type Found = { readonly findings: readonly WireWarning[]; readonly isOfHolders: boolean; readonly isSilent?: boolean }

/** A sale by somebody who bought just now, and if that went well those by people who hold the token. Undefined: nothing is known of it. */
async function test(
  { chain, listSwaps, readTransactions, readTakings }: TurnDeps,
  { market, pool, decimals, reserveRaw, baseIsToken0 }: Sellable,
  at: { readonly block: number; readonly gasPriceWei: bigint | undefined },
): Promise<Found | undefined> {
  const { id, symbol } = market.token
  const request = { token: id, pool, ...at }
  const sale = await simulateSale(chain, request)
  if (!sale) return undefined
  const describe = (expectedRaw: bigint | undefined) => describeSale(sale, { symbol, decimals, pool, reserveRaw: expectedRaw })
  let findings = describe(reserveRaw)
  // What the exchange collected is missing, too, and no event of the index says so.
  if (reserveRaw !== undefined && findings.some(({ code }) => code === 'pool-short')) {
    const takings = await readTakings(pool, at.block)
    findings = describe(takings && reserveRaw - (baseIsToken0 ? takings.taken0 : takings.taken1))
  }
  if (findings.length > 0) return { findings, isOfHolders: false }
  const swaps = await listSwaps(pool, swapsMax)
  const sales = await simulateHolders({ chain, readTransactions }, { ...request, swaps, baseIsToken0 })
  return { findings: describeHolders(sales, { symbol, decimals, pool }), isOfHolders: true, isSilent: sales.length === 0 }
}

/**
 * The sales that are due, those due first before others, in two lines that take turns: tokens with something to confirm or that have
 * traded, and all others. So neither a long list nor tokens that trade or change all the time keep others from their turn.
 */
function pickDue(sellable: readonly Sellable[], tested: ReadonlyMap<Address, Tested>, nowMs: number): Sellable[] {
  const [news, others]: [Due[], Due[]] = [[], []]
  for (const one of sellable) {
    const last = tested.get(one.market.token.id)
    const isNews = last !== undefined && (isConfirming(last) || one.tradedAtSeconds !== last.tradedAtSeconds)
    const waitMs = isConfirming(last) ? confirmMs : isNews ? tradedMs : quietMs
    const dueMs = last ? last.atMs + waitMs : Number.NEGATIVE_INFINITY
    if (dueMs <= nowMs) (isNews ? news : others).push({ ...one, dueMs })
  }
  for (const line of [news, others]) line.sort((a, b) => compare(a.dueMs, b.dueMs))
  return Array.from({ length: Math.max(news.length, others.length) }, (_, i) => [news[i] ?? [], others[i] ?? []].flat()).flat()
}

function isConfirming(last: Tested | undefined): boolean {
  return last?.suspected !== undefined
}

/** A finding counts when the simulation before it found something, too: a token may do another harm each time. */
function judge(
  { findings, isOfHolders }: Found,
  last: Tested | undefined,
): Pick<Tested, 'suspected' | 'warnings' | 'isOfHolders'> {
  const [finding] = findings
  if (!finding) return { suspected: undefined, warnings: [], isOfHolders: false }
  const before = last?.suspected ?? last?.warnings[0]
  return before
    ? { suspected: undefined, warnings: [finding], isOfHolders }
    : { suspected: finding, warnings: [], isOfHolders: false }
}

type Sellable = {
  readonly market: TokenMarket
  readonly pool: Address
  readonly decimals: number
  readonly baseIsToken0: boolean
  /** The pool's last swap; unix seconds, undefined where there is none or it is not known. */
  readonly tradedAtSeconds: number | undefined
  /** What the pool should have of the token by its events; undefined where that is not known. */
  readonly reserveRaw: bigint | undefined
}
type Due = Sellable & { readonly dueMs: number }

/** A token with a price and the pool it is sold into: the one that weighs most for its price, else the one that is shown. */
function toSellable(market: TokenMarket): Sellable[] {
  const hop = market.quote?.route[0]
  const at = hop ?? market.displayPool
  if (!market.quote || !at) return []
  const decimals = at.baseIsToken0 ? at.decimals0 : at.decimals1
  const { pool, baseIsToken0 } = at
  return [{ market, pool, decimals, baseIsToken0, tradedAtSeconds: hop?.lastSwapAtSeconds, reserveRaw: hop?.baseReserveRaw }]
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
