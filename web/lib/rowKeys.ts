import { useState } from 'react'

export type RowKeys = ReadonlyMap<string, number>

/**
 * Keys for the rows of a list that changes as a whole: what stays keeps its key, and what is new takes that of something that
 * has gone, so that the elements of its row are changed instead of made anew.
 */
export function takeOverKeys(before: RowKeys, ids: readonly string[]): RowKeys {
  const staying = new Set(ids)
  const free = [...before].flatMap(([id, key]) => (staying.has(id) ? [] : [key]))
  let next = Math.max(-1, ...before.values()) + 1
  const toKey = (id: string) => before.get(id) ?? free.shift() ?? next++
  return new Map(ids.map((id) => [id, toKey(id)]))
}

/** A key for each of these ids, of which no two are alike; see {@link takeOverKeys}. */
export function useRowKeys(ids: readonly string[]): RowKeys {
  const [keys, setKeys] = useState<RowKeys>(() => takeOverKeys(new Map(), ids))
  if (ids.length === keys.size && ids.every((id) => keys.has(id))) return keys
  const changed = takeOverKeys(keys, ids)
  setKeys(changed)
  return changed
}
