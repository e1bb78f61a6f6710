import { toDisplayText, toSiteTitle } from '@chainboard/core'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { afterPaint } from '../../lib/afterPaint.ts'
import { useHydrated } from '../../lib/hydration.tsx'
import { lazyPart } from '../../lib/lazyPart.tsx'
import { useSeen } from '../../lib/useSeen.ts'
import { useTitle } from '../../lib/useTitle.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { StatusLine } from '../../slices/status/StatusLine.tsx'
import { BoostedStrip } from '../../slices/tokens/BoostedStrip.tsx'
import { FeaturedGrid } from '../../slices/tokens/FeaturedGrid.tsx'
import type { TokenOpeners } from '../../slices/tokens/TokenActions.tsx'
import { type ShownPrices, TokenSection } from '../../slices/tokens/TokenSection.tsx'
import { TrendingStrip } from '../../slices/tokens/TrendingStrip.tsx'
import { useListsSettled } from '../../slices/tokens/tokenLists.ts'
import { useWatchlistShown } from '../../slices/watchlist/watchlistShown.ts'
import { useLiveFailing } from '../../token/liveTokens.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { PartNote } from '../../ui/PartNote.tsx'
import type { ModalKind } from '../homeSearch.ts'
import { ModalFrame } from '../ModalFrame.tsx'
import { closeModal, openModal, setTableLook, setView, useHomeSearch, useModalAsked, useSearching } from '../useHomeSearch.ts'
import { useStars } from '../useStars.ts'

/** The watchlist is not shown until asked for, and its code comes when it is. */
const HomeWatchlist = lazyPart(() => import('../HomeWatchlist.tsx'))

/** Whether its code is there, or has not arrived. */
function useWatchlistCode(shown: boolean): boolean {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    const settle = () => setSettled(true)
    if (shown) HomeWatchlist.load().then(settle, settle)
  }, [shown])
  return settled
}

/** Whether it has been true once. */
function useOnce(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo)
  if (isSo && !was) setWas(true)
  return was || isSo
}

const loadModals = () => import('../TokenModal.tsx')
/** Asking for a dozen files takes longer than a press may: what it shows at once is painted first. */
const TokenModal = lazyPart(() => new Promise<void>(afterPaint).then(loadModals))

/** The code of the modals comes with the first sign that one will be opened. When it does not, opening asks again. */
function fetchModalsAhead(): void {
  TokenModal.load()
    .then(loadModals)
    .then(({ loadPriceCanvas }) => loadPriceCanvas())
    .catch(() => undefined)
}

const opening = {
  onDetails: (token: string) => openModal({ token }),
  onChart: (chart: string) => openModal({ chart }),
  onSwaps: (swaps: string) => openModal({ swaps }),
  onIntent: fetchModalsAhead,
}
const boosting = { ...opening, onBoost: (boost: string) => openModal({ boost }) }

/** What is traded, featured, boosted and watched, and all tokens. */
export function HomePage() {
  const config = useConfig()
  const watchlist = useWatchlistShown()
  const stars = useStars()
  const offered = config && config.boost !== null
  const settled = useListsSettled(offered)
  const hasWatchlistCode = useWatchlistCode(watchlist.shown)
  const watchlistSettled = !watchlist.shown || settled.tooLong || (isKnown(stars) && hasWatchlistCode)
  // Whether boosts are offered decides how wide the table's actions are.
  const shaped = offered !== undefined || settled.tooLong
  const asked = useModalAsked()
  // The server has named the page after a token that is open at first.
  useTitle(config && !asked ? toSiteTitle(config.siteName) : undefined)
  const hydrated = useHydrated()
  const placed = useOnce(hydrated && settled.trending && settled.featured && settled.boosted && watchlistSettled)
  // Whoever searches wants to see what is found.
  const asksSearch = useSearching()
  // They come back two frames after a search is cleared: the empty field is shown first.
  const searching = useSeen(asksSearch) || asksSearch
  const listed = useOnce(!searching)
  const { onStar, isStarred } = stars
  const openers = useMemo(
    (): TokenOpeners => ({ ...(offered ? boosting : opening), onStar, isStarred }),
    [offered, onStar, isStarred],
  )
  return (
    // The foot of the page begins under the first screen, however little stands here: it never moves within sight.
    <div className="min-h-[calc(100dvh-3.5rem)]">
      <h1 className="sr-only">Tokens on {config ? toDisplayText(config.chain.name, 'this chain', 40) : 'this chain'}</h1>
      {/* A search hides them. Drawing them again would be most of the work when it ends. */}
      <div inert={searching} className={searching ? 'h-0 overflow-hidden [content-visibility:hidden]' : ''}>
        {listed && <TrendingStrip openers={openers} dex={config?.dex} />}
        <Held until={!hydrated || searching || settled.trending}>{listed && <FeaturedGrid openers={openers} />}</Held>
        <Held until={!hydrated || searching || (settled.trending && settled.featured)}>
          {listed && <BoostedStrip offered={offered} openers={openers} />}
        </Held>
      </div>
      <Held until={!hydrated || (searching ? shaped : placed)}>
        {watchlist.shown && hasWatchlistCode && (
          <Boundary fallback={(retry) => <PartNote {...retry} text="Your watchlist did not load." />}>
            <Suspense fallback={null}>
              <HomeWatchlist stars={stars} openers={openers} />
            </Suspense>
          </Boundary>
        )}
        <HomeTokens openers={openers} chain={config?.chain.name} />
      </Held>
      <KeptOpen kind={asked} />
    </div>
  )
}

/** The part of the page that follows every letter of a search. */
function HomeTokens({ openers, chain }: { readonly openers: TokenOpeners; readonly chain: string | undefined }) {
  const { search, view } = useHomeSearch()
  const silent = useLiveFailing()
  const lastKnown = <Subtitle text="Last known prices" chain={chain} />
  const subtitle = (prices: ShownPrices) => {
    const live = prices === 'fresh' && chain !== undefined && <Subtitle text="Live prices" chain={chain} />
    if (prices === 'none') return <StatusLine whenLive={null} />
    return <StatusLine whenLive={silent ? lastKnown : live} whenLost={lastKnown} />
  }
  const { columns, rows } = search
  const look = { ...(columns && { columns }), ...(rows && { rows }) }
  return <TokenSection view={view} onView={setView} look={look} onLook={setTableLook} openers={openers} subtitle={subtitle} />
}

/**
 * A part that waits for its place. It is drawn anew there, and leaves room meanwhile, so that a reload finds the place scrolled to. What the
 * server drew is in its place, but for visitors whose own choices move it (public/theme.js).
 */
function Held({ until, children }: { readonly until: boolean; readonly children: ReactNode }) {
  return (
    <div data-waits="" className={until ? '' : 'invisible min-h-220'}>
      <div className={until ? '' : 'hidden'}>{children}</div>
    </div>
  )
}

/** Whether the watchlist has its size. */
function isKnown({ account, query }: ReturnType<typeof useStars>): boolean {
  return account === 'signedOut' || (account === 'signedIn' && (query.data !== undefined || query.failureCount > 0))
}

function Subtitle({ text, chain = '' }: { readonly text: string; readonly chain: string | undefined }) {
  return (
    <p data-now="" className="wrap-anywhere text-ink-2">
      {text} on {toDisplayText(chain, 'this chain', 40)}
    </p>
  )
}

/** The modal's code comes when one is first asked for, and then stays, so that it can close with grace. */
function KeptOpen({ kind }: { readonly kind: ModalKind | '' }) {
  const everAsked = useOnce(kind !== '')
  if (!everAsked) return null
  // Its address stays when the code does not arrive, so that loading the page again opens it, too.
  const frame = (note?: ReactNode) => kind && <ModalFrame kind={kind} note={note} onClose={closeModal} />
  return (
    <Boundary fallback={(retry) => frame(<PartNote {...retry} text="This part did not load." />)}>
      <Suspense fallback={frame()}>
        <TokenModal />
      </Suspense>
    </Boundary>
  )
}
