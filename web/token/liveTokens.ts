import type { WireToken } from '@chainboard/contract'
import { replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { fetchJson } from '../lib/fetchJson.ts'
import { tokensUrl } from '../lib/urls.ts'
import { patchToken, type StreamedPrice } from './patchToken.ts'
import { toLastKnown } from './toLastKnown.ts'

const pollMs = 5_000
/**
 * While a stream tells prices as they change: what it does not tell, such as supplies, may wait. Of each page another time, as streams that
 * are mended together begin all of them at one moment.
 */
export const streamedPollMs = 25_000 + Math.random() * 10_000
/** As many as the server answers for at once. */
const addressesMax = 100
/** More than these, a hundred each, are not followed. */
const requestsMax = 4

/** Addresses on the page, in lower case, and the parts that show each: also those that a search hides. */
const shown = new Map<string, Set<() => void>>()
/** The newest figures of what is on screen. */
const newest = new Map<string, WireToken>()

/** Goes up whenever something newer is known. */
let version = 0

/** The figures on screen are not followed any more: the last call for them failed. */
let failing = false
const failureListeners = new Set<() => void>()

function tellFailing(next: boolean): void {
  if (next === failing) return
  failing = next
  for (const listener of failureListeners) listener()
}

function subscribeToFailing(listener: () => void): () => void {
  failureListeners.add(listener)
  return () => failureListeners.delete(listener)
}

/** Whether new figures do not come: everything on screen is the last that was known. */
export function useLiveFailing(): boolean {
  const read = () => failing
  return useSyncExternalStore(subscribeToFailing, read, read)
}

/** A stream tells the prices of all that is on screen. */
let streamed = false
const streamedListeners = new Set<() => void>()

/** Whether prices come by a stream from now on: the poll is slower while they do. */
export function setStreamed(next: boolean): void {
  if (next === streamed) return
  streamed = next
  for (const listener of streamedListeners) listener()
}

function subscribeToStreamed(listener: () => void): () => void {
  streamedListeners.add(listener)
  return () => streamedListeners.delete(listener)
}

/** An answer may be older than what a stream has said since, unless the chain took that back. */
let mayGoBack = false
let reread = () => {}

/** Asks for the figures on screen at once: a stream missed some, or they were taken back. */
export function rereadShown(): void {
  mayGoBack = true
  reread()
}

/** Shows prices that a stream tells, of tokens whose other figures are known. */
export function publishPrices(prices: readonly StreamedPrice[]): void {
  const tokens = prices.flatMap((price) => {
    const known = newest.get(price.address.toLowerCase())
    return known ? [patchToken(known, price)] : []
  })
  publish(tokens)
}

const isOlder = (token: WireToken, than: WireToken | undefined) =>
  streamed && !mayGoBack && (token.priceAsOf ?? Infinity) < (than?.priceAsOf ?? 0)

/** Shows newer figures of tokens, wherever they are on screen. */
export function publish(tokens: readonly WireToken[]): void {
  for (const token of tokens) {
    const address = token.address.toLowerCase()
    const listeners = shown.get(address)
    const before = newest.get(address)
    if (isOlder(token, before)) continue
    const kept = replaceEqualDeep(before, token)
    if (!listeners || kept === before) continue
    newest.set(address, kept)
    version += 1
    for (const listener of listeners) listener()
  }
}

const shownListeners = new Set<() => void>()

function tellShown(): void {
  for (const listener of shownListeners) listener()
}

/** Calls `listener` whenever other tokens are on screen. */
export function subscribeToShown(listener: () => void): () => void {
  shownListeners.add(listener)
  return () => shownListeners.delete(listener)
}

/** Addresses on screen, in lower case. */
export function listShown(): readonly string[] {
  return [...shown.keys()]
}

/** Calls `listener` whenever a token's figures change, until the function that it returns is called. */
export function show(address: string, listener: () => void): () => void {
  const listeners = shown.get(address) ?? new Set()
  if (listeners.size === 0) queueMicrotask(tellShown)
  shown.set(address, listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || shown.get(address) !== listeners) return
    shown.delete(address)
    newest.delete(address)
    queueMicrotask(tellShown)
  }
}

/** Asks for the figures of all tokens on screen at once, every five seconds. Mounted once, around every page. */
export function useLivePoll(): void {
  const isStreamed = useSyncExternalStore(
    subscribeToStreamed,
    () => streamed,
    () => false,
  )
  const { data, dataUpdatedAt, isError, refetch } = useQuery({
    queryKey: ['live'],
    queryFn: async ({ signal }): Promise<readonly WireToken[]> => {
      const addresses = [...shown.keys()].slice(0, requestsMax * addressesMax)
      const parts = Array.from({ length: Math.ceil(addresses.length / addressesMax) }, (_, i) =>
        addresses.slice(i * addressesMax, (i + 1) * addressesMax),
      )
      const answers = await Promise.all(parts.map((part) => fetchJson<readonly WireToken[]>(tokensUrl(part), signal)))
      return answers.flat()
    },
    staleTime: 0,
    refetchInterval: isStreamed ? streamedPollMs : pollMs,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer like the last one takes back what others have said since
  useEffect(() => {
    if (data) publish(data)
    mayGoBack = false
  }, [data, dataUpdatedAt])
  useEffect(() => {
    reread = () => void refetch()
  }, [refetch])
  useEffect(() => tellFailing(isError), [isError])
}

/** `token` with its newest figures, as long as it is on screen; with an old price while newer ones do not come. */
export function useLiveToken(token: WireToken): WireToken {
  const address = token.address.toLowerCase()
  const subscribe = useCallback((listener: () => void) => show(address, listener), [address])
  const read = () => newest.get(address)
  const known = useSyncExternalStore(subscribe, read, read) ?? token
  const silent = useLiveFailing()
  return useMemo(() => (silent ? toLastKnown(known) : known), [silent, known])
}

/** {@link useLiveToken} for a whole list. */
export function useLiveTokens(tokens: readonly WireToken[]): readonly WireToken[] {
  const addresses = tokens.map(({ address }) => address.toLowerCase()).join()
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = addresses === '' ? [] : addresses.split(',').map((address) => show(address, listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [addresses],
  )
  const read = () => version
  const shownVersion = useSyncExternalStore(subscribe, read, read)
  const silent = useLiveFailing()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is newest changes with the version
  return useMemo(
    () =>
      tokens.map((token) => {
        const known = newest.get(token.address.toLowerCase()) ?? token
        return silent ? toLastKnown(known) : known
      }),
    [tokens, silent, shownVersion],
  )
}
