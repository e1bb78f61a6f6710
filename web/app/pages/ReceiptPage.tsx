import type { Receipt, WireToken } from '@chainboard/contract'
import { formatMoney, formatUsdPrice, toDisplayText, toPageTitle } from '@chainboard/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { RequestError } from '../../lib/fetchJson.ts'
import { formatMoment } from '../../lib/formatMoment.ts'
import { useHydrated } from '../../lib/hydration.tsx'
import { homePath, receiptUrl, tokenPagePath } from '../../lib/urls.ts'
import { useTitle } from '../../lib/useTitle.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { RouteDrawing } from '../../slices/receipt/RouteDrawing.tsx'
import { usePoolsBeside, useReceipt } from '../../slices/receipt/useReceipt.ts'
import { VerifyBox } from '../../slices/receipt/VerifyBox.tsx'
import { useToken } from '../../slices/tokens/useToken.ts'
import { useWallet } from '../../slices/wallet/useWallet.ts'
import { toTokenText } from '../../token/tokenText.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Spinner } from '../../ui/Spinner.tsx'

/** How a token's price came about, and its verification by the visitor. */
export default function ReceiptPage({ address }: { readonly address: string }) {
  const token = useToken(address)
  const query = useReceipt(address)
  const isUnknown = query.error instanceof RequestError && (query.error.status === 404 || query.error.status === 400)
  return (
    <div className="flex min-h-[calc(100dvh-3.5rem)] flex-col pb-8">
      {isUnknown || token.data === null ? (
        <EmptyNote title="Token not found" isPage>
          <p className="pb-4">No listed token has the address in this link.</p>
          <Link to={homePath} className={outlinedControl}>
            Show all tokens
          </Link>
        </EmptyNote>
      ) : (
        <QueryView
          query={query}
          isEmpty={() => false}
          failureText="Failed to load the receipt"
          waiting={
            <div className="flex min-h-80 items-center justify-center">
              <Spinner label="Loading the receipt" />
            </div>
          }
          empty={() => null}
        >
          {(receipt) => (
            <ReceiptView
              receipt={receipt}
              token={token.data ?? undefined}
              isFetching={query.isFetching}
              onRefresh={() => void query.refetch()}
            />
          )}
        </QueryView>
      )}
    </div>
  )
}

type ViewProps = {
  readonly receipt: Receipt
  readonly token: WireToken | undefined
  readonly isFetching: boolean
  readonly onRefresh: () => void
}

function ReceiptView({ receipt, token, isFetching, onRefresh }: ViewProps) {
  const config = useConfig()
  const pools = usePoolsBeside(receipt.token)
  const wallet = useWallet()
  const inUtc = !useHydrated()
  const symbol = token ? toTokenText(token).symbol : toDisplayText(receipt.symbol, 'Token', 16)
  useTitle(config && toPageTitle(`${symbol} price receipt`, config.siteName))
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-3 pt-4 pb-3">
        <div className="flex min-w-0 items-center gap-2">
          <BackLink to={tokenPagePath(receipt.token)} label={`Back to ${symbol}`} />
          <div className="min-w-0">
            <h1 className="text-20 font-strong tracking-tight">
              Receipt for the price of <bdi>{symbol}</bdi>
            </h1>
            <p className="figures text-13 text-ink-2">
              {receipt.block
                ? `At block ${receipt.block.number.toLocaleString('en-US')}, ${formatMoment(receipt.block.timestamp, 'medium', inUtc)}`
                : 'Not from a block of this chain'}
            </p>
          </div>
        </div>
        <span className="flex items-center gap-3">
          <a
            href={receiptUrl(receipt.token)}
            className="rounded-6 py-1 text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
          >
            JSON
          </a>
          <button type="button" disabled={isFetching} onClick={onRefresh} className={`${outlinedControl} touch:h-11`}>
            {isFetching ? 'Refreshing…' : 'Newest block'}
          </button>
        </span>
      </header>
      <Summary receipt={receipt} />
      {receipt.restsOn === 'pools' ? <RouteDrawing receipt={receipt} pools={pools.data ?? []} /> : <NoRoute receipt={receipt} />}
      {receipt.restsOn === 'pools' && config && token && (
        <div className="pt-6">
          <VerifyBox
            key={receipt.checksum}
            receipt={receipt}
            token={token}
            config={config}
            wallet={wallet.chainOk ? wallet.provider : undefined}
          />
        </div>
      )}
    </>
  )
}

function Summary({ receipt }: { readonly receipt: Receipt }) {
  const { priceInUsd, priceLow, priceHigh, costToMove10Percent: cost, confidence, windowSeconds, reasons, restsOn } = receipt
  const usd = (text: string | null) => (text === null ? 'N/A' : formatUsdPrice(Number(text)))
  return (
    <>
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 border-line border-y py-4 tablet:grid-cols-4">
        <Figure term="Price">
          {usd(priceInUsd)}
          {priceInUsd !== null && <small>{priceInUsd}</small>}
        </Figure>
        <Figure term="Lies between">
          {priceLow === null || priceHigh === null ? 'N/A' : `${usd(priceLow)} and ${usd(priceHigh)}`}
        </Figure>
        <Figure term="Moving it 10% costs">{cost === null ? 'N/A' : `${formatMoney(Number(cost))} in fees`}</Figure>
        <Figure term="Confidence">
          {Math.round(confidence * 100)}%{windowSeconds !== null && <small>medians over {windowSeconds} s</small>}
        </Figure>
      </dl>
      {reasons.length > 0 && (
        <ul className="pt-3 text-13 text-ink-2">
          {reasons.slice(0, 6).map((reason) => (
            <li key={reason} className="wrap-anywhere">
              {toDisplayText(reason, '', 200)}
            </li>
          ))}
        </ul>
      )}
      <p className="py-3 text-13 text-ink-2">
        {restsOn === 'pools' &&
          'Confidence is lower if pools are shallow or new, if they have not traded for days, or if their prices differ.'}
      </p>
    </>
  )
}

function Figure({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-2">{term}</dt>
      <dd className="text-16 wrap-anywhere [&_small]:block [&_small]:text-12 [&_small]:text-ink-2">{children}</dd>
    </div>
  )
}

function NoRoute({ receipt: { restsOn, source, symbol } }: { readonly receipt: Receipt }) {
  const name = toDisplayText(symbol, 'This token', 16)
  const text =
    restsOn === 'assumption'
      ? `${name} counts as one US dollar. The chain can neither prove nor disprove that.`
      : restsOn === 'source'
        ? `The price comes from ${toDisplayText(source ?? '', 'a source', 40)}, outside the chain, so it cannot be recomputed from the chain.`
        : `${name} has no price.`
  return <EmptyNote title="No route to draw">{text}</EmptyNote>
}
