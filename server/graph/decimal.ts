/** Digits that a decimal number of the query language carries at most, as in The Graph. */
const significantDigitsMax = 34

/** `value` / 10^`scale` as plain digits: no exponent, no trailing zeros, rounded half up to 34 significant digits. */
export function showDecimal(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString()
  const surplus = digits.length - significantDigitsMax
  if (surplus > 0) {
    const step = 10n ** BigInt(surplus)
    const rounded = ((BigInt(digits) + step / 2n) / step) * step
    return place(rounded.toString(), scale, value < 0n)
  }
  return place(digits, scale, value < 0n)
}

/** `numerator` / `denominator` to 34 significant digits; `0` when the denominator is 0. */
export function showRatio(numerator: bigint, denominator: bigint): string {
  if (numerator === 0n || denominator === 0n) return '0'
  // Digits more than are shown, the estimate being out by up to three, so that what is cut off cannot turn the rounding.
  const scale = Math.max(0, significantDigitsMax + 5 - (digitsOf(numerator) - digitsOf(denominator)))
  return showDecimal((numerator * 10n ** BigInt(scale)) / denominator, scale)
}

/** About how many decimal digits a number has; hexadecimal ones are much quicker to count. */
function digitsOf(value: bigint): number {
  return Math.floor((value < 0n ? -value : value).toString(16).length * Math.log10(16))
}

function place(digits: string, scale: number, negative: boolean): string {
  const padded = digits.padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  const fraction = padded.slice(padded.length - scale).replace(/0+$/, '')
  const text = fraction ? `${whole}.${fraction}` : whole
  return negative && text !== '0' ? `-${text}` : text
}
