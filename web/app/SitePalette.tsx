import type { WireConfig, WireToken } from '@chainboard/contract'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { poolPath, poolsPath, swapsPath, walletPath } from '../lib/marketPaths.ts'
import { useTheme } from '../lib/theme.ts'
import { adminPath, developersPath, docsPath, fillTemplate, loginPath, tokenPath } from '../lib/urls.ts'
import { useConfig } from '../slices/config/useConfig.ts'
import { Palette } from '../slices/palette/Palette.tsx'
import type { PaletteGroup, PaletteItem } from '../slices/palette/rankItems.ts'
import { keepRecent, readRecent } from '../slices/palette/recentTokens.ts'
import { useFoundTokens } from '../slices/palette/useFoundTokens.ts'
import { useWatchlistShown } from '../slices/watchlist/watchlistShown.ts'
import { describePrice } from '../token/describePrice.ts'
import { usePriceMode } from '../token/priceMode.ts'
import { toTokenText } from '../token/tokenText.ts'
import { sitePages } from './sitePages.ts'

const otherPages = [
  { path: poolsPath, text: 'Pools' },
  { path: swapsPath, text: 'Swaps' },
  { path: loginPath, text: 'Login' },
  { path: developersPath, text: 'Price API' },
  { path: docsPath, text: 'API documentation' },
  { path: adminPath, text: 'Admin' },
]
const addressShape = /^0x[0-9a-fA-F]{40}$/
const hashShape = /^0x[0-9a-fA-F]{64}$/

type Props = {
  /** What its search begins with. */
  readonly typed: string
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

/** The palette with all that this site has: its tokens, its pages, what can be done on them, and what the chain's explorer knows. */
export function SitePalette({ typed, ...props }: Props) {
  const [text, setText] = useState(typed)
  const [recent] = useState(readRecent)
  const config = useConfig()
  const search = text.trim()
  const { tokens, failed } = useFoundTokens(search, recent)
  const actions = useActions()
  const group = search === '' ? 'Recent' : 'Tokens'
  const found = [...tokens.map((token) => toTokenItem(token, group)), ...(config ? listPlaces(search, config) : [])]
  return <Palette {...props} search={text} onSearch={setText} found={found} known={[...pages, ...actions]} failed={failed} />
}

function toPageItem(group: PaletteGroup, text: string, path: string): PaletteItem {
  return { id: path, group, text, url: path, run: () => navigate(path) }
}

const pages = [...sitePages, ...otherPages].map(({ path, text }) => toPageItem('Pages', text, path))

function toTokenItem(token: WireToken, group: PaletteGroup): PaletteItem {
  const { name, symbol } = toTokenText(token)
  const price = describePrice(token, 'usd')
  const url = tokenPath(token.address)
  return {
    id: token.address,
    group,
    text: `${symbol} ${name}`,
    ...(price.kind === 'price' && { hint: price.text }),
    url,
    run() {
      keepRecent(token.address)
      navigate(url)
    },
  }
}

/** What an address or a hash leads to, here and in the explorer. */
function listPlaces(search: string, { explorer }: WireConfig): readonly PaletteItem[] {
  const toItem = (group: PaletteGroup, text: string, template: string | null | undefined): readonly PaletteItem[] => {
    const url = fillTemplate(template ?? null, search)
    return url ? [{ id: url, group, text, url, run: () => void open(url, '_blank', 'noopener') }] : []
  }
  if (hashShape.test(search)) return toItem('Transactions', 'Open this transaction in the explorer', explorer?.txUrl)
  if (!addressShape.test(search)) return []
  return [
    toPageItem('Pools', 'Open this pool', poolPath(search)),
    toPageItem('Wallets', 'Show the trades of this wallet', walletPath(search)),
    ...toItem('Wallets', 'Open this address in the explorer', explorer?.addressUrl),
  ]
}

function useActions(): readonly PaletteItem[] {
  const { theme, toggle: toggleTheme } = useTheme()
  const { mode, setMode } = usePriceMode()
  const { shown, toggle: toggleWatchlist } = useWatchlistShown()
  const toAction = (text: string, run: () => void): PaletteItem => ({ id: text, group: 'Actions', text, run })
  return [
    toAction(`Switch to the ${theme === 'dark' ? 'light' : 'dark'} theme`, toggleTheme),
    toAction(mode === 'usd' ? 'Show prices in the paired token' : 'Show prices in US dollars', () =>
      setMode(mode === 'usd' ? 'paired' : 'usd'),
    ),
    toAction(shown ? 'Hide the watchlist' : 'Show the watchlist', toggleWatchlist),
  ]
}
