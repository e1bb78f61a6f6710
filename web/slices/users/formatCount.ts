/** `12345` -> `12,345` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
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
