import { type Address, Failure, supervise, type WireWarning } from '@chainboard/core'
import type { Chain } from '../../chain/chain.ts'
import type { Snapshot, TokenMarket } from '../takeSnapshot.ts'
import { describeSale } from './describeSale.ts'
import { simulateSale } from './simulateSale.ts'

const everyMs = 30_000
/** Sales simulated in a turn, one at a time: 20,000 tokens with a price take eight hours. */
const salesPerTurn = 20
/** A token's sale is not simulated more often, unless the first one that failed is to be confirmed. */
const againMs = 600_000

export type SalesDeps = {
  readonly chain: Pick<Chain, 'readHead' | 'forward'>
  readonly snapshot: () => Pick<Snapshot, 'markets'>
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
type Tested = { readonly atMs: number; readonly suspected: WireWarning | undefined; readonly warnings: readonly WireWarning[] }

/** Simulates sales of all tokens with a price, over and over. */
export function followSales(deps: SalesDeps): Sales {
  const { log, nowMs, pause } = deps
  const ending = new AbortController()
  const { signal } = ending
  const tested = new Map<Address, Tested>()
  let isFailing = false
  const run = async () => {
    while (!signal.aborted) {
      await pause(everyMs, signal)
      if (signal.aborted) return
      try {
        await takeTurn(deps, tested, signal)
        isFailing = false
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (!isFailing) log.warn({ err: error }, 'Sales of tokens cannot be simulated; the server tries again every 30 s')
        isFailing = true
      }
    }
  }
  const done = supervise(run, {
    signal,
    nowMs,
    pause,
    onFault: (err, retryInMs) => log.error({ err, retryInMs }, 'Simulating sales failed by a bug: it starts again'),
  })
  return {
    find: (token) => tested.get(token)?.warnings ?? [],
    stop: () => {
      ending.abort()
      return done
    },
  }
}

/** @throws Failure as the node does, with what is known left as it is */
async function takeTurn({ chain, snapshot, nowMs }: SalesDeps, tested: Map<Address, Tested>, signal: AbortSignal): Promise<void> {
  const sellable = snapshot().markets.flatMap(toSellable)
  const priced = new Set(sellable.map(({ market }) => market.token.id))
  for (const token of tested.keys()) if (!priced.has(token)) tested.delete(token)
  const dueMs = ({ market }: Sellable) => {
    const last = tested.get(market.token.id)
    return last ? last.atMs + (last.suspected ? 0 : againMs) : Number.NEGATIVE_INFINITY
  }
  const due = sellable.filter((each) => dueMs(each) <= nowMs()).toSorted((a, b) => compare(dueMs(a), dueMs(b)))
  if (due.length === 0) return
  const { number: block } = await chain.readHead()
  for (const { market, pool, decimals } of due.slice(0, salesPerTurn)) {
    if (signal.aborted) return
    const { id, symbol } = market.token
    const last = tested.get(id)
    // Whatever comes of it, others are next: a token may be what the node fails at.
    tested.set(id, { suspected: undefined, warnings: last?.warnings ?? [], atMs: nowMs() })
    const sale = await simulateSale(chain, { token: id, pool, block })
    if (sale) tested.set(id, judge(describeSale(sale, { symbol, decimals, pool }), last, nowMs()))
  }
}

/** A finding counts when the simulation before it found the same kind. */
function judge([finding]: readonly WireWarning[], last: Tested | undefined, atMs: number): Tested {
  if (!finding) return { atMs, suspected: undefined, warnings: [] }
  const before = last?.suspected ?? last?.warnings[0]
  return before?.code === finding.code
    ? { atMs, suspected: undefined, warnings: [finding] }
    : { atMs, suspected: finding, warnings: [] }
}

type Sellable = { readonly market: TokenMarket; readonly pool: Address; readonly decimals: number }

/** A token with a price and the pool it is sold into: the one that weighs most for its price, else the one that is shown. */
function toSellable(market: TokenMarket): Sellable[] {
  const at = market.quote?.route[0] ?? market.displayPool
  if (!market.quote || !at) return []
  return [{ market, pool: at.pool, decimals: at.baseIsToken0 ? at.decimals0 : at.decimals1 }]
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
