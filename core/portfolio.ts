/** What a wallet has of one token. `balance` is whole tokens as an exact decimal text, as the server answers it: `1500.25`. */
export type Holding = { readonly tokenAddress: string; readonly balance: string }

/** `usdE18` is US dollars x 10^18, rounded down; undefined when the token has no price. */
export type Valued<H extends Holding> = H & { readonly usdE18: bigint | undefined }

/** Holdings with their values, in the order given. What has no price adds nothing to the total. */
export type ValuedHoldings<H extends Holding> = { readonly holdings: readonly Valued<H>[]; readonly totalUsdE18: bigint }

/**
 * Values what a wallet holds, digit by digit: `2.5` at 2,500 dollars is 6,250 x 10^18. Stakes are holdings too.
 * @param usdE18Of US dollars per whole token x 10^18; undefined without a price. It is asked for `native` as well
 */
export function valueHoldings<H extends Holding>(
  holdings: readonly H[],
  usdE18Of: (tokenAddress: string) => bigint | undefined,
): ValuedHoldings<H> {
  const valued = holdings.map((holding) => {
    const priceE18 = usdE18Of(holding.tokenAddress)
    return { ...holding, usdE18: priceE18 === undefined ? undefined : timesDecimal(priceE18, holding.balance) }
  })
  return { holdings: valued, totalUsdE18: valued.reduce((total, { usdE18 = 0n }) => total + usdE18, 0n) }
}

/** All digits of the text count: a token may have more than 18 decimals. Undefined for a text that is no amount. */
function timesDecimal(valueE18: bigint, text: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  return (valueE18 * BigInt(whole + fraction)) / 10n ** BigInt(fraction.length)
}
