import { rawToNumber } from './fixedPoint.ts'

const walletPlaces = 3
/** Whole tokens from which a balance is shown as `1.16e+59`: all its digits would fit into no column. */
const exponentFrom = 10n ** 15n

type Places = { readonly min: number; readonly max: number }

/**
 * The balance of a connected wallet, rounded to 3 decimals: `(1234500000000000000n, 18)` -> `1.235`. `0` for nothing, `<0.001` for less than that.
 * @param raw smallest units
 */
export function formatWalletBalance(raw: bigint, decimals: number): string {
  return formatRaw(raw, decimals, { min: walletPlaces, max: walletPlaces })
}

/**
 * A balance of a token: up to 6 decimals where the token has 6, else up to 4, without zeros at the end. `0` for nothing, `<0.0001` for less
 * than can be shown.
 * @param raw smallest units
 */
export function formatTokenBalance(raw: bigint, decimals: number): string {
  return formatRaw(raw, decimals, { min: 0, max: decimals === 6 ? 6 : 4 })
}

function formatRaw(raw: bigint, decimals: number, { min, max }: Places): string {
  if (raw <= 0n) return '0'
  const unit = 10n ** BigInt(decimals)
  const shownUnit = 10n ** BigInt(max)
  if (raw * shownUnit < unit) return `<0.${'1'.padStart(max, '0')}`
  if (raw >= exponentFrom * unit) return rawToNumber(raw, decimals).toExponential(2)
  // Half up, in whole numbers: a double of 18 decimals would lose the end of a large balance.
  const shown = (raw * shownUnit + unit / 2n) / unit
  const whole = (shown / shownUnit).toLocaleString('en-US')
  const fraction = (shown % shownUnit).toString().padStart(max, '0').replace(/0+$/, '').padEnd(min, '0')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
