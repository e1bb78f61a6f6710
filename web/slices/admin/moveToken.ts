/** The list with the item at `place` one step earlier (-1) or later (1); as it was at its ends. */
export function move<T>(list: readonly T[], place: number, step: -1 | 1): readonly T[] {
  const [item, other] = [list[place], list[place + step]]
  if (item === undefined || other === undefined) return list
  return list.with(place, other).with(place + step, item)
}
