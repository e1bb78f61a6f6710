import { type ExtraKey, isExtra } from './tableLook.ts'

/** How wide each further column is, in px. */
const widths: Readonly<Record<ExtraKey, number>> = {
  ...{ m5: 76, h1: 76, h6: 76 },
  ...{ d7: 80, spark: 112, liquidity: 88 },
  ...{ organic: 88, age: 56, confidence: 80 },
}

/** Beside the other columns and a name of 190 px, in windows of less than 1000 px, from that, from 1232 px and wide ones. */
const rooms = [0, 140, 370, 920] as const

/** How many px a window has for further columns. @param step how many of these widths it reaches */
export function roomOf(step: number): number {
  return rooms[step] ?? 0
}

/** The first of these columns, as many as there is room for, in the order of the table. */
export function fitColumns(columns: string, room: number): readonly ExtraKey[] {
  let left = room
  const chosen = columns.split('.').filter(isExtra)
  const fitting = chosen.filter((key) => {
    left -= widths[key]
    return left >= 0
  })
  return Object.keys(widths)
    .filter(isExtra)
    .filter((key) => fitting.includes(key))
}
