import { formatFeeTier, hopPrice, oneE18, rawToDecimal, timesFraction } from '@chainboard/core'
import type { Receipt } from '../market/receipt.ts'
import { listDollars, listPools, type Verdict } from './judge.ts'

/** The verdict in plain lines: what was served, hop by hop, what the chain says, and what is taken at the site's word. */
export function describeVerdict(receipt: Receipt, verdict: Verdict, node: string): string[] {
  const head = [
    `${receipt.symbol} ${receipt.token}`,
    ...(receipt.block ? [row('block', `${receipt.block.number}, ${receipt.block.hash}`)] : []),
    row('node', node),
    ...describeSteps(receipt),
    row('served', `${receipt.priceInUsd ?? 'no price'} US dollars`),
  ]
  if (verdict.kind === 'cannot-tell') return [...head, '', `Cannot tell. ${verdict.why}.`]
  const computed = row('computed', `${verdict.computed ?? 'no price'} US dollars, from the node's answers alone`)
  if (verdict.kind === 'equal') return [...head, computed, '', 'Equal, to all 18 decimals.', ...describeTrust(receipt)]
  return [
    ...head,
    ...(verdict.computed === undefined ? [] : [computed]),
    '',
    verdict.pool === 0 ? 'Not equal.' : `Not equal, and pool ${verdict.pool} is the first that differs.`,
    ...verdict.differences.map(({ what, served, found }) => row(what, `the site says ${served}, the node ${found}`)),
    ...(verdict.differences[0]?.what.startsWith('hash') ? ['A reorg may have taken the block back just now: try again.'] : []),
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

function describeTrust(receipt: Receipt): string[] {
  return [
    "Taken at the site's word:",
    ...listDollars(receipt).map(({ quote, quoteSymbol }) => `  ${quoteSymbol} (${quote}) is worth one US dollar;`),
    `  ${receipt.factory} is the exchange's factory;`,
    `  how much each pool weighs, that no other pool counts, and the window of ${receipt.windowSeconds ?? 'no'} seconds.`,
  ]
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(20)} ${text}`
}
