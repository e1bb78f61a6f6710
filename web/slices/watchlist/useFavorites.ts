import { type QueryClient, queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { fetchJson, RequestError, sendJson } from '../../lib/fetchJson.ts'
import { notify } from '../../lib/notice.ts'
import { favoritesUrl, favoriteUrl } from '../../lib/urls.ts'
import { type FavoriteList, hasFavorite, withFavorite, withFavoriteBack, withoutFavorite } from './favoriteList.ts'

const listKey = 'favorites'
const changeKey = ['changeFavorites']

type Change = { readonly kind: 'add' | 'remove'; readonly username: string; readonly address: string }

/** @param username absent when nobody is signed in: nothing is asked for then */
function favoritesOptions(username: string | undefined) {
  return queryOptions({
    queryKey: [listKey, username],
    queryFn:
      username === undefined
        ? skipToken
        : ({ signal }): Promise<FavoriteList> => fetchJson<FavoriteList>(favoritesUrl(username), signal),
  })
}

/** Asks for the favourites as soon as somebody is signed in, and forgets those of everybody else. Mounted once, around every page. */
export function useFavoritesSession(username: string | undefined): void {
  const client = useQueryClient()
  useQuery(favoritesOptions(username))
  useEffect(() => {
    client.removeQueries({ predicate: ({ queryKey: [key, owner] }) => key === listKey && owner !== username })
  }, [client, username])
}

/** A user's favourite tokens, and the ways to change them: the list changes at once, and back when the server refuses. */
export function useFavorites(username: string | undefined) {
  const client = useQueryClient()
  const query = useQuery(favoritesOptions(username))
  const { mutate } = useMutation<FavoriteList, Error, Change, FavoriteList | undefined>({
    mutationKey: changeKey,
    // One after the other, so that the last answer is the last state.
    scope: { id: listKey },
    mutationFn: sendChange,
    onMutate: (change) => showChange(client, change),
    networkMode: 'always',
    onSuccess: (list, { username: owner }) => {
      // An answer that is older than the next change would take that back for a moment.
      if (client.isMutating({ mutationKey: changeKey }) === 1) showAnswer(client, owner, list)
    },
    onError: (error, change, before) => {
      takeBack(client, change, before)
      tellFailure(error, change)
    },
  })

  const { data } = query
  const isFavorite = useCallback((address: string): boolean => hasFavorite(data ?? [], address), [data])
  /** Adds the token, or takes it off when the list on screen has it. */
  const toggle = useCallback(
    (address: string): void => {
      if (username === undefined) return
      if (hasFavorite(data ?? [], address)) mutate({ kind: 'remove', username, address })
      else void addOnce(client, { kind: 'add', username, address }, mutate)
    },
    [client, mutate, data, username],
  )
  return { query, isFavorite, toggle }
}

async function addOnce(client: QueryClient, change: Change, mutate: (change: Change) => void): Promise<void> {
  // Until the list is there nobody knows; when it does not come, the server says so.
  const list = await client.ensureQueryData(favoritesOptions(change.username)).catch((): FavoriteList => [])
  if (hasFavorite(list, change.address)) notify('Token is already in your favorites', 'note')
  else mutate(change)
}

function sendChange({ kind, username, address }: Change): Promise<FavoriteList> {
  return kind === 'add'
    ? sendJson('POST', favoritesUrl(username), { tokenAddress: address })
    : sendJson('DELETE', favoriteUrl(username, address))
}

/** Returns the list as it was. */
async function showChange(client: QueryClient, { kind, username, address }: Change): Promise<FavoriteList | undefined> {
  const { queryKey } = favoritesOptions(username)
  await client.cancelQueries({ queryKey })
  const before = client.getQueryData(queryKey)
  client.setQueryData(queryKey, before && (kind === 'add' ? withFavorite(before, address) : withoutFavorite(before, address)))
  return before
}

/** Who has logged out since has no list any more. */
function showAnswer(client: QueryClient, username: string, list: FavoriteList): void {
  const { queryKey } = favoritesOptions(username)
  if (client.getQueryData(queryKey)) client.setQueryData(queryKey, list)
  else void client.invalidateQueries({ queryKey })
}

/** Takes back the one change, not those that came after it, and asks what the list really is. */
function takeBack(client: QueryClient, { kind, username, address }: Change, before: FavoriteList | undefined): void {
  const { queryKey } = favoritesOptions(username)
  client.setQueryData(
    queryKey,
    (list) => list && (kind === 'add' ? withoutFavorite(list, address) : withFavoriteBack(list, address, before ?? [])),
  )
  if (client.isMutating({ mutationKey: changeKey }) === 1) void client.invalidateQueries({ queryKey })
}

/** A token that could not be taken off is back in the list, which says it. */
function tellFailure(error: Error, { kind }: Change): void {
  const serverText = error instanceof RequestError ? error.serverText : undefined
  if (kind === 'add') notify(serverText ?? 'Failed to add favorite', 'note')
  else console.warn(serverText ?? 'Failed to remove favorite', error)
}
