// Money is a bigint with 18 decimals (`…E18`). Every division here rounds toward zero.

/** One with 18 decimals: a dollar, or a whole token of 18 decimals. */
export const oneE18 = 10n ** 18n

/** An exact ratio of two whole numbers. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

/** `value` x `fraction`; 0 when the denominator is 0. */
export function timesFraction(value: bigint, { numerator, denominator }: Fraction): bigint {
  return denominator === 0n ? 0n : (value * numerator) / denominator
}

const powersOfTen = Array.from({ length: 256 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10^decimals, out of a table for those that a token can have. */
export function tenTo(decimals: number): bigint {
  return powersOfTen[decimals] ?? 10n ** BigInt(decimals)
}

/** The value without its sign. */
export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** For the wire and the screen only: the nearest double. */
export function e18ToNumber(valueE18: bigint): number {
  return rawToNumber(valueE18, 18)
}

/** Smallest units -> whole tokens, as the nearest double. */
export function rawToNumber(amountRaw: bigint, decimals: number): number {
  return Number(rawToDecimal(amountRaw, decimals))
}

/** Smallest units -> whole tokens, exactly: `(1500000n, 6)` -> `1.5`, `(-1n, 2)` -> `-0.01`. */
export function rawToDecimal(amountRaw: bigint, decimals: number): string {
  const digits = absolute(amountRaw)
    .toString()
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${amountRaw < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** Percent from `before` to `after` to 6 decimals; `undefined` when there was nothing before. */
export function percentChange(before: bigint, after: bigint): number | undefined {
  if (before <= 0n) return undefined
  return Number(((after - before) * 100_000_000n) / before) / 1e6
}

/** Exponents past which a decimal text is no figure of money or of tokens any more. */
const exponentMax = 100

/**
 * A decimal text as x 10^18, digit by digit: `1.5`, `-0.25`, `9.25e-6`, `1.2e+21`. Digits past the 18th decimal are cut off.
 * `undefined` for what is no finite number.
 */
export function decimalToE18(text: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > exponentMax) return undefined
  const shift = 18 + exponent - fraction.length
  const digits = BigInt(whole + fraction)
  const size = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return sign ? -size : size
}

/** A JSON number as x 10^18, exactly as its shortest decimal text says it: `0.1` -> 10^17. `undefined` when not finite. */
export function numberToE18(value: number): bigint | undefined {
  return decimalToE18(String(value))
}
