import { useState } from 'react'

export type RowKeys = ReadonlyMap<string, number>

/** Keys for the rows of a list that was read again: what stays keeps its key, and nothing gets that of what has gone. */
export function keepKeys(before: RowKeys, ids: readonly string[]): RowKeys {
  let next = Math.max(-1, ...before.values()) + 1
  return new Map(ids.map((id) => [id, before.get(id) ?? next++]))
}

/** Keys for the rows of another list: each takes that of the row in its place, so that elements are changed instead of made anew or moved. */
export function takePlaces(before: RowKeys, ids: readonly string[]): RowKeys {
  const places = [...before.values()]
  let next = Math.max(-1, ...places) + 1
  return new Map(ids.map((id, index) => [id, places[index] ?? next++]))
}

/**
 * A key for each of these ids, of which no two are alike: by {@link takePlaces} when they are of another `list`, whatever object stands
 * for that, else by {@link keepKeys}. So, too, with the focus in a row: the button that somebody is about to press never becomes another's.
 */
export function useRowKeys(ids: readonly string[], list: unknown, hasFocus: () => boolean): RowKeys {
  const [known, setKnown] = useState({ list, keys: keepKeys(new Map(), ids) })
  const { keys } = known
  const isSame = known.list === list
  if (isSame && ids.length === keys.size && ids.every((id) => keys.has(id))) return keys
  const changed = isSame || hasFocus() ? keepKeys(keys, ids) : takePlaces(keys, ids)
  setKnown({ list, keys: changed })
  return changed
}
