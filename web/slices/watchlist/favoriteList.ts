import { isSameHex } from '@chainboard/core'
// A list of favourite tokens: addresses in lower case, in the order they were added. Compared without regard to case.

export type FavoriteList = readonly string[]

/** Whether a list has a token, in whatever case its address is written. */
export function hasFavorite(list: FavoriteList, address: string): boolean {
  const wanted = address.toLowerCase()
  return list.some((each) => each.toLowerCase() === wanted)
}

/** `list` with `address` at its end; `list` itself when it is there already. */
export function withFavorite(list: FavoriteList, address: string): FavoriteList {
  return hasFavorite(list, address) ? list : [...list, address.toLowerCase()]
}

/** The list without a token, as a new list. */
export function withoutFavorite(list: FavoriteList, address: string): FavoriteList {
  const gone = address.toLowerCase()
  return list.filter((each) => each.toLowerCase() !== gone)
}

/** A removed favourite back where it stood in `before`, whatever else has changed in `list` since. */
export function withFavoriteBack(list: FavoriteList, address: string, before: FavoriteList): FavoriteList {
  if (hasFavorite(list, address)) return list
  const gone = address.toLowerCase()
  const place = before.findIndex((each) => each.toLowerCase() === gone)
  // After the nearest one before it that is still there.
  const ahead = before.slice(0, Math.max(0, place)).reverse()
  const neighbour = ahead.find((each) => hasFavorite(list, each))
  const at = neighbour === undefined ? 0 : list.findIndex((each) => isSameHex(each, neighbour)) + 1
  return [...list.slice(0, at), gone, ...list.slice(at)]
}
