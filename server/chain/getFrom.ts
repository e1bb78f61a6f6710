/** The value that a map has for a key. @throws RangeError when it has none: to be called only where it must, so that is a bug */
export function getFrom<K, V>(map: ReadonlyMap<K, V>, key: K): NonNullable<V> {
  const value = map.get(key)
  if (value === undefined || value === null) throw new RangeError(`Nothing is known of ${String(key)}`)
  return value
}
