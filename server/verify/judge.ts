import type { Receipt } from '@chainboard/contract'
import { decimalToE18, guardE18, makeOffer, oneDollar, rawToDecimal, type Settled, settle } from '@chainboard/core'
import { toAddress } from './listPools.ts'
import type { Evidence, HopEvidence } from './readEvidence.ts'

/** One thing that the receipt says and the chain says otherwise, or else `by`. */
export type Difference = { readonly what: string; readonly served: string; readonly found: string; readonly by?: string }

/** `cannot-tell` carries why. `computed` is in US dollars, exact to 18 decimals; `pool` counts from 1, 0 is the price as a whole. */
export type Verdict =
  | { readonly kind: 'equal'; readonly computed: string; readonly figure?: string | undefined }
  | {
      readonly kind: 'not-equal'
      readonly computed: string | undefined
      readonly pool: number
      readonly differences: readonly Difference[]
    }
  | { readonly kind: 'cannot-tell'; readonly why: string }

type ReceiptPool = Receipt['route'][number]

/** What a receipt says that no chain can prove; undefined: it can be worked out again. Pure. */
export function findUnprovable({ restsOn, source, symbol, reasons, windowSeconds, poolsLeftOut }: Receipt): string | undefined {
  if (restsOn === null) return `The site has no price for ${symbol}: ${reasons.join('; ') || 'it gives no reason'}`
  if (restsOn === 'source') return `The price comes from ${source}, outside the chain, so it cannot be recomputed from the chain`
  if (restsOn === 'assumption') return `${symbol} counts as one US dollar: the chain can neither prove nor disprove that`
  if (windowSeconds === null || windowSeconds < windowSecondsMin)
    return `The site's price window is ${windowSeconds ?? 'no'} seconds, expected ${windowSecondsMin} or more: a single trade can set such a price`
  if (poolsLeftOut > 0) return `The receipt leaves out ${poolsLeftOut} pools that the price depends on`
  return undefined
}

/** Less than this is no median of minutes: the least that a network file may say. */
const windowSecondsMin = 60

/** Whether the chain gives the price that was served, and where it differs first if not. Pure. */
export function judge(receipt: Receipt, evidence: Evidence, chainId: number): Verdict {
  const { block, priceInUsd } = receipt
  if (evidence.chainId !== chainId)
    return cannotTell(`The node is on chain ${evidence.chainId}, the site on chain ${chainId}: use a node of that chain`)
  if (!block || priceInUsd === null) return cannotTell('The receipt names no block or no price')
  if (!evidence.block)
    return cannotTell(`The node does not have block ${block.number}: it is behind, or does not keep blocks that old`)
  if (evidence.block.hash.toLowerCase() !== block.hash.toLowerCase())
    return notEqual(0, [{ what: `hash of block ${block.number}`, served: block.hash, found: evidence.block.hash }])
  const broken = findBreak(receipt)
  if (broken) return notEqual(broken.pool, [broken.difference])
  const listed = listPools(receipt)
  for (const [i, pool] of listed.entries()) {
    const differences = comparePool(pool, evidence.pools.get(pool.pool.toLowerCase()))
    if (differences.length > 0) return notEqual(i + 1, differences)
  }
  const prices = compute(receipt.steps, evidence.pools)
  for (const { symbol, token, priceInUsd: served } of receipt.steps.slice(1)) {
    const found = prices.get(token.toLowerCase()) ?? 'none'
    if (found !== served) return notEqual(0, [{ what: `price of ${symbol}`, served, found }])
  }
  const computed = prices.get(receipt.token.toLowerCase())
  if (computed === priceInUsd) return { kind: 'equal', computed }
  return notEqual(0, [{ what: 'price', served: priceInUsd, found: computed ?? 'none' }], computed)
}

/** Every pool that the receipt names, in its order. */
export function listPools({ steps }: Receipt): ReceiptPool[] {
  return steps.flatMap(({ pools }) => pools)
}

/** Tokens that count as one US dollar each: those that pools are priced in and that have no pools. */
export function listDollars({ steps }: Receipt): ReceiptPool[] {
  const priced = new Set(steps.map(({ token }) => token.toLowerCase()))
  const dollars = steps.flatMap(({ pools }) => pools.filter(({ quote }) => !priced.has(quote.toLowerCase())))
  return [...new Map(dollars.map((pool) => [pool.quote.toLowerCase(), pool])).values()]
}

/** Each step is of one token, made of its pools; what these are priced in comes later. */
function findBreak({ token, steps }: Receipt): { pool: number; difference: Difference } | undefined {
  const first = steps[0]?.token ?? 'none'
  if (!same(first, token)) return { pool: 0, difference: { what: 'token of the first step', served: first, found: token } }
  const passed = new Set<string>()
  let place = 0
  for (const step of steps) {
    passed.add(step.token.toLowerCase())
    for (const { base, quote } of step.pools) {
      place += 1
      if (!same(base, step.token))
        return { pool: place, difference: { what: 'token of the pool', served: base, found: step.token } }
      if (passed.has(quote.toLowerCase()))
        return { pool: place, difference: { what: 'token that it is priced in', served: quote, found: 'none that comes later' } }
    }
  }
  return undefined
}

function comparePool(pool: ReceiptPool, evidence: HopEvidence | undefined): Difference[] {
  const [token0, token1] = pool.baseIsToken0 ? [pool.base, pool.quote] : [pool.quote, pool.base]
  const pairs: [string, string | number, string | number | bigint | undefined][] = [
    ["factory's pool", pool.pool, evidence?.poolOfFactory],
    ['token0', token0, evidence?.token0],
    ['token1', token1, evidence?.token1],
    ['fee', pool.fee, evidence?.fee],
    ['decimals of token0', pool.decimals0, evidence?.decimals0],
    ['decimals of token1', pool.decimals1, evidence?.decimals1],
    ['sqrtPriceX96', pool.sqrtPriceX96, evidence?.sqrtPriceX96],
    ['medianX96', pool.medianX96, evidence?.medianX96],
  ]
  return pairs.flatMap(([what, served, found]) =>
    found !== undefined && same(String(served), String(found))
      ? []
      : [{ what, served: String(served), found: String(found ?? 'none') }],
  )
}

/** The prices, by token: from the chain's words, and what the receipt says that each pool weighs. */
function compute(steps: Receipt['steps'], evidence: ReadonlyMap<string, HopEvidence>): ReadonlyMap<string, string> {
  const settled = new Map<string, Settled>()
  for (const { token, pools } of steps.toReversed()) {
    const offers = pools.flatMap((pool) => {
      const { token0, decimals0, decimals1, medianX96 } = evidence.get(pool.pool.toLowerCase()) ?? {}
      if (token0 === undefined || decimals0 === undefined || decimals1 === undefined || medianX96 === undefined) return []
      const [base, quote] = [toAddress(pool.base), toAddress(pool.quote)]
      const depthUsdE18 = decimalToE18(pool.weightUsd) ?? 0n
      const hop = {
        pool: toAddress(pool.pool),
        base,
        quote,
        baseIsToken0: same(base, token0),
        decimals0,
        decimals1,
      }
      const { usdE36 } = settled.get(quote) ?? oneDollar
      return [makeOffer({ ...hop, depthUsdE18 }, medianX96, { usdE36, depthUsdE18: undefined })]
    })
    if (offers.length > 0) settled.set(token.toLowerCase(), settle(offers))
  }
  return new Map([...settled].map(([token, { usdE36 }]) => [token, rawToDecimal(usdE36 / guardE18, 18)]))
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function notEqual(pool: number, differences: readonly Difference[], computed?: string): Verdict {
  return { kind: 'not-equal', computed, pool, differences }
}

function cannotTell(why: string): Verdict {
  return { kind: 'cannot-tell', why }
}
