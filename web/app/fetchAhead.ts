import { parseAddress } from '@chainboard/core'
import type { QueryClient } from '@tanstack/react-query'
import { poolsPath, swapsPath } from '../lib/marketPaths.ts'
import { parseSearchText } from '../lib/searchText.ts'
import { homePath } from '../lib/urls.ts'
import { configOptions } from '../slices/config/useConfig.ts'
import { toPair } from '../slices/pools/describePool.ts'
import { readPoolView, toPoolsQuery } from '../slices/pools/poolView.ts'
import { largestPools, poolOptions, poolsOptions } from '../slices/pools/usePools.ts'
import { poolsBesideOptions, receiptOptions } from '../slices/receipt/useReceipt.ts'
import { statusOptions } from '../slices/status/useStatus.ts'
import { windowsOptions } from '../slices/tokenPage/useWindows.ts'
import { featuredOptions, trendingOptions } from '../slices/tokens/tokenLists.ts'
import { boostedOptions } from '../slices/tokens/useBoosted.ts'
import { sparklineOptions } from '../slices/tokens/useSparkline.ts'
import { tokenOptions } from '../slices/tokens/useToken.ts'
import { tokenPageOptions } from '../slices/tokens/useTokenPage.ts'
import { type FeedOf, readFeedView, toFeedQuery } from '../slices/trades/feedView.ts'
import { feedOptions } from '../slices/trades/useFeed.ts'
import { userCountOptions } from '../slices/userCount/UserCount.tsx'
import { readHomeSearch } from './homeSearch.ts'
import { toView } from './useHomeSearch.ts'

/** What a page is known to ask for, at once: the page is drawn once then, with all of it. Nothing else: all of it goes to the browser. */
export async function fetchAhead(client: QueryClient, address: URL): Promise<void> {
  await Promise.all([
    client.prefetchQuery(configOptions),
    client.prefetchQuery(statusOptions),
    client.prefetchQuery(userCountOptions),
    fetchPage(client, address),
  ])
}

const ofAddress = /^\/(token|pool|wallet)\/([^/]+)(\/receipt)?$/

/** What is missing after it, the page asks for itself. */
async function fetchPage(client: QueryClient, { pathname, search, searchParams }: URL): Promise<unknown> {
  if (pathname === homePath) return fetchHome(client, search)
  if (pathname === swapsPath) return fetchFeed(client, {}, searchParams)
  if (pathname === poolsPath) return client.prefetchQuery(poolsOptions(toPoolsQuery(readPoolView(searchParams))))
  const [, kind, text = '', receipt] = ofAddress.exec(pathname) ?? []
  const asked = parseAddress(text)
  if (!kind || !asked) return
  if (receipt) return fetchReceipt(client, asked)
  if (kind === 'token') return fetchToken(client, asked, searchParams)
  if (kind === 'pool') return fetchPool(client, asked, searchParams)
  return fetchFeed(client, { wallet: asked }, searchParams)
}

function fetchHome(client: QueryClient, search: string): Promise<unknown> {
  return Promise.all([
    client.prefetchQuery(tokenPageOptions(toView(readHomeSearch(parseSearchText(search))))),
    client.prefetchQuery(trendingOptions),
    client.prefetchQuery(featuredOptions),
    client.prefetchQuery(boostedOptions()),
  ])
}

function fetchFeed(client: QueryClient, of: FeedOf, search: URLSearchParams): Promise<unknown> {
  return client.prefetchQuery(feedOptions(toFeedQuery(of, readFeedView(search))))
}

/** The page asks by the address as the list of tokens writes it. */
async function fetchToken(client: QueryClient, asked: string, search: URLSearchParams): Promise<unknown> {
  await client.prefetchQuery(tokenOptions(asked))
  const address = client.getQueryData(tokenOptions(asked).queryKey)?.address
  if (address === undefined) return
  return Promise.all([
    client.prefetchQuery(windowsOptions(address)),
    client.prefetchQuery(poolsOptions(largestPools(address))),
    client.prefetchQuery(sparklineOptions(address)),
    // Its other tabs ask for other things.
    search.has('tab') ? undefined : fetchFeed(client, { token: address }, search),
  ])
}

async function fetchPool(client: QueryClient, asked: string, search: URLSearchParams): Promise<unknown> {
  // Which of its tokens others are paid with.
  await Promise.all([client.prefetchQuery(poolOptions(asked)), client.prefetchQuery(configOptions)])
  const pool = client.getQueryData(poolOptions(asked).queryKey)
  if (!pool) return
  const { base } = toPair(pool, client.getQueryData(configOptions.queryKey))
  return fetchFeed(client, { token: base.address, pool: pool.address }, search)
}

function fetchReceipt(client: QueryClient, asked: string): Promise<unknown> {
  return Promise.all([
    client.prefetchQuery(tokenOptions(asked)),
    client.prefetchQuery(receiptOptions(asked)),
    client.prefetchQuery(poolsBesideOptions(asked)),
  ])
}
