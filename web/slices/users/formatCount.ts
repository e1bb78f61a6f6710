/** `12345` -> `12,345` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** Five signs at most, where there is no room for more: `1234` -> `1,234`, `12345` -> `12.3K` */
export function formatShortCount(count: number): string {
  return count < 10_000 ? formatCount(count) : compact.format(count)
}

/** An average of two decimals at most, as the server rounds it: `1.5` -> `1.50`. */
export function formatAverage(average: number): string {
  return average.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

/** `3` of `8` -> `37.5%`; of nobody it is `0%`. */
export function formatPercentOf(part: number, whole: number): string {
  if (whole <= 0) return '0%'
  return `${((part / whole) * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}%`
}
