import { type Address, decimalToE18, guardE18, rawToDecimal, usdAlong } from '@chainboard/core'
import type { Receipt } from '../market/receipt.ts'
import { toChecksum } from '../market/toChecksum.ts'
import type { Difference } from './judge.ts'
import { toAddress } from './listPools.ts'
import type { Choice } from './readChoice.ts'

/** Where a receipt's weights and its choice of pools differ from the node's; by the name of the field. Pure. */
export function judgeChoice(receipt: Receipt, choice: Choice): Difference[] {
  return [
    ...receipt.steps.flatMap((step) => judgeStep(step, choice)),
    ...judgeRest(receipt, choice),
    ...compare('checksum', receipt.checksum, toOwnChecksum(receipt)),
  ]
}

/** A receipt's checksum as its other fields give it. */
export function toOwnChecksum({ checksum: _, reasons: _reasons, warnings: _warnings, ...claims }: Receipt): string {
  return toChecksum(claims)
}

function judgeStep({ token, symbol, pools }: Receipt['steps'][number], { found, unproven }: Choice): Difference[] {
  const offers = new Map((found.get(toAddress(token))?.offers ?? []).map((offer) => [offer.hop.pool, offer]))
  const stated = new Set(pools.map(({ pool }) => toAddress(pool)))
  const differences: Difference[] = []
  for (const { pool, depthUsd, weightUsd, usdPrice, firstSwapAt } of pools) {
    const address = toAddress(pool)
    const offer = offers.get(address)
    if (unproven.has(address))
      differences.push({ what: `firstSwapAt of ${pool}`, served: String(firstSwapAt ?? 'none'), found: 'no such trade' })
    if (!offer) differences.push({ what: `pool of ${symbol}`, served: `${pool} counts`, found: 'that it does not' })
    else
      differences.push(
        ...compare(`depthUsd of ${pool}`, depthUsd, rawToDecimal(offer.hop.depthUsdE18, 18)),
        ...compare(`weightUsd of ${pool}`, weightUsd, rawToDecimal(offer.weightUsdE18, 18)),
        ...compare(`usdPrice of ${pool}`, usdPrice, rawToDecimal(offer.usdE36 / guardE18, 18)),
      )
  }
  for (const [address, { weightUsdE18 }] of offers)
    if (!stated.has(address))
      differences.push({
        what: `pool of ${symbol}`,
        served: `nothing of ${address}`,
        found: `that it was left out, with a weight of ${rawToDecimal(weightUsdE18, 18)} US dollars`,
      })
  return differences
}

function judgeRest(receipt: Receipt, { found, bounds, pools }: Choice): Difference[] {
  const token = toAddress(receipt.token)
  const [priced, bound] = [found.get(token), bounds.get(token)]
  if (!priced || !bound) return []
  const { route, settled, usdE18 } = priced
  const lastUsdE18 = usdAlong(route, (pool: Address) => pools.get(pool)?.sqrtPriceX96)
  const [low, high] = [bound.lowE36 / guardE18, bound.highE36 / guardE18]
  return [
    ...compare('route', receipt.route.map(({ pool }) => pool.toLowerCase()).join(', '), route.map(({ pool }) => pool).join(', ')),
    ...compare('priceInUsd', receipt.priceInUsd ?? 'none', rawToDecimal(usdE18, 18)),
    ...compare('lastPriceUsd', receipt.lastPriceUsd ?? 'none', toText(lastUsdE18)),
    ...compare('depthUsd', receipt.depthUsd ?? 'none', toText(settled.depthUsdE18)),
    ...compare('costToMove10Percent', receipt.costToMove10Percent ?? 'none', toText(bound.costUsdE18)),
    // What the price was in the last hours may widen the range, and nothing may narrow it.
    ...(isWithin(receipt.priceLow, receipt.priceHigh, { low, high })
      ? []
      : [
          {
            what: 'priceLow, priceHigh',
            served: `${receipt.priceLow ?? 'none'} to ${receipt.priceHigh ?? 'none'}`,
            found: `at least ${rawToDecimal(low, 18)} to ${rawToDecimal(high, 18)}`,
          },
        ]),
  ]
}

function isWithin(low: string | null, high: string | null, wanted: { readonly low: bigint; readonly high: bigint }): boolean {
  const toE18 = (text: string | null) => (text === null ? undefined : decimalToE18(text))
  const [from, to] = [toE18(low), toE18(high)]
  return from !== undefined && to !== undefined && from <= wanted.low && to >= wanted.high
}

function toText(valueE18: bigint | undefined): string {
  return valueE18 === undefined ? 'none' : rawToDecimal(valueE18, 18)
}

/** Nothing when both are the same. */
export function compare(what: string, served: string, found: string): Difference[] {
  return served.toLowerCase() === found.toLowerCase() ? [] : [{ what, served, found }]
}
