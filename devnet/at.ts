/** The value at a place of a list, counted from 0. @throws RangeError where the list has none */
export function at<T>(values: readonly T[], place: number): T {
  const value = values[place]
  if (value === undefined) throw new RangeError(`place ${place}: the list has ${values.length}`)
  return value
}
