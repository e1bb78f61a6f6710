import type { WireToken } from '@chainboard/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokensUrl } from '../../lib/urls.ts'

const pollMs = 5_000
/** More than the server answers for at once are not followed. */
const addressesMax = 100

/** Addresses on screen, in lower case, and how many parts of the screen show each. */
const shown = new Map<string, number>()

const liveOptions = queryOptions({
  queryKey: ['live'],
  queryFn: async ({ signal }): Promise<readonly WireToken[]> => {
    const addresses = [...shown.keys()].slice(0, addressesMax)
    return addresses.length === 0 ? [] : fetchJson<readonly WireToken[]>(tokensUrl(addresses), signal)
  },
})

/** Asks for the figures of all tokens on screen at once, every five seconds. Mounted once, around every page. */
export function useLivePoll(): void {
  useQuery({ ...liveOptions, staleTime: 0, refetchInterval: pollMs })
}

/** `token` with its newest figures, as long as it is on screen. */
export function useLiveToken(token: WireToken): WireToken {
  const address = token.address.toLowerCase()
  useEffect(() => {
    shown.set(address, (shown.get(address) ?? 0) + 1)
    return () => {
      const left = (shown.get(address) ?? 1) - 1
      if (left === 0) shown.delete(address)
      else shown.set(address, left)
    }
  }, [address])
  const { data } = useQuery({
    ...liveOptions,
    enabled: false,
    select: (tokens) => tokens.find((each) => each.address.toLowerCase() === address),
  })
  return data ?? token
}
