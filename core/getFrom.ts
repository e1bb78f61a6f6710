/** What a map has of a key that must be in it. @throws RangeError where it is not, which is a bug of the caller */
export function getFrom<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new RangeError(`No entry of ${String(key)}`)
  return value
}
