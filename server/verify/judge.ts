import { type Address, type Hop, parseAddress, rawToDecimal, usdAlong } from '@chainboard/core'
import type { Receipt } from '../market/receipt.ts'
import type { Evidence, HopEvidence } from './readEvidence.ts'

/** One thing that the site says and the chain says otherwise. */
export type Difference = { readonly what: string; readonly served: string; readonly found: string }

/** `cannot-tell` carries why. `computed` is in US dollars, exact to 18 decimals; `hop` counts from 1, 0 is the price as a whole. */
export type Verdict =
  | { readonly kind: 'equal'; readonly computed: string }
  | {
      readonly kind: 'not-equal'
      readonly computed: string | undefined
      readonly hop: number
      readonly differences: readonly Difference[]
    }
  | { readonly kind: 'cannot-tell'; readonly why: string }

type ReceiptHop = Receipt['route'][number]

/** What a receipt says that no chain can prove; undefined: it can be worked out again. Pure. */
export function findUnprovable({ restsOn, source, symbol, reasons }: Receipt): string | undefined {
  if (restsOn === null) return `The site has no price of ${symbol}: ${reasons.join('; ') || 'it does not say why'}`
  if (restsOn === 'source') return `The price comes from ${source}, outside the chain: it cannot be worked out again from it`
  if (restsOn === 'assumption') return `${symbol} is taken for one US dollar: nothing on the chain says so or otherwise`
  return undefined
}

/** Whether the chain gives the price that was served, and where it differs first if not. Pure. */
export function judge(receipt: Receipt, evidence: Evidence, chainId: number): Verdict {
  const { block, route, priceInUsd } = receipt
  if (evidence.chainId !== chainId)
    return cannotTell(`The node is of chain ${evidence.chainId}, the site of chain ${chainId}: ask a node of that chain`)
  if (!block || priceInUsd === null) return cannotTell('The receipt names no block or no price')
  if (!evidence.block)
    return cannotTell(`The node does not have block ${block.number}: it is behind, or keeps no blocks that old`)
  if (evidence.block.hash.toLowerCase() !== block.hash.toLowerCase())
    return notEqual(0, [{ what: `hash of block ${block.number}`, served: block.hash, found: evidence.block.hash }])
  const broken = findBreak(receipt)
  if (broken) return notEqual(broken.hop, [broken.difference])
  for (const [i, hop] of route.entries()) {
    const differences = compareHop(hop, evidence.hops[i])
    if (differences.length > 0) return notEqual(i + 1, differences)
  }
  const computed = compute(route, evidence.hops)
  if (computed === priceInUsd) return { kind: 'equal', computed }
  return notEqual(0, [{ what: 'price', served: priceInUsd, found: computed ?? 'none' }], computed)
}

/** A route has to lead from the token, hop by hop, to the token that counts as a dollar. */
function findBreak({ token, usd, route }: Receipt): { hop: number; difference: Difference } | undefined {
  let at = token
  for (const [i, { base, quote }] of route.entries()) {
    if (!same(base, at)) return { hop: i + 1, difference: { what: 'token that the hop begins with', served: base, found: at } }
    at = quote
  }
  if (usd && same(at, usd)) return undefined
  return { hop: route.length, difference: { what: 'token that the route ends with', served: usd ?? 'none', found: at } }
}

function compareHop(hop: ReceiptHop, evidence: HopEvidence | undefined): Difference[] {
  const [token0, token1] = hop.baseIsToken0 ? [hop.base, hop.quote] : [hop.quote, hop.base]
  const pairs: [string, string | number, string | number | bigint | undefined][] = [
    ["factory's pool", hop.pool, evidence?.poolOfFactory],
    ['token0', token0, evidence?.token0],
    ['token1', token1, evidence?.token1],
    ['fee', hop.fee, evidence?.fee],
    ['decimals of token0', hop.decimals0, evidence?.decimals0],
    ['decimals of token1', hop.decimals1, evidence?.decimals1],
    ['sqrtPriceX96', hop.sqrtPriceX96, evidence?.sqrtPriceX96],
  ]
  return pairs.flatMap(([what, served, found]) =>
    found !== undefined && same(String(served), String(found))
      ? []
      : [{ what, served: String(served), found: String(found ?? 'none') }],
  )
}

/** From the chain's words alone: the receipt only says which pools, and in which order. */
function compute(route: readonly ReceiptHop[], evidence: readonly HopEvidence[]): string | undefined {
  const hops: Hop[] = []
  const prices = new Map<Address, bigint>()
  for (const [i, { pool, base, quote }] of route.entries()) {
    const { token0, decimals0, decimals1, sqrtPriceX96 } = evidence[i] ?? {}
    if (token0 === undefined || decimals0 === undefined || decimals1 === undefined || sqrtPriceX96 === undefined) return undefined
    const at = parseAddress(pool) as Address
    prices.set(at, sqrtPriceX96)
    hops.push({
      pool: at,
      base: parseAddress(base) as Address,
      quote: parseAddress(quote) as Address,
      baseIsToken0: same(base, token0),
      decimals0,
      decimals1,
      depthUsdE18: 0n,
    })
  }
  const usdE18 = usdAlong(hops, (pool) => prices.get(pool))
  return usdE18 === undefined ? undefined : rawToDecimal(usdE18, 18)
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function notEqual(hop: number, differences: readonly Difference[], computed?: string): Verdict {
  return { kind: 'not-equal', computed, hop, differences }
}

function cannotTell(why: string): Verdict {
  return { kind: 'cannot-tell', why }
}
