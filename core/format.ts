import { daySeconds, hourSeconds } from './periods.ts'
// Texts of figures, as the specification's §9 wants them. The same text on every screen and in every answer of the server.

/** Shown where there is no figure. */
export const noValue = 'N/A'

const units = [
  { from: 1e12, letter: 'T' },
  { from: 1e9, letter: 'B' },
  { from: 1e6, letter: 'M' },
  { from: 1e3, letter: 'K' },
] as const

/** Half a cent under a unit rounds up into it, so 999,999.999 reads 1.00M and not 1000.00K. */
const roundedUp = 0.999995

/** `1234567` -> `$1.23M`; under 1,000 two decimals; `N/A` for what is no number. */
export function formatMoney(usd: number | null | undefined): string {
  if (usd === null || usd === undefined || !Number.isFinite(usd)) return noValue
  const size = Math.abs(usd)
  const unit = units.find(({ from }) => size >= from * roundedUp)
  const sign = usd < 0 ? '-' : ''
  return unit ? `${sign}$${(size / unit.from).toFixed(2)}${unit.letter}` : `${sign}$${size.toFixed(2)}`
}

/** Decimals a price is shown with: the smaller the price, the more of them. */
export function priceDecimals(price: number): number {
  const size = Math.abs(price)
  if (size === 0 || size >= 1) return 2
  if (size < 0.0001) return 8
  return size < 0.01 ? 6 : 4
}

/** `0.00001234` -> `0.00001234`, `0.5` -> `0.5000`, `1234.5` -> `1,234.50`. No currency sign. */
export function formatPrice(price: number | null | undefined): string {
  if (price === null || price === undefined || !Number.isFinite(price)) return noValue
  const decimals = priceDecimals(price)
  return price.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** A price in US dollars: `$0.5000`. */
export function formatUsdPrice(usd: number | null | undefined): string {
  const text = formatPrice(usd)
  return text === noValue ? text : text.startsWith('-') ? `-$${text.slice(1)}` : `$${text}`
}

/** `3.14159` -> `+3.14%`, `-2` -> `-2.00%`; what rounds to zero has no sign. */
export function formatPercent(percent: number | null | undefined): string {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) return noValue
  const text = Math.abs(percent).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  if (text === '0.00') return '0.00%'
  return `${percent < 0 ? '-' : '+'}${text}%`
}

/** Up to `decimalsMax` decimals, no trailing zeros: `1234.5` -> `1,234.5`. */
export function formatAmount(amount: number | null | undefined, decimalsMax = 2): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return noValue
  return amount.toLocaleString('en-US', { maximumFractionDigits: decimalsMax })
}

/** First 6 and last 4 characters: `0x1234…abcd`. */
export function shortenAddress(address: string): string {
  return address.length <= 10 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`
}

/** `feeTier` in millionths: `3000` -> `0.3%`. */
export function formatFeeTier(feeTier: number): string {
  return `${(feeTier / 10_000).toLocaleString('en-US', { maximumFractionDigits: 4 })}%`
}

const minuteSeconds = 60

/** `45s ago`, `3m ago`, `5h ago`, up to `7d ago`, then the date `Nov 2, 2026`. What lies ahead reads `0s ago`. */
export function formatRelativeTime(atSeconds: number, nowSeconds: number): string {
  const age = Math.max(0, Math.floor(nowSeconds - atSeconds))
  if (age < minuteSeconds) return `${age}s ago`
  if (age < hourSeconds) return `${Math.floor(age / minuteSeconds)}m ago`
  if (age < daySeconds) return `${Math.floor(age / hourSeconds)}h ago`
  if (age <= 7 * daySeconds) return `${Math.floor(age / daySeconds)}d ago`
  return new Date(atSeconds * 1000).toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
}
