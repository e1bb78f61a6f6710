/** A table that reads well in a terminal and in Markdown. All columns but the first `left` ones hold numbers, aligned right. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[], left = 1): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) =>
    `| ${widths.map((width, column) => pad(row[column] ?? '', width, column < left)).join(' | ')} |`
  const rule = toLine(widths.map((width, column) => (column < left ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)))
  return [toLine(head), rule, ...rows.map(toLine)].join('\n')
}

function pad(text: string, width: number, left: boolean): string {
  return left ? text.padEnd(width) : text.padStart(width)
}
