import { e18ToNumber, formatMoney, formatTokenBalance, noValue } from '@chainboard/core'

const cent = 10n ** 16n

/** `1500.25` of a token with 6 decimals -> `1,500.25`; the digits shown are the specification's. */
export function formatBalanceText(balance: string, decimals: number): string {
  const [whole = '0', fraction = ''] = balance.split('.')
  const places = Math.max(decimals, fraction.length)
  return formatTokenBalance(BigInt(whole + fraction.padEnd(places, '0')), places)
}

/** Short: `$1.23M`. `<$0.01` for less than can be shown, `N/A` without a price. */
export function formatValue(usdE18: bigint | undefined): string {
  if (usdE18 === undefined) return noValue
  return usdE18 > 0n && usdE18 < cent / 2n ? '<$0.01' : formatMoney(e18ToNumber(usdE18))
}

/** To the cent: `$1,234,567.89`. */
export function formatExactValue(usdE18: bigint): string {
  const cents = (usdE18 + cent / 2n) / cent
  return `$${(cents / 100n).toLocaleString('en-US')}.${(cents % 100n).toString().padStart(2, '0')}`
}

/** `12.3%` of the whole; of nothing there are no shares. */
export function formatShare(partE18: bigint | undefined, wholeE18: bigint): string {
  if (partE18 === undefined || wholeE18 === 0n) return noValue
  const tenths = (partE18 * 1_000n + wholeE18 / 2n) / wholeE18
  if (tenths === 0n && partE18 > 0n) return '<0.1%'
  if (tenths === 1_000n && partE18 < wholeE18) return '>99.9%'
  return `${tenths / 10n}.${tenths % 10n}%`
}
