import type { WireWarning } from '@chainboard/contract'
import { type Address, formatAmount, formatPrice, rawToNumber, shortenAddress, toDisplayText } from '@chainboard/core'
import type { HolderSale } from './simulateHolders.ts'
import type { Sale } from './simulateSale.ts'

/** Parts of 10,000 that may be missing: some tokens round. */
const missingMax = 10n

/** The simulation takes one part in so many of what the pool has. */
const partTaken = 1_000n
/** Parts of 10,000 that a pool may lack of what its events say: blocks lie between the two. */
const shortMax = 200n

/** `reserveRaw`: what the pool should have by its events; undefined where that is not known. */
type Sold = {
  readonly symbol: string
  readonly decimals: number
  readonly pool: Address
  readonly reserveRaw?: bigint | undefined
}

/** What a simulated sale warns of, the worst first; empty when all that was sent arrived and the pool has what it should. Pure. */
export function describeSale(sale: Sale, { symbol, decimals, pool, reserveRaw }: Sold): WireWarning[] {
  const toText = (raw: bigint) => toAmount(rawToNumber(raw, decimals))
  const name = toDisplayText(symbol, 'tokens', 16)
  const evidence = `simulated at block ${sale.block} with the pool ${shortenAddress(pool)}`
  const whole = `${toText(sale.taken)} ${name}`
  if (sale.kind === 'not-taken')
    return [{ code: 'cannot-sell', text: `${whole} could not be bought: the transfer failed (${evidence})` }]
  if (sale.kind === 'not-sold')
    return [{ code: 'cannot-sell', text: `${whole} were bought and could not be sold back (${evidence})` }]
  const { taken, received, returned } = sale
  const sent = received < taken ? received : taken
  const legs = [
    ...(isShort(taken, received) ? [`Of ${whole} bought, ${toText(received)} arrived`] : []),
    ...(isShort(sent, returned) ? [`Of ${toText(sent)} ${name} sold, ${toText(returned)} arrived`] : []),
  ]
  const held = taken * partTaken
  const isLacking = reserveRaw !== undefined && (reserveRaw - held) * 10_000n > reserveRaw * shortMax
  const lack = isLacking
    ? `about ${toText(held)} ${name} and should have ${toText(reserveRaw)} by its trades and deposits`
    : undefined
  return [
    ...(legs.length === 0 ? [] : [{ code: 'sell-tax' as const, text: `${legs.join('. ')} (${evidence})` }]),
    ...(lack
      ? [
          {
            code: 'pool-short' as const,
            text: `The pool has ${lack} (${evidence}). Its TVL and depth count tokens that are not there`,
          },
        ]
      : []),
  ]
}

/** What simulated sales by holders warn of: only what none of them could do. Pure. */
export function describeHolders(sales: readonly HolderSale[], { symbol, decimals, pool }: Sold): WireWarning[] {
  const [first] = sales
  if (!first || !sales.every(({ amount, arrived }) => isShort(amount, arrived))) return []
  const toText = (raw: bigint) => toAmount(rawToNumber(raw, decimals))
  const who =
    sales.length === 1 ? 'a wallet that bought it before' : `${sales.length} of ${sales.length} wallets that bought it before`
  const evidence = `${shortenAddress(first.holder)}, simulated at block ${first.block} with the pool ${shortenAddress(pool)}`
  const part = `${toText(first.amount)} ${toDisplayText(symbol, 'tokens', 16)}`
  return sales.some(({ arrived }) => arrived === 0n)
    ? [{ code: 'cannot-sell', text: `It could not be sold by ${who}: the transfer of ${part} failed (${evidence})` }]
    : [{ code: 'sell-tax', text: `It was taxed when sold by ${who}: of ${part}, ${toText(first.arrived)} arrived (${evidence})` }]
}

function isShort(sent: bigint, arrived: bigint): boolean {
  return (sent - arrived) * 10_000n > sent * missingMax
}

function toAmount(amount: number): string {
  return amount >= 1 ? formatAmount(amount) : formatPrice(amount)
}
