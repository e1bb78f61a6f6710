import type { FigureReceipt, Receipt } from '@chainboard/contract'
import { formatFeeTier, hopPrice, oneE18, rawToDecimal, timesFraction } from '@chainboard/core'
import { listDollars, listPools, type Verdict } from './judge.ts'
import type { SiteClaim } from './readSite.ts'

/** The verdict in plain lines: what was served, hop by hop, what the chain says, and what is taken at the site's word. */
export function describeVerdict(claim: SiteClaim, verdict: Verdict, node: string): string[] {
  const { receipt, figure } = claim
  const head = [
    `${receipt.symbol} ${receipt.token}`,
    ...(receipt.block ? [row('block', `${receipt.block.number}, ${receipt.block.hash}`)] : []),
    row('node', node),
    ...describeSteps(receipt),
    row('served', `${receipt.priceInUsd ?? 'no price'} US dollars`),
    ...(figure ? describeFigure(figure) : []),
  ]
  if (verdict.kind === 'cannot-tell') return [...head, '', `Cannot tell. ${verdict.why}.`]
  const computed = row('computed', `${verdict.computed ?? 'no price'} US dollars, from the node's answers alone`)
  if (verdict.kind === 'equal') {
    const second = figure ? [row('computed', `${verdict.figure ?? 'none'}${unitOf(figure)}, from the node's answers alone`)] : []
    return [...head, computed, ...second, '', 'Equal, to all 18 decimals.', ...describeTrust(claim)]
  }
  return [
    ...head,
    ...(verdict.computed === undefined ? [] : [computed]),
    '',
    verdict.pool === 0 ? 'Not equal.' : `Not equal, and pool ${verdict.pool} is the first that differs.`,
    ...verdict.differences.map(({ what, served, found, by = 'the node' }) =>
      row(what, `the site says ${served}, ${by} ${found}`),
    ),
    ...(verdict.differences[0]?.what.startsWith('hash') ? ['A reorg may have just removed the block. Try again.'] : []),
  ]
}

function describeSteps(receipt: Receipt): string[] {
  const places = new Map(listPools(receipt).map((pool, i) => [pool, i + 1]))
  return receipt.steps.flatMap(({ symbol, priceInUsd, pools }) => [
    row(
      symbol,
      `${priceInUsd} US dollars, the median of ${pools.length === 1 ? 'its pool' : `its ${pools.length} pools by weight`}`,
    ),
    ...pools.flatMap((pool) => describePool(pool, places.get(pool) ?? 0)),
  ])
}

function describePool(pool: Receipt['route'][number], place: number): string[] {
  const { baseIsToken0, decimals0, decimals1, baseSymbol, quoteSymbol, medianX96, weightUsd } = pool
  const price = timesFraction(oneE18, hopPrice(pool, BigInt(medianX96)))
  const formula = baseIsToken0
    ? `medianX96^2 x 10^${decimals0} / (2^192 x 10^${decimals1})`
    : `2^192 x 10^${decimals1} / (medianX96^2 x 10^${decimals0})`
  return [
    row(`pool ${place}`, `${baseSymbol} in ${quoteSymbol}: ${rawToDecimal(price, 18)}, weight ${weightUsd} US dollars`),
    row('', `${pool.pool}, fee ${formatFeeTier(pool.fee)}`),
    row('', `${formula}, medianX96 ${medianX96}`),
  ]
}

function unitOf({ figure }: FigureReceipt): string {
  return figure === 'change24h' ? ' %' : ' US dollars'
}

function describeFigure(receipt: FigureReceipt): string[] {
  const { figure, value, change, volume, candle, marketCap } = receipt
  const span = volume ?? candle?.span
  const swaps = span?.pools.reduce((sum, pool) => sum + pool.swaps, 0)
  return [
    row(figure, value === null ? 'none' : value + unitOf(receipt)),
    ...(change ? [row('a day before', `${change.beforeUsd} US dollars, at ${toIso(change.beforeSeconds)}`)] : []),
    ...(candle
      ? [
          row('hour', toIso(candle.startSeconds)),
          ...(['open', 'high', 'low', 'close'] as const).map((name) => row(name, `${candle[name]} US dollars`)),
        ]
      : []),
    ...(span
      ? [
          row(
            'swaps',
            `${swaps} in ${span.pools.length === 1 ? 'a pool' : `${span.pools.length} pools`}, until ${toIso(span.toSeconds)}`,
          ),
          ...span.pools.map((pool) =>
            row('', `${pool.pool}: ${pool.swaps} swaps, ${pool.volumeUsd} US dollars, ${pool.checksum}`),
          ),
        ]
      : []),
    ...(marketCap ? [row('supply', `${marketCap.supply}, by the ${marketCap.supplyFrom}`)] : []),
  ]
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function describeTrust({ receipt, figure, rules, rulesFrom }: SiteClaim): string[] {
  const { wrappedNative = 'none', quotes = [], factory, windowSeconds, depthFloorUsd } = rules ?? {}
  return [
    `Not checked, taken from the site (${rulesFrom}):`,
    ...listDollars(receipt).map(({ quote, quoteSymbol }) => `  ${quoteSymbol} (${quote}) is worth one US dollar;`),
    `  ${factory} is the exchange's factory;`,
    `  ${wrappedNative} is the wrapped coin, and ${quotes.length === 0 ? 'no other token prices' : `${quotes.join(', ')} price`} others;`,
    `  the window of ${windowSeconds ?? 'no'} seconds and the floor of ${depthFloorUsd ?? 'no'} US dollars;`,
    ...(figure?.marketCap?.supplyFrom === 'list' ? ["  the supply, which is the token list's;"] : []),
    ...(figure?.volume || figure?.candle ? ['  which pools price the other tokens of its pools;'] : []),
    `  that pools with tokens other than ${listTokens(receipt)} don't count.`,
  ]
}

/** Pools between these were looked for. */
function listTokens({ steps }: Receipt): string {
  return `${steps.map(({ symbol }) => symbol).join(', ')} and the tokens above`
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(20)} ${text}`
}
