import type { WireChartPoint, WireSparkline } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { sparklinesUrl } from '../../lib/urls.ts'

/** The server makes them again once an hour. */
const freshMs = 10 * 60_000
const waitMsMax = 15_000
/** As many as the server answers for at once. */
const addressesMax = 50

type Wish = PromiseWithResolvers<readonly WireChartPoint[]> & { readonly address: string }

let wishes: Wish[] = []

/** All that a page asks for in one turn goes into one call. */
function load(address: string): Promise<readonly WireChartPoint[]> {
  if (wishes.length === 0) setTimeout(askForAll)
  const wish = { ...Promise.withResolvers<readonly WireChartPoint[]>(), address }
  wishes.push(wish)
  return wish.promise
}

function askForAll(): void {
  const all = wishes
  wishes = []
  for (let from = 0; from < all.length; from += addressesMax) void askFor(all.slice(from, from + addressesMax))
}

async function askFor(part: readonly Wish[]): Promise<void> {
  try {
    const lines = await fetchJson<readonly WireSparkline[]>(
      sparklinesUrl(part.map(({ address }) => address)),
      AbortSignal.timeout(waitMsMax),
    )
    const found = new Map(lines.map(({ address, points }) => [address.toLowerCase(), points]))
    for (const { address, resolve } of part) resolve(found.get(address.toLowerCase()) ?? [])
  } catch (error) {
    for (const { reject } of part) reject(error)
  }
}

/** How the last seven days of a token are asked for. */
export function sparklineOptions(address: string) {
  return queryOptions({
    queryKey: ['tokens', 'sparkline', address],
    queryFn: () => load(address),
    staleTime: freshMs,
    refetchInterval: freshMs,
  })
}

/** A few prices of a token's last seven days, ascending; none for a token without a price. */
export function useSparkline(address: string) {
  return useQuery(sparklineOptions(address))
}
