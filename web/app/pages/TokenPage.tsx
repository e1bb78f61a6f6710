import type { WireConfig, WireToken } from '@chainboard/contract'
import { parseAddress, toDisplayText, toTokenTitle } from '@chainboard/core'
import { Link, Redirect, useSearchParams } from 'wouter'
import { useHydrated } from '../../lib/hydration.tsx'
import { boostPath, receiptPath } from '../../lib/marketPaths.ts'
import { fillTemplate, homePath, tokenPagePath } from '../../lib/urls.ts'
import { useNow } from '../../lib/useNow.ts'
import { useTitle } from '../../lib/useTitle.ts'
import { TraderChart } from '../../slices/chart/trader/TraderChart.tsx'
import { useConfig } from '../../slices/config/useConfig.ts'
import { TokenPools, useTokenLiquidity } from '../../slices/pools/TokenPools.tsx'
import { AboutToken } from '../../slices/tokenPage/AboutToken.tsx'
import { BoostPayments } from '../../slices/tokenPage/BoostPayments.tsx'
import { PriceBlock } from '../../slices/tokenPage/PriceBlock.tsx'
import { TokenChoice } from '../../slices/tokenPage/TokenChoice.tsx'
import { TokenFacts } from '../../slices/tokenPage/TokenFacts.tsx'
import { TokenHead } from '../../slices/tokenPage/TokenHead.tsx'
import { TokenPageSkeleton } from '../../slices/tokenPage/TokenPageSkeleton.tsx'
import { TokenTraders } from '../../slices/tokenPage/TokenTraders.tsx'
import { TokenWindows } from '../../slices/tokenPage/TokenWindows.tsx'
import { useToken } from '../../slices/tokens/useToken.ts'
import { useTokensBySymbol } from '../../slices/tokens/useTokensBySymbol.ts'
import { WeekLine } from '../../slices/tokens/WeekLine.tsx'
import { SwapFeed } from '../../slices/trades/SwapFeed.tsx'
import { describePriceAge } from '../../token/describePrice.ts'
import { useLiveToken } from '../../token/liveTokens.ts'
import { StarButton } from '../../token/StarButton.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { WarningLines } from '../../token/WarningMark.tsx'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { PageTabs } from '../../ui/PageTabs.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SearchButton } from '../SearchButton.tsx'
import { useStars } from '../useStars.ts'

const failureText = 'Failed to load tokens. Please try again later.'

/** The page of a token. @param props.asked its address, or a symbol, as the address bar has it */
export function TokenPage({ asked }: { readonly asked: string }) {
  return (
    <div className="flex min-h-[calc(100dvh-3.5rem)] flex-col pb-8">
      {parseAddress(asked) ? <ByAddress address={asked} /> : <BySymbol symbol={asked} />}
    </div>
  )
}

function BySymbol({ symbol }: { readonly symbol: string }) {
  const query = useTokensBySymbol(symbol, true)
  return (
    <QueryView
      query={query}
      isEmpty={(tokens) => tokens.length === 0}
      failureText={failureText}
      waiting={<TokenPageSkeleton />}
      empty={() => <Unknown text={`No listed token has the symbol “${toDisplayText(symbol, '?', 16)}”.`} />}
    >
      {(tokens) => {
        const [only, ...others] = tokens
        if (only && others.length === 0) return <Redirect to={tokenPagePath(only.address)} replace />
        return <TokenChoice symbol={symbol} tokens={tokens} />
      }}
    </QueryView>
  )
}

function ByAddress({ address }: { readonly address: string }) {
  const query = useToken(address)
  const config = useConfig()
  return (
    <QueryView
      query={query}
      isEmpty={(token) => token === null}
      failureText={failureText}
      waiting={<TokenPageSkeleton />}
      empty={() => <Unknown text="No listed token has the address in this link." />}
    >
      {(token) => token && <Known token={token} config={config} />}
    </QueryView>
  )
}

function Unknown({ text }: { readonly text: string }) {
  return (
    <EmptyNote title="Token not found" isPage>
      <p className="pb-4 wrap-anywhere">{text}</p>
      <Link to={homePath} className={outlinedControl}>
        Show all tokens
      </Link>
    </EmptyNote>
  )
}

type KnownProps = { readonly token: WireToken; readonly config: WireConfig | undefined }

function Known({ token: listed, config }: KnownProps) {
  const token = useLiveToken(listed)
  const pools = useTokenLiquidity(token.address)
  const hydrated = useHydrated()
  useTitle(config && toTokenTitle(token, config.siteName))
  return (
    <>
      <TokenHead token={token} config={config} actions={<Actions token={token} config={config} />} />
      <div className="py-4">
        <PriceBlock
          token={token}
          usdcAddress={config?.usdc.address}
          evidence={
            <a
              href={receiptPath(token.address)}
              className="rounded-6 font-strong text-ink underline underline-offset-4 touch:-my-2 touch:inline-block touch:py-2"
            >
              View Receipt
            </a>
          }
        />
      </div>
      <WarningLines token={token} />
      <div className="grid border-line border-y desk:grid-cols-[minmax(0,1fr)_20rem]">
        {hydrated ? <Chart token={token} config={config} /> : <ChartPlace address={token.address} />}
        <div className="border-line py-2 max-desk:border-t desk:border-l desk:pl-5">
          <TokenFacts token={token} pools={pools} />
        </div>
      </div>
      <TokenWindows address={token.address} />
      <Parts token={token} config={config} />
    </>
  )
}

function Actions({ token, config }: KnownProps) {
  const { isStarred, onStar } = useStars()
  const { symbol } = toTokenText(token)
  const tradeUrl = config && fillTemplate(config.dex.swapUrl, token.address)
  return (
    <>
      <SearchButton className="max-tablet:absolute max-tablet:top-4 max-tablet:right-0" />
      <StarButton
        symbol={symbol}
        starred={isStarred(token.address)}
        onStar={() => onStar(token.address)}
        className="size-9! border border-line-strong touch:size-11!"
      />
      {config?.boost && (
        <Link to={boostPath(token.address)} className={`${outlinedControl} text-boost! touch:h-11`}>
          <Icon name="bolt" size={16} />
          Boost
        </Link>
      )}
      {config && tradeUrl && (
        <a
          href={tradeUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={`${filledControl} h-9! touch:h-11! max-tablet:flex-1`}
        >
          <span className="truncate">Trade on {toDisplayText(config.dex.name, 'the DEX', 32)}</span>
          <Icon name="out" size={14} />
        </a>
      )}
    </>
  )
}

/** What stands for the chart until its code is there, as large. */
function ChartPlace({ address }: { readonly address: string }) {
  return (
    <section aria-label="Price chart" className="flex h-110 min-w-0 flex-col py-8 text-ink-2 desk:pr-5">
      <WeekLine address={address} />
    </section>
  )
}

function Chart({ token, config }: KnownProps) {
  const accentKey = config ? `${config.brand.accentDark} ${config.brand.accentLight}` : ''
  return <TraderChart token={token} priceAge={describePriceAge(token, useNow())} accentKey={accentKey} />
}

const tabs = [
  { value: 'swaps', text: 'Swaps' },
  { value: 'pools', text: 'Pools' },
  { value: 'traders', text: 'Traders' },
  { value: 'boosts', text: 'Boosts' },
  { value: 'about', text: 'About' },
] as const
type Tab = (typeof tabs)[number]['value']

function Parts({ token, config }: KnownProps) {
  const [search] = useSearchParams()
  const tab: Tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? 'swaps'
  const page = tokenPagePath(token.address)
  const hydrated = useHydrated()
  return (
    <section aria-label="More about this token" className="flex min-h-100 flex-col pt-3">
      <PageTabs label="Parts" tabs={tabs} value={tab} pathOf={(to) => (to === 'swaps' ? page : `${page}?tab=${to}`)} />
      {tab === 'swaps' && <SwapFeed token={token.address} explorer={config?.explorer ?? null} />}
      {tab === 'pools' && <TokenPools token={token.address} config={config} />}
      {tab === 'traders' && <TokenTraders address={token.address} />}
      {tab === 'boosts' && <BoostPayments token={token} config={config} />}
      {/* It tells by what name the visitor knows this server. */}
      {tab === 'about' && hydrated && <AboutToken token={token} origin={location.origin} />}
    </section>
  )
}
