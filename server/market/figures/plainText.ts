/** A number as a text without an exponent. */
export function toPlainText(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}
