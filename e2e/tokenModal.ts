import type { Locator, Page, Route } from '@playwright/test'

// Tokens of the devnet's list, and ways to put the page into a state that the devnet is never in.

export const basalt = '0x0165878A594ca255338adfa4d48449f69242Eb8F'
export const usdc = '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707'
/** Boosted twice. */
export const orrery = '0x2279B7A0a67DB372996a5FaB50D91eAA73d2eBe6'
/** No pool, no lock. */
export const ochre = '0x3Aa5ebB10DC797CAC828524e59A333d0A371443c'

export const modal = (page: Page): Locator => page.getByRole('dialog')

/** The row of `Basalt` in the table of all tokens, which shows the actions of a token to a mouse and to the keyboard alike. */
export const rowOf = (page: Page, name: string): Locator =>
  page
    .getByRole('table', { name: /tokens/i })
    .locator('tbody tr')
    .filter({ hasText: name })

type Json = Record<string, unknown>

const tokenLists = /\/(assets|highlighted)\.json|\/api\/trending/

/** Answers with the server's tokens, those of `address` changed. */
export async function alterToken(page: Page, address: string, change: (token: Json) => Json): Promise<void> {
  await page.route(tokenLists, async (route) => {
    const response = await route.fetch()
    const tokens = (await response.json()) as Json[]
    const isMeant = (token: Json) => String(token['address']).toLowerCase() === address.toLowerCase()
    const json = tokens.map((token) => (isMeant(token) ? { ...token, ...change(token) } : token))
    await route.fulfill({ response, json })
  })
}

/** Holds every answer until the returned function is called. */
export async function hold(page: Page, url: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route: Route) => {
    await released
    await route.continue()
  })
  return () => release()
}

/** Refuses in a way that is not tried again by itself, until the returned function is called. */
export async function refuse(page: Page, url: RegExp): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.fulfill({ status: 400, json: { error: 'The server has words of its own' } }))
  return () => page.unroute(url)
}
