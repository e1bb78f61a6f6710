import { expect, type Locator, type Page } from '@playwright/test'
import { refuse as fail, listPaths } from './homePage.ts'
import { test } from './test.ts'
import { installWallet } from './testWallet.ts'
import { alterToken, basalt, ochre, orrery, refuse } from './tokenModal.ts'

// Every text of the specification that belongs to the home page, the modals of a token, the wallet and the bar: what it is, and
// what has to happen for it to be read. Texts of ours are not in here, and neither are those of accounts, the operator, and of boosts that
// somebody pays for: boost.spec.ts, boostFailures.spec.ts.

/** A text that an element has by itself, or that a control, a column, a picture or a dialog is called by. */
type Words = string | RegExp | { readonly [role in 'button' | 'link' | 'columnheader' | 'img' | 'dialog']?: string } | Placeholder
type Placeholder = { readonly placeholder: string }

type Scene = {
  readonly how: string
  readonly open: (page: Page, rpcUrl: string) => Promise<unknown>
  readonly texts: readonly Words[]
}

const thistle = 'THSL'
const assets = /\/assets\.json/
const swaps = /\/api\/tokens\/0x[0-9a-fA-F]{40}\/swaps/
const chart = /\/api\/tokens\/0x[0-9a-fA-F]{40}\/chart/

const row = (page: Page, token: string) => page.getByRole('row').filter({ hasText: token })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** Answers with other fields of every swap. */
async function alterSwaps(page: Page, fields: object): Promise<void> {
  await page.route(swaps, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: ((await response.json()) as object[]).map((swap) => ({ ...swap, ...fields })) })
  })
}

const emptyChart = (reason: string) => async (page: Page) => {
  await page.route(chart, (route) => route.fulfill({ json: { points: [], reason } }))
  await page.goto(`/?chart=${basalt}`)
}

/** Without the demo wallets: what a visitor of a real chain finds. */
async function hideDemoWallets(page: Page): Promise<void> {
  const config = (await (await page.request.get('/api/config')).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, demoWallets: [] } }))
}

const withWallet =
  (prepare: (wallet: Awaited<ReturnType<typeof installWallet>>) => void) => async (page: Page, rpcUrl: string) => {
    await hideDemoWallets(page)
    const wallet = await installWallet(page, rpcUrl)
    prepare(wallet)
    await page.goto('/')
    await press(page, 'Connect Wallet')
  }

const scenes: readonly Scene[] = [
  {
    how: 'on opening the page',
    open: (page) => page.goto('/'),
    texts: [
      { link: 'Home' },
      { placeholder: 'Search tokens...' },
      { button: 'Connect Wallet' },
      ...['#1', '#2', '#3', '#4', '#5', 'Trade'],
      ...['#', 'Token', 'Price', '24h Change', '24h Volume', 'Market Cap', 'LP', 'Actions'].map((columnheader) => ({
        columnheader,
      })),
      { img: 'Verified' },
      ...['Boosted Tokens', 'BOOSTED', '2x BOOST', 'Time Remaining', 'Paid'],
      'Showing 10 of 16 tokens',
    ],
  },
  { how: 'on searching for what nobody lists', open: (page) => page.goto('/?q=nothing+like+it'), texts: ['No tokens found'] },
  {
    how: 'when the list cannot be read',
    open: async (page) => {
      await refuse(page, assets)
      await page.goto('/')
    },
    texts: ['Failed to load tokens. Please try again later.'],
  },
  {
    how: 'when the featured and the trending tokens cannot be read',
    open: async (page) => {
      await page.route(listPaths, fail)
      await page.goto('/')
    },
    texts: [/^Failed to fetch highlighted tokens(Try Again)$/, /^Failed to fetch tokens(Try Again)$/],
  },
  {
    how: 'when nobody has boosted a token',
    open: async (page) => {
      await page.route(/assets\.json\?boosted/, (route) => route.fulfill({ json: [] }))
      await page.goto('/')
    },
    texts: ['No Boosted Tokens Yet', 'Be the first to boost a token and get premium visibility!'],
  },
  {
    how: 'when the boosted tokens cannot be read',
    open: async (page) => {
      await refuse(page, /assets\.json\?boosted/)
      await page.goto('/')
    },
    texts: [/^Failed to refresh boost data(Try Again)$/],
  },
  { how: 'for a token without a price', open: (page) => page.goto(`/?q=${thistle}`), texts: ['N/A'] },
  {
    how: 'on copying an address',
    open: async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto('/')
      await row(page, 'BSLT')
        .getByRole('button', { name: /copy address/i })
        .click()
    },
    texts: ['Address copied to clipboard'],
  },
  {
    how: 'on marking a token without an account',
    open: async (page) => {
      await page.goto('/')
      await row(page, 'BSLT')
        .getByRole('button', { name: /watchlist/i })
        .click()
    },
    texts: ['Please log in to add tokens to your watchlist'],
  },
  {
    how: 'on opening the watchlist without an account',
    open: async (page) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Watchlist', exact: true }).click()
    },
    texts: ['Please log in to view your watchlist'],
  },
  {
    how: 'in the details of a token',
    open: (page) => page.goto(`/?token=${basalt}`),
    texts: [
      '0x0165…Eb8F',
      'Locked until Mar 1, 2031',
      { link: 'View Lock' },
      '0.3%',
      { link: 'View Pool' },
      { link: 'Trade on EmberSwap' },
    ],
  },
  {
    how: 'in the details of a token whose lock is over',
    open: async (page) => {
      await alterToken(page, basalt, () => ({ lockTimer: '2020-01-01' }))
      await page.goto(`/?token=${basalt}`)
    },
    texts: ['Unlocked'],
  },
  {
    how: 'before boosting a token that is boosted, without a wallet',
    open: (page) => page.goto(`/?boost=${orrery}`),
    texts: [
      { dialog: 'Boost Token' },
      'Currently Boosted',
      'Boosting again will extend the duration by 24 hours',
      'Wallet Not Connected',
      ...['Boost Duration', '24 hours', 'Boost Cost', '25 USDC', 'Your USDC Balance'],
    ],
  },
  {
    how: 'in a chart',
    open: (page) => page.goto(`/?chart=${basalt}`),
    texts: [
      { dialog: 'Basalt Price Chart' },
      ...['1D', '3D', '1W', '1M'].map((button) => ({ button })),
      'Current Price',
      { link: 'Trade on EmberSwap' },
    ],
  },
  {
    how: 'in the chart of a token without a pool',
    open: (page) => page.goto(`/?chart=${ochre}`),
    texts: ['No chart data available', 'No pool address provided'],
  },
  {
    how: 'in the chart of a token whose pool is too thin for a price',
    open: async (page) => {
      await page.goto(`/?q=${thistle}`)
      await row(page, thistle).getByRole('button', { name: /chart/i }).click()
    },
    texts: ['No chart data available', 'No current price data available'],
  },
  {
    how: 'in a chart without a past',
    open: emptyChart('No historical data available'),
    texts: ['No chart data available', 'No historical data available'],
  },
  {
    how: 'when a chart cannot be read',
    open: async (page) => {
      await refuse(page, chart)
      await page.goto(`/?chart=${basalt}`)
    },
    texts: ['Failed to load chart data'],
  },
  {
    how: 'in the swaps of a token',
    open: (page) => page.goto(`/?swaps=${basalt}`),
    texts: [
      { dialog: 'Basalt Recent Swaps' },
      ...['Type', 'Time', 'Amount', 'Value', 'Account', 'Tx'].map((columnheader) => ({ columnheader })),
      'Buy',
      'Sell',
      /^[\d,]+(\.\d{1,2})? BSLT$/,
      /^\$[\d,]+\.\d\d$/,
      /^0x[0-9a-f]{4}…[0-9a-f]{4}$/i,
      { link: 'Trade on EmberSwap' },
    ],
  },
  {
    how: 'in swaps that nobody can value',
    open: async (page) => {
      await alterSwaps(page, { usdValue: null, tokenAmount: null })
      await page.goto(`/?swaps=${basalt}`)
    },
    texts: ['N/A'],
  },
  {
    how: 'in the swaps of a token without a pool',
    open: (page) => page.goto(`/?swaps=${ochre}`),
    texts: ['No recent swaps found', 'No pool address provided'],
  },
  {
    how: 'in the swaps of a token that nobody has traded',
    open: async (page) => {
      await page.route(swaps, (route) => route.fulfill({ json: [] }))
      await page.goto(`/?swaps=${basalt}`)
    },
    texts: ['No recent swaps found', /^No swap data available/],
  },
  {
    how: 'when swaps cannot be read',
    open: async (page) => {
      await refuse(page, swaps)
      await page.goto(`/?swaps=${basalt}`)
    },
    texts: ['Failed to load swap data'],
  },
  {
    how: 'on connecting without a wallet',
    open: async (page) => {
      await hideDemoWallets(page)
      await page.goto('/')
      await press(page, 'Connect Wallet')
    },
    texts: ['MetaMask is not installed'],
  },
  {
    how: 'while a wallet asks its owner',
    open: withWallet((wallet) => void wallet.hold()),
    texts: [{ button: 'Connecting...' }],
  },
  {
    how: 'when a wallet fails',
    open: withWallet((wallet) => wallet.breakMethod('eth_requestAccounts')),
    texts: ['Failed to connect wallet'],
  },
  {
    how: 'with a wallet',
    open: async (page, rpcUrl) => {
      await withWallet(() => undefined)(page, rpcUrl)
      await press(page, /0x7099…79C8/)
    },
    texts: [/0x7099…79C8/, { button: 'Disconnect' }, /^[\d,]+\.\d{3} EMB$/],
  },
]

function find(page: Page, words: Words): Locator {
  if (typeof words === 'string') return page.getByText(words, { exact: true })
  if (words instanceof RegExp) return page.getByText(words)
  if ('placeholder' in words) return page.getByPlaceholder(words.placeholder, { exact: true })
  const [[role, name] = []] = Object.entries(words)
  return page.getByRole(role as 'button', { name: name ?? '', exact: true })
}

for (const { how, open, texts } of scenes) {
  test(how, async ({ page, baseURL }) => {
    await open(page, `${baseURL}/rpc`)
    for (const words of texts)
      await expect(find(page, words).filter({ visible: true }).first(), JSON.stringify(words)).toBeVisible()
  })
}
