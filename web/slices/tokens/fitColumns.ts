/** Beside the other columns and a name of 190 px, in windows of less than 1000 px, from that, from 1232 px and wide ones. */
const rooms = [0, 140, 370, 920] as const

/** How many px a window has for further columns. @param step how many of these widths it reaches */
export function roomOf(step: number): number {
  return rooms[step] ?? 0
}

/**
 * The first of the chosen columns, as many as there is room for, in the order of the table.
 * @param chosen in the order in which they were chosen
 * @param widths of every column, in px, in the order of the table
 */
export function fitColumns<Key extends string>(
  chosen: readonly NoInfer<Key>[],
  widths: readonly (readonly [key: Key, px: number])[],
  room: number,
): readonly Key[] {
  const pxOf = new Map<string, number>(widths)
  let left = room
  const fitting = chosen.filter((key) => {
    left -= pxOf.get(key) ?? 0
    return left >= 0
  })
  return widths.flatMap(([key]) => (fitting.includes(key) ? key : []))
}
