import type { DrawPage } from '@chainboard/contract'
import { type Query, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { toAccents } from '../lib/brand.ts'
import { readChainClock, setDrawnClocks } from '../lib/chainClock.ts'
import { RequestError } from '../lib/fetchJson.ts'
import { Hydration } from '../lib/hydration.tsx'
import { configOptions } from '../slices/config/useConfig.ts'
import type { DrawnState } from './drawnState.ts'
import { fetchAhead } from './fetchAhead.ts'
import { loadDrawnPage } from './lazyPages.ts'
import { liftStyles } from './liftStyles.ts'
import { Shell } from './Shell.tsx'

/** A page asks for something, and for more once that is there. */
const passesMax = 4
/** Answers without which there is nothing worth to be read, by the first words of their keys. */
const needed = ['config', 'tokens page', 'tokens one', 'pool', 'pools', 'receipt', 'feed']

/** Draws a page at the server. What main.tsx takes over has to be this, element by element. */
export const drawPage: DrawPage = async (address) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  try {
    await Promise.all([loadDrawnPage(address.pathname), fetchAhead(client, address)])
    const drawn = await drawWhole(client, address)
    if (!drawn) return undefined
    // Whatever name a visitor knows this server by, pictures come from there.
    const { html, css } = liftStyles(drawn.html.replaceAll(`="${address.origin}/`, '="/'))
    return { html, css: `${css}${toAccentRule(client)}`, state: JSON.stringify(drawn.state) }
  } finally {
    client.clear()
  }
}

type Drawn = { readonly html: string; readonly state: DrawnState }

/**
 * Draws until the page asks for nothing more. A part whose answer fails is drawn as waiting: the browser asks by itself.
 * @returns undefined when there is no such page
 * @throws RequestError when a needed answer fails
 */
async function drawWhole(client: QueryClient, address: URL): Promise<Drawn | undefined> {
  const cache = client.getQueryCache()
  const failed = new Set<string>()
  for (let pass = 1; ; pass += 1) {
    for (const query of cache.findAll({ predicate: ({ state }) => state.status === 'error' })) {
      const { error } = query.state
      if (isNeeded(query) && error instanceof RequestError && !error.retryable) return undefined
      if (isNeeded(query)) throw error
      failed.add(query.queryHash)
      cache.remove(query)
    }
    const drawn = drawOnce(client, address)
    const missing = cache.findAll({ predicate: (query) => isMissing(query) && !failed.has(query.queryHash) })
    if (missing.length === 0 || pass === passesMax) return drawn
    await Promise.all(missing.map((query) => query.fetch().catch(() => undefined)))
  }
}

function drawOnce(client: QueryClient, address: URL): Drawn {
  const answers = client.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'success' })
  const state: DrawnState = {
    atSeconds: Math.floor(Date.now() / 1000),
    clock: readChainClock(),
    answers: answers.map(({ queryKey, state: { data } }) => [queryKey, data]),
  }
  setDrawnClocks(state.atSeconds, state.clock)
  // Parts of the page look there where they are.
  Object.assign(globalThis, { location: address })
  const html = renderToString(
    <StrictMode>
      <Hydration drawn>
        <QueryClientProvider client={client}>
          <Shell />
        </QueryClientProvider>
      </Hydration>
    </StrictMode>,
  )
  return { html, state }
}

/** The poll for what is on screen has nothing to ask for yet. */
function isMissing({ state, options, queryKey }: Query): boolean {
  const isOff = 'enabled' in options && options.enabled === false
  return state.status === 'pending' && !isOff && queryKey[0] !== 'live'
}

function isNeeded({ queryKey: [first, second] }: Query): boolean {
  return needed.includes(String(first)) || needed.includes(`${first} ${second}`)
}

function toAccentRule(client: QueryClient): string {
  const config = client.getQueryData(configOptions.queryKey)
  const accents = config && toAccents(config.brand)
  return accents ? `:root{--accent:${accents.accent};--on-accent:${accents.onAccent}}` : ''
}
