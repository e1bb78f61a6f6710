import type { WireConfig, WireToken } from '@chainboard/contract'
import { toTokenTitle } from '@chainboard/core'
import { useState } from 'react'
import { useNow } from '../lib/useNow.ts'
import { useTitle } from '../lib/useTitle.ts'
import { ChartPanel, loadPriceCanvas } from '../slices/chart/ChartPanel.tsx'
import { useConfig } from '../slices/config/useConfig.ts'
import { SwapsPanel } from '../slices/swaps/SwapsPanel.tsx'
import { TokenDetails, TokenDetailsSkeleton } from '../slices/tokenDetails/TokenDetails.tsx'
import { useToken } from '../slices/tokens/useToken.ts'
import { describePriceAge } from '../token/describePrice.ts'
import { useLiveToken } from '../token/liveTokens.ts'
import { StarButton } from '../token/StarButton.tsx'
import { TokenMark } from '../token/TokenMark.tsx'
import { toTokenText } from '../token/tokenText.ts'
import { EmptyNote } from '../ui/EmptyNote.tsx'
import { Modal } from '../ui/Modal.tsx'
import { QueryView } from '../ui/QueryView.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { BoostModal, BoostSkeleton } from './BoostModal.tsx'
import { findModal, type HomeSearch, type ModalKind } from './homeSearch.ts'
import { TokenModalFooter } from './TokenModalFooter.tsx'
import { TokenModalSubtitle, TokenModalTitle } from './TokenModalTitle.tsx'
import { changeModal, closeModal, openModal, useHomeSearch } from './useHomeSearch.ts'
import { useStars } from './useStars.ts'

export { loadPriceCanvas }

const sizes = { token: 'card', chart: 'low', swaps: 'tall', boost: 'card' } as const
const waiting = { token: <TokenDetailsSkeleton />, chart: <Waiting />, swaps: <Waiting />, boost: <BoostSkeleton /> } as const

type Shown = { readonly kind: ModalKind; readonly address: string; readonly search: HomeSearch }

function readShown(search: HomeSearch): Shown | undefined {
  const found = findModal(search)
  return found && { ...found, search }
}

/** The modal the address asks for. What it showed last stays until its closing is over. */
export default function TokenModal() {
  const { search } = useHomeSearch()
  const asked = readShown(search)
  const [kept, setKept] = useState(asked)
  if (asked && asked.search !== kept?.search) setKept(asked)
  const shown = asked ?? kept
  if (!shown) return null
  return <ShownModal shown={shown} open={asked !== undefined} onClose={closeModal} onClosed={() => setKept(undefined)} />
}

type ShownProps = { readonly shown: Shown; readonly open: boolean; readonly onClose: () => void; readonly onClosed: () => void }

function ShownModal({ shown, open, onClose, onClosed }: ShownProps) {
  const { kind, address } = shown
  const query = useToken(address)
  const config = useConfig()
  const token = query.data ?? undefined
  useTitle(open && token && config ? toTokenTitle(token, config.siteName, kind) : undefined)
  return (
    <Modal
      open={open}
      onClose={onClose}
      onClosed={onClosed}
      size={query.data === null ? 'fit' : sizes[kind]}
      shows={kind !== 'boost'}
      mark={token ? <TokenMark token={token} size={36} /> : query.isPending && <span className="skeleton size-9 rounded-full!" />}
      title={<TokenModalTitle token={token} waiting={query.isPending} kind={kind} />}
      subtitle={token ? <TokenModalSubtitle token={token} kind={kind} /> : query.isPending && <Skeleton width={96} height={12} />}
      action={token && <Star token={token} />}
      footer={kind !== 'boost' && (token || query.isPending) && <TokenModalFooter kind={kind} token={token} dex={config?.dex} />}
    >
      <QueryView
        query={query}
        isEmpty={(found) => found === null}
        failureText="Failed to load tokens. Please try again later."
        waiting={waiting[kind]}
        empty={() => <EmptyNote title="Token not found">No listed token has the address in this link.</EmptyNote>}
      >
        {(found) =>
          found && <Panel key={`${kind} ${found.address}`} token={found} shown={shown} config={config} onClose={onClose} />
        }
      </QueryView>
    </Modal>
  )
}

function Star({ token }: { readonly token: WireToken }) {
  const { isStarred, onStar } = useStars()
  return (
    <span className="-mr-2 flex">
      <StarButton
        symbol={toTokenText(token).symbol}
        starred={isStarred(token.address)}
        onStar={() => onStar(token.address)}
        className="size-9! touch:size-11!"
      />
    </span>
  )
}

type PanelProps = { readonly token: WireToken; readonly shown: Shown; readonly config: WireConfig | undefined }

function Panel({ token, shown, config, onClose }: PanelProps & { readonly onClose: () => void }) {
  if (shown.kind === 'token') return <TokenDetails token={token} config={config} onBoost={toBoost(token, config)} />
  if (shown.kind === 'boost') return <BoostModal token={token} config={config} onClose={onClose} />
  if (shown.kind === 'swaps') return <SwapsPanel token={token} explorer={config?.explorer ?? null} />
  return <LiveChart token={token} search={shown.search} config={config} />
}

function toBoost({ address }: WireToken, config: WireConfig | undefined): (() => void) | undefined {
  return config?.boost ? () => openModal({ boost: address }) : undefined
}

function LiveChart({ token: listed, search, config }: Omit<PanelProps, 'shown'> & { readonly search: HomeSearch }) {
  const token = useLiveToken(listed)
  const priceAge = describePriceAge(token, useNow())
  return (
    <ChartPanel
      token={token}
      priceAge={priceAge}
      range={search.range ?? '1d'}
      kind={search.view ?? 'line'}
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
