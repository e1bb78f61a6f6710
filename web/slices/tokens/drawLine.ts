/** Room above the highest and under the lowest point, so that the stroke is not cut. */
const marginPx = 2

/** The path of a line through these values, the first at the left edge; one that never moves runs through the middle. */
export function drawLine(
  values: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const step = width / Math.max(1, values.length - 1)
  const inner = height - 2 * marginPx
  const toY = (value: number) => marginPx + (span === 0 ? inner / 2 : inner - ((value - low) / span) * inner)
  return values.map((value, i) => `${i === 0 ? 'M' : 'L'}${(i * step).toFixed(1)} ${toY(value).toFixed(1)}`).join('')
}
