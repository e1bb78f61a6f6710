/** One recorded minute of a USDC pool (USDC = token0, 6 decimals; the other token has 18). Ticks as the pool had them. */
export type RecordedMinute = {
  /** Unix seconds at which the minute begins. */
  readonly seconds: number
  readonly openTick: number
  readonly highestTick: number
  readonly lowestTick: number
  readonly closeTick: number
}

const tickMax = 887_272
const rowsMax = 200_000
const columns = ['timestamp', 'open_tick', 'highest_tick', 'lowest_tick', 'close_tick'] as const
const longestQuote = 60

/**
 * Reads a recording: a line of column names, then a line a minute. Columns other than the five used are ignored.
 * @throws Error naming line, field, what was found and what was wanted
 */
export function parseRecording(csv: string): RecordedMinute[] {
  const lines = csv.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const places = findColumns(lines[0] ?? '')
  if (lines.length < 2) throw fault(2, 'timestamp', '', 'at least one row')
  if (lines.length - 1 > rowsMax) throw fault(rowsMax + 2, 'timestamp', lines[rowsMax + 1] ?? '', `no more than ${rowsMax} rows`)
  const rows: RecordedMinute[] = []
  for (const [place, line] of lines.slice(1).entries()) rows.push(parseRow(line, place + 2, places, rows.at(-1)))
  return rows
}

type Column = (typeof columns)[number]

function findColumns(header: string): Map<Column, number> {
  const names = header.split(',').map((name) => name.trim())
  return new Map(
    columns.map((column) => {
      const place = names.indexOf(column)
      if (place < 0) throw fault(1, column, header, `a column named ${column}`)
      return [column, place]
    }),
  )
}

function parseRow(line: string, number: number, places: Map<Column, number>, before: RecordedMinute | undefined): RecordedMinute {
  const cells = line.split(',')
  const read = (column: Column, wanted: string, isGood: (value: number) => boolean): number => {
    const text = (cells[places.get(column) ?? -1] ?? '').trim()
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (!isGood(value)) throw fault(number, column, text, wanted)
    return value
  }
  const afterSeconds = before?.seconds ?? 0
  const isNext = (value: number) => value > afterSeconds && value % 60 === 0 && value < 2 ** 40
  const seconds = read('timestamp', `unix seconds of a full minute after ${afterSeconds}`, isNext)
  const tick = (column: Column, from = -tickMax) =>
    read(column, `a tick from ${from} to ${tickMax}`, (value) => value >= from && value <= tickMax)
  const lowestTick = tick('lowest_tick')
  // Opening and close may lie outside: recorders take them from prices, the extremes from swaps.
  return {
    seconds,
    openTick: tick('open_tick'),
    highestTick: tick('highest_tick', lowestTick),
    lowestTick,
    closeTick: tick('close_tick'),
  }
}

function fault(line: number, field: string, found: string, wanted: string): Error {
  const quoted = found.length > longestQuote ? `${found.slice(0, longestQuote)}…` : found
  return new Error(`line ${line}, field ${field}: found "${quoted}", expected ${wanted}`)
}
