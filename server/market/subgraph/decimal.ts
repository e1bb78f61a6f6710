/** A decimal number as a subgraph writes it: plain, with many digits, or with an exponent. What does not match is no number. */
export const decimalPattern = '^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$'
/** Longest text taken for a number: 10^-40 with 34 digits behind it has 76. */
export const numberLengthMax = 200

/** `digits` / 10^`scale`; `scale` may be negative. */
type Decimal = { readonly digits: bigint; readonly scale: number }

/**
 * Whole tokens as decimal text -> smallest units, exactly; what is finer than a smallest unit is cut off toward zero.
 * `('-0.035', 18)` -> `-35000000000000000n`, `('1e-7', 6)` -> `0n`.
 * @param text that matches `decimalPattern`
 */
export function decimalToRaw(text: string, decimals: number): bigint {
  const { digits, scale } = parseDecimal(text)
  const shift = decimals - scale
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
}

/**
 * A subgraph's `token0Price` (whole token0 for one whole token1) -> the sqrtPriceX96 nearest to it.
 * @returns undefined for 0, as subgraphs say before a pool's first swap
 */
export function token0PriceToSqrtX96(text: string, decimals0: number, decimals1: number): bigint | undefined {
  const { digits, scale } = parseDecimal(text)
  if (digits <= 0n) return undefined
  // token1 per token0 in smallest units is 10^decimals1 / (price x 10^decimals0), and the root of its 2^192-fold is wanted.
  const up = decimals1 + Math.max(0, scale)
  const down = decimals0 + Math.max(0, -scale)
  const squareX192 = ((1n << 192n) * 10n ** BigInt(up)) / (digits * 10n ** BigInt(down))
  // The root of the fourfold is the double, whose last bit rounds.
  return (integerRoot(squareX192 * 4n) + 1n) >> 1n
}

function parseDecimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return {
    digits: BigInt(`${whole.replace('-', '')}${fraction}`) * (whole.startsWith('-') ? -1n : 1n),
    scale: fraction.length - Number(exponent),
  }
}

/** The whole part of a square root, by Newton's method from above: each step about doubles the right bits. */
function integerRoot(square: bigint): bigint {
  if (square < 2n) return square
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
