import type { DrawPage, WireConfig } from '@chainboard/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { toAccents } from '../lib/brand.ts'
import { readChainClock, setDrawnClocks } from '../lib/chainClock.ts'
import { parseSearchText } from '../lib/searchText.ts'
import { homePath } from '../lib/urls.ts'
import { configOptions } from '../slices/config/useConfig.ts'
import { statusOptions } from '../slices/status/useStatus.ts'
import { featuredOptions, trendingOptions } from '../slices/tokens/tokenLists.ts'
import { boostedOptions } from '../slices/tokens/useBoosted.ts'
import { tokenPageOptions } from '../slices/tokens/useTokenPage.ts'
import { userCountOptions } from '../slices/userCount/UserCount.tsx'
import type { DrawnState } from './drawnState.ts'
import { readHomeSearch } from './homeSearch.ts'
import { liftStyles } from './liftStyles.ts'
import { Shell } from './Shell.tsx'
import { toView } from './useHomeSearch.ts'

/** Draws a page at the server. What main.tsx takes over has to be this, element by element. */
export const drawPage: DrawPage = async (address) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  try {
    await fetchAnswers(client, address)
    const answers = client.getQueryCache().getAll()
    // A failure here is none of the browser's, which asks by itself.
    for (const query of answers) if (query.state.status !== 'success') client.removeQueries({ queryKey: query.queryKey })
    const state: DrawnState = {
      atSeconds: Math.floor(Date.now() / 1000),
      clock: readChainClock(),
      answers: client
        .getQueryCache()
        .getAll()
        .map(({ queryKey, state: { data } }) => [queryKey, data]),
    }
    setDrawnClocks(state.atSeconds, state.clock)
    // Parts of the page look there where they are.
    Object.assign(globalThis, { location: address })
    const { html, css } = liftStyles(renderToString(<Page client={client} />))
    return { html, css: `${css}${toAccentRule(client)}`, state: JSON.stringify(state) }
  } finally {
    client.clear()
  }
}

function Page({ client }: { readonly client: QueryClient }) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <Shell />
      </QueryClientProvider>
    </StrictMode>
  )
}

/** Without the first of these answers there is nothing worth to be read; a part without its answer is drawn as waiting. */
async function fetchAnswers(client: QueryClient, { pathname, search }: URL): Promise<void> {
  const others = [client.prefetchQuery(statusOptions), client.prefetchQuery(userCountOptions)]
  const [config] = await Promise.all([client.fetchQuery(configOptions), ...others])
  if (pathname === homePath) await fetchHome(client, config, search)
}

async function fetchHome(client: QueryClient, config: WireConfig, search: string): Promise<void> {
  const asked = readHomeSearch(parseSearchText(search))
  const lists =
    asked.q === undefined
      ? [
          client.prefetchQuery(trendingOptions),
          client.prefetchQuery(featuredOptions),
          config.boost && client.prefetchQuery(boostedOptions()),
        ]
      : []
  await Promise.all([client.fetchQuery(tokenPageOptions(toView(asked))), ...lists])
}

function toAccentRule(client: QueryClient): string {
  const config = client.getQueryData(configOptions.queryKey)
  const accents = config && toAccents(config.brand)
  return accents ? `:root{--accent:${accents.accent};--on-accent:${accents.onAccent}}` : ''
}
