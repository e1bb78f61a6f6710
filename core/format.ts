// Texts of figures, as the specification's §9 wants them. The same text on every screen and in every answer of the server.

/** Shown where there is no figure. */
export const noValue = 'N/A'

/** From here on a double no longer holds cents, and all its digits would fit into no column: `1.00e+15`. */
const exponentFrom = 1e15

const kept = new Map<string, Intl.NumberFormat>()

/** Making a formatter costs more than a hundred uses of it. A number that rounds to zero has no sign. */
function numberFormat(decimalsMin: number, decimalsMax: number): Intl.NumberFormat {
  const key = `${decimalsMin} ${decimalsMax}`
  const known = kept.get(key)
  if (known) return known
  const options = { minimumFractionDigits: decimalsMin, maximumFractionDigits: decimalsMax, signDisplay: 'negative' } as const
  const made = new Intl.NumberFormat('en-US', options)
  kept.set(key, made)
  return made
}

function toDigits(value: number, decimalsMin: number, decimalsMax = decimalsMin): string {
  return Math.abs(value) >= exponentFrom ? value.toExponential(2) : numberFormat(decimalsMin, decimalsMax).format(value)
}

function isFigure(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** `-1.00` -> `-$1.00` */
function withDollar(digits: string): string {
  return digits.startsWith('-') ? `-$${digits.slice(1)}` : `$${digits}`
}

const scales = [
  { from: 1, letter: '' },
  { from: 1e3, letter: 'K' },
  { from: 1e6, letter: 'M' },
  { from: 1e9, letter: 'B' },
  { from: 1e12, letter: 'T' },
] as const

/** `1234567` -> `$1.23M`; under 1,000 two decimals; `N/A` for what is no number. What rounds to 1,000 of a unit is 1 of the next. */
export function formatMoney(usd: number | null | undefined): string {
  if (!isFigure(usd)) return noValue
  const size = Math.abs(usd)
  const own = scales.findLastIndex(({ from }) => size >= from)
  const scale = scales[own] ?? scales[0]
  const next = Number((size / scale.from).toFixed(2)) >= 1_000 ? scales[own + 1] : undefined
  const { from, letter } = next ?? scale
  return size >= exponentFrom * 1e3 ? withDollar(toDigits(usd, 2)) : `${withDollar(toDigits(usd / from, 2))}${letter}`
}

/** Decimals a price is shown with: the smaller the price, the more of them. */
export function priceDecimals(price: number): number {
  const size = Math.abs(price)
  if (size === 0 || size >= 1) return 2
  if (size < 0.0001) return 8
  return size < 0.01 ? 6 : 4
}

/** Below this the eight decimals of the smallest prices are all zeros. */
const zerosCountedBelow = 0.5e-8
const digitsAfterZeros = 4

/** `0.00001234` -> `0.00001234`, `0.5` -> `0.5000`, `1234.5` -> `1,234.50`. What would read as zero counts its zeros: `1e-12` -> `0.0₁₁1`. No currency sign. */
export function formatPrice(price: number | null | undefined): string {
  if (!isFigure(price)) return noValue
  const size = Math.abs(price)
  if (size > 0 && size < zerosCountedBelow) return `${price < 0 ? '-' : ''}${countZeros(size)}`
  return toDigits(price, priceDecimals(price))
}

/** Zeros after the point as a small number, then the first digits: 11 zeros and a 1 -> `0.0₁₁1`. */
function countZeros(size: number): string {
  const [digits = '', exponent = ''] = size.toExponential(digitsAfterZeros - 1).split('e-')
  const zeros = [...String(Number(exponent) - 1)].map((digit) => String.fromCodePoint(0x2080 + Number(digit))).join('')
  return `0.0${zeros}${digits.replace('.', '').replace(/0+$/, '')}`
}

/** A price in US dollars: `$0.5000`. */
export function formatUsdPrice(usd: number | null | undefined): string {
  return isFigure(usd) ? withDollar(formatPrice(usd)) : noValue
}

/** `3.14159` -> `+3.14%`, `-2` -> `-2.00%`; what rounds to zero has no sign. */
export function formatPercent(percent: number | null | undefined): string {
  if (!isFigure(percent)) return noValue
  const text = toDigits(percent, 2)
  return `${text === '0.00' || text.startsWith('-') ? '' : '+'}${text}%`
}

/** An amount of a swap: up to 2 decimals, no zeros at the end: `1234.5` -> `1,234.5`. */
export function formatAmount(amount: number | null | undefined): string {
  return isFigure(amount) ? toDigits(amount, 0, 2) : noValue
}

/** First 6 and last 4 characters: `0x1234…abcd`. */
export function shortenAddress(address: string): string {
  return address.length <= 10 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`
}

/** `feeTier` in millionths: `3000` -> `0.3%`. */
export function formatFeeTier(feeTier: number): string {
  return isFigure(feeTier) ? `${toDigits(feeTier / 10_000, 0, 4)}%` : noValue
}
