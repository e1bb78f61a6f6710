import type { WireConfig, WireToken } from '@chainboard/contract'
import { formatFeeTier, shortenAddress, toDisplayText } from '@chainboard/core'
import type { ReactNode } from 'react'
import { copyAddress } from '../../lib/copyAddress.ts'
import { receiptPath } from '../../lib/marketPaths.ts'
import { safeUrl } from '../../lib/safeUrl.ts'
import { fillTemplate } from '../../lib/urls.ts'
import { useNow } from '../../lib/useNow.ts'
import { describeBoost } from '../../token/BoostMark.tsx'
import { describeLinks } from '../../token/describeLinks.ts'
import { describeOrigin } from '../../token/describeOrigin.ts'
import { describeTrades } from '../../token/describePrice.ts'
import { describeLock } from '../../token/LockMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

/** Of a row, and of the bars in its place. */
export const detailRowLook =
  'grid min-h-12 grid-cols-[68px_minmax(0,1fr)_auto] items-center gap-x-2 border-line border-t py-1.5 tablet:grid-cols-[96px_minmax(0,1fr)_auto] tablet:gap-x-3'

type Props = { readonly token: WireToken; readonly config: WireConfig | undefined }

/** Where a token lives, who holds its liquidity, and where its price comes from. */
export function TokenDetailsRows({ token, config, onBoost }: Props & { readonly onBoost: (() => void) | undefined }) {
  return (
    <dl>
      {onBoost && <BoostRow token={token} onBoost={onBoost} />}
      <ContractRow token={token} config={config} />
      <LockRow token={token} />
      <PoolRow token={token} config={config} />
      <TradeRows token={token} />
      <OriginRow token={token} config={config} />
      <LinksRow token={token} />
    </dl>
  )
}

type RowProps = { readonly term: string; readonly children: ReactNode; readonly link?: ReactNode }

function Row({ term, children, link }: RowProps) {
  return (
    <div className={detailRowLook}>
      <dt className="text-13 text-ink-2">{term}</dt>
      <dd className="min-w-0">{children}</dd>
      {link && <dd className="-mr-2">{link}</dd>}
    </div>
  )
}

function OutLink({ url, text }: { readonly url: string | undefined; readonly text: string }) {
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="print:hidden inline-flex h-8 items-center gap-1 whitespace-nowrap rounded-8 px-2 text-13 text-ink-2 transition-colors duration-120 hover:bg-surface-2 hover:text-ink touch:h-11"
    >
      {text}
      <span className="text-ink-3">
        <Icon name="out" size={14} />
      </span>
    </a>
  )
}

function BoostRow({ token, onBoost }: { readonly token: WireToken; readonly onBoost: () => void }) {
  const left = describeBoost(token)
  const action = (
    <button
      type="button"
      onClick={onBoost}
      className="inline-flex h-8 items-center gap-1.5 whitespace-nowrap rounded-8 px-2 text-13 font-strong text-boost transition-colors duration-120 hover:bg-surface-2 touch:h-11"
    >
      <Icon name="bolt" size={16} />
      {left ? 'Extend Boost' : 'Boost Token'}
    </button>
  )
  return (
    <Row term="Boost" link={action}>
      {left ? (
        <>
          <span className="text-boost">Boosted · Paid</span> <span className="whitespace-nowrap text-ink-2">{left}</span>
        </>
      ) : (
        <span className="text-ink-3">Not boosted</span>
      )}
    </Row>
  )
}

function ContractRow({ token, config }: Props) {
  const { symbol } = toTokenText(token)
  const url = config?.explorer ? fillTemplate(config.explorer.addressUrl, token.address) : undefined
  return (
    <Row term="Contract" link={<OutLink url={url} text="View Contract" />}>
      <span className="flex items-center gap-1">
        <span title={token.address} className="font-mono text-13">
          {shortenAddress(token.address)}
        </span>
        <IconButton
          icon="copy"
          iconSize={16}
          label={`Copy address of ${symbol}`}
          onClick={() => void copyAddress(token.address)}
        />
      </span>
    </Row>
  )
}

function LockRow({ token }: { readonly token: WireToken }) {
  const text = describeLock(token)
  if (!text) return null
  const locked = text !== 'Unlocked'
  return (
    <Row term="Liquidity" link={<OutLink url={safeUrl(token.lockUrl)} text="View Lock" />}>
      <span className={`flex items-center gap-2 ${locked ? '' : 'text-warn'}`}>
        <span className="max-tablet:hidden">
          <Icon name={locked ? 'locked' : 'unlocked'} size={16} />
        </span>
        {text}
      </span>
    </Row>
  )
}

function PoolRow({ token, config }: Props) {
  const pool = token.priceInfo
  if (!pool)
    return (
      <Row term="Pool">
        <span className="text-ink-3">None known</span>
      </Row>
    )
  const url = config && fillTemplate(config.dex.poolUrl, pool.poolAddress)
  return (
    <Row term="Pool" link={<OutLink url={url} text="View Pool" />}>
      <span className="flex items-center gap-2">
        <span className="truncate">
          <bdi>{toTokenText(token).symbol}</bdi>/<bdi>{toDisplayText(pool.baseToken.symbol, '?', 16)}</bdi>
        </span>
        <span className="rounded-6 bg-surface-2 px-1.5 text-12 text-ink-2">{formatFeeTier(pool.feeTier)}</span>
      </span>
    </Row>
  )
}

function TradeRows({ token }: { readonly token: WireToken }) {
  const trades = describeTrades(token)
  if (!trades) return null
  return (
    <>
      <Row term="Last trade">
        <span className="figures flex flex-wrap items-baseline gap-x-2">
          {trades.last}
          {trades.range && <span className="text-13 text-ink-2">{trades.range}</span>}
        </span>
      </Row>
      {trades.cost && (
        <Row term="10% move">
          <span className="figures">{trades.cost}</span> <span className="text-13 text-ink-2">in fees, there and back</span>
        </Row>
      )}
    </>
  )
}

function OriginRow({ token, config }: Props) {
  const origin = describeOrigin(token, config?.usdc.address, useNow())
  if (!origin) return null
  return (
    <Row term="Price from" link={<OutLink url={receiptPath(token.address)} text="View Receipt" />}>
      <p className="pt-1">{origin.source}</p>
      <p className="pb-1 text-12 text-ink-2">{origin.quality}</p>
      {origin.reasons.map((reason) => (
        <p key={reason} className="pb-1 text-12 text-ink-2 wrap-anywhere">
          {reason}
        </p>
      ))}
    </Row>
  )
}

function LinksRow({ token }: { readonly token: WireToken }) {
  const links = describeLinks(token)
  if (links.length === 0) return null
  return (
    <div className={`${detailRowLook} print:hidden`}>
      <dt className="text-13 text-ink-2">Links</dt>
      <dd className="-mx-2 col-span-2 flex flex-wrap">
        {links.map(({ site, url }) => (
          <OutLink key={site} url={url} text={site} />
        ))}
      </dd>
    </div>
  )
}
