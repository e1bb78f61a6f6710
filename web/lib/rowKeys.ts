import { useState } from 'react'

export type RowKeys = ReadonlyMap<string, number>

/** Keys for the rows of a list while one of them has the focus: what stays keeps its key, and nothing gets that of what has gone. */
export function keepKeys(before: RowKeys, ids: readonly string[]): RowKeys {
  let next = Math.max(-1, ...before.values()) + 1
  return new Map(ids.map((id) => [id, before.get(id) ?? next++]))
}

/**
 * Keys for the rows of a list that was read again: what stays keeps its key, and what is new takes that of something that
 * has gone, so that the elements of its row are changed instead of made anew.
 */
export function takeOverKeys(before: RowKeys, ids: readonly string[]): RowKeys {
  const staying = new Set(ids)
  const free = [...before].flatMap(([id, key]) => (staying.has(id) ? [] : [key]))
  let next = Math.max(-1, ...before.values()) + 1
  const toKey = (id: string) => before.get(id) ?? free.shift() ?? next++
  return new Map(ids.map((id) => [id, toKey(id)]))
}

/** Keys for the rows of another list: each takes that of the row in its place, so that no element moves. */
export function takePlaces(before: RowKeys, ids: readonly string[]): RowKeys {
  const places = [...before.values()]
  let next = Math.max(-1, ...places) + 1
  return new Map(ids.map((id, index) => [id, places[index] ?? next++]))
}

/**
 * A key for each of these ids, of which no two are alike: by {@link takeOverKeys} while they are of the same `list`, whatever object
 * stands for that, and by {@link takePlaces} when it is another. With the focus in a row by {@link keepKeys}: the button that somebody is
 * about to press never becomes another's.
 */
export function useRowKeys(ids: readonly string[], list: unknown, hasFocus: () => boolean): RowKeys {
  const [known, setKnown] = useState({ list, keys: keepKeys(new Map(), ids) })
  const { keys } = known
  const isSame = known.list === list
  if (isSame && ids.length === keys.size && ids.every((id) => keys.has(id))) return keys
  const changed = (hasFocus() ? keepKeys : isSame ? takeOverKeys : takePlaces)(keys, ids)
  setKnown({ list, keys: changed })
  return changed
}
