/** The cells of a table that follows a heading or another text, without its head. */
export function readRows(section: string, after = ''): string[][] {
  const lines = section.slice(section.indexOf(after)).split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  const count = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  const table = lines.slice(first, count < 0 ? undefined : first + count)
  return table.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

/** How a section was measured on a quiet machine. */
export const quiet = {
  command: 'npm run bench -- it',
  machine: { words: ['CPU: one'], busy: false },
}
