// Money is a bigint with 18 decimals (`…E18`). Every division here rounds toward zero.

export const oneE18 = 10n ** 18n

/** An exact ratio of two whole numbers. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

/** `value` x `fraction`; 0 when the denominator is 0. */
export function timesFraction(value: bigint, { numerator, denominator }: Fraction): bigint {
  return denominator === 0n ? 0n : (value * numerator) / denominator
}

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
