import { toDisplayText, type WireConfig, type WireToken } from '@chainboard/core'
import { useState } from 'react'
import { fillTemplate } from '../lib/urls.ts'
import { ChartPanel, loadPriceCanvas } from '../slices/chart/ChartPanel.tsx'
import { useConfig } from '../slices/config/useConfig.ts'
import { SwapsPanel } from '../slices/swaps/SwapsPanel.tsx'
import { TokenMark } from '../slices/tokens/TokenMark.tsx'
import { toTokenText } from '../slices/tokens/tokenText.ts'
import { useToken } from '../slices/tokens/useToken.ts'
import { filledControl } from '../ui/buttonStyles.ts'
import { EmptyNote } from '../ui/EmptyNote.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Modal } from '../ui/Modal.tsx'
import { QueryView } from '../ui/QueryView.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import type { HomeSearch } from './homeSearch.ts'
import { useHomeSearch } from './useHomeSearch.ts'

export { loadPriceCanvas }

const kinds = { chart: 'Price Chart', swaps: 'Recent Swaps' } as const

type Shown = { readonly kind: keyof typeof kinds; readonly address: string; readonly search: HomeSearch }

function readShown(search: HomeSearch): Shown | undefined {
  if (search.chart !== undefined) return { kind: 'chart', address: search.chart, search }
  if (search.swaps !== undefined) return { kind: 'swaps', address: search.swaps, search }
  return undefined
}

/** The modal the address asks for. What it showed last stays until its closing is over. */
export default function TokenModal() {
  const { search, closeModal } = useHomeSearch()
  const asked = readShown(search)
  const [kept, setKept] = useState(asked)
  if (asked && asked.search !== kept?.search) setKept(asked)
  const shown = asked ?? kept
  if (!shown) return null
  return <ShownModal shown={shown} open={asked !== undefined} onClose={closeModal} onClosed={() => setKept(undefined)} />
}

type ShownProps = { readonly shown: Shown; readonly open: boolean; readonly onClose: () => void; readonly onClosed: () => void }

function ShownModal({ shown, open, onClose, onClosed }: ShownProps) {
  const query = useToken(shown.address)
  const config = useConfig()
  const token = query.data ?? undefined
  return (
    <Modal
      open={open}
      onClose={onClose}
      onClosed={onClosed}
      size={query.data === null ? 'fit' : shown.kind === 'chart' ? 'low' : 'tall'}
      mark={token ? <TokenMark token={token} size={28} /> : query.isPending && <span className="skeleton size-7 rounded-full!" />}
      title={<Title token={token} waiting={query.isPending} text={kinds[shown.kind]} />}
      footer={query.data !== null && <TradeFooter token={token} dex={config?.dex} withNotice={shown.kind === 'chart'} />}
    >
      <QueryView
        query={query}
        isEmpty={(found) => found === null}
        failureText="Failed to load tokens. Please try again later."
        waiting={<Waiting />}
        empty={() => <EmptyNote title="Token not found">No token of this list has the address in this link.</EmptyNote>}
      >
        {(found) => found && <Panel key={`${shown.kind} ${found.address}`} token={found} shown={shown} config={config} />}
      </QueryView>
    </Modal>
  )
}

type TitleProps = { readonly token: WireToken | undefined; readonly waiting: boolean; readonly text: string }

function Title({ token, waiting, text }: TitleProps) {
  if (waiting)
    return (
      <>
        <Skeleton width={168} height={16} />
        <span className="sr-only">{text}</span>
      </>
    )
  if (!token) return text
  return (
    <>
      <bdi>{toTokenText(token).name}</bdi> {text}
    </>
  )
}

type PanelProps = { readonly token: WireToken; readonly shown: Shown; readonly config: WireConfig | undefined }

function Panel({ token, shown, config }: PanelProps) {
  const { changeModal } = useHomeSearch()
  if (shown.kind === 'swaps') return <SwapsPanel token={token} explorer={config?.explorer ?? null} />
  return (
    <ChartPanel
      token={token}
      range={shown.search.range ?? '1d'}
      kind={shown.search.view ?? 'line'}
      accentKey={config ? `${config.brand.accentDark} ${config.brand.accentLight}` : ''}
      onRange={(range) => changeModal({ range })}
      onKind={(kind) => changeModal({ view: kind === 'candles' ? kind : undefined })}
    />
  )
}

function Waiting() {
  return (
    <div className="flex flex-1 items-center justify-center">
      <Spinner label="Looking up the token" />
    </div>
  )
}

type TradeProps = {
  readonly token: WireToken | undefined
  readonly dex: WireConfig['dex'] | undefined
  readonly withNotice: boolean
}

function TradeFooter({ token, dex, withNotice }: TradeProps) {
  const url = token && dex && fillTemplate(dex.swapUrl, token.address)
  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-3">
      {withNotice ? <ChartNotice /> : <span />}
      {/* Until it is known where to, the link's place is kept. */}
      {(!token || !dex) && (
        <span aria-hidden="true" className="skeleton h-10 w-48 rounded-8! max-tablet:h-12 max-tablet:w-full" />
      )}
      {url && (
        <a href={url} target="_blank" rel="noopener noreferrer" className={`${filledControl} max-tablet:h-12 max-tablet:w-full`}>
          Trade on {toDisplayText(dex.name, 'the DEX', 32)}
          <Icon name="out" size={16} />
        </a>
      )}
    </div>
  )
}

/** The chart library's licence asks for its notice and a link on the page that shows it. */
function ChartNotice() {
  return (
    <p className="text-12 text-ink-3">
      TradingView Lightweight Charts™ © 2026{' '}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noopener noreferrer"
        className="underline underline-offset-2 hover:text-ink"
      >
        TradingView, Inc.
      </a>
    </p>
  )
}
