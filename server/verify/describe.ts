import { formatFeeTier, hopPrice, oneE18, rawToDecimal, timesFraction } from '@chainboard/core'
import type { Receipt } from '../market/receipt.ts'
import type { Verdict } from './judge.ts'

/** The verdict in plain lines: what was served, hop by hop, what the chain says, and what is taken at the site's word. */
export function describeVerdict(receipt: Receipt, verdict: Verdict, node: string): string[] {
  const head = [
    `${receipt.symbol} ${receipt.token}`,
    ...(receipt.block ? [row('block', `${receipt.block.number}, ${receipt.block.hash}`)] : []),
    row('node', node),
    ...receipt.route.flatMap((hop, i) => describeHop(hop, i + 1)),
    row('served', `${receipt.priceInUsd ?? 'no price'} US dollars`),
  ]
  if (verdict.kind === 'cannot-tell') return [...head, '', `Cannot tell. ${verdict.why}.`]
  const computed = row('computed', `${verdict.computed ?? 'no price'} US dollars, from the node's answers alone`)
  if (verdict.kind === 'equal') return [...head, computed, '', 'Equal, to all 18 decimals.', ...describeTrust(receipt)]
  return [
    ...head,
    ...(verdict.computed === undefined ? [] : [computed]),
    '',
    verdict.hop === 0 ? 'Not equal.' : `Not equal, and hop ${verdict.hop} is the first that differs.`,
    ...verdict.differences.map(({ what, served, found }) => row(what, `the site says ${served}, the node ${found}`)),
    ...(verdict.differences[0]?.what.startsWith('hash') ? ['A reorg may have taken the block back just now: try again.'] : []),
  ]
}

function describeHop(hop: Receipt['route'][number], place: number): string[] {
  const { baseIsToken0, decimals0, decimals1, baseSymbol, quoteSymbol, sqrtPriceX96 } = hop
  const price = timesFraction(oneE18, hopPrice(hop, BigInt(sqrtPriceX96)))
  const formula = baseIsToken0
    ? `sqrtPriceX96^2 x 10^${decimals0} / (2^192 x 10^${decimals1})`
    : `2^192 x 10^${decimals1} / (sqrtPriceX96^2 x 10^${decimals0})`
  return [
    row(`hop ${place}`, `${baseSymbol} in ${quoteSymbol}: ${rawToDecimal(price, 18)}`),
    row('', `pool ${hop.pool}, fee ${formatFeeTier(hop.fee)}`),
    row('', `${formula}, sqrtPriceX96 ${sqrtPriceX96}`),
  ]
}

function describeTrust({ usd, factory, route }: Receipt): string[] {
  return [
    "Taken at the site's word:",
    `  ${route.at(-1)?.quoteSymbol || 'the last token'} (${usd}) is worth one US dollar;`,
    `  ${factory} is the exchange's factory;`,
    '  these pools are the way that counts, and not others that may say another price.',
  ]
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(20)} ${text}`
}
