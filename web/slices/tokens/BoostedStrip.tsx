import type { WireToken } from '@chainboard/contract'
import { formatRelativeTime } from '@chainboard/core'
import { memo, useEffect, useMemo, useRef } from 'react'
import { useChainNow } from '../../lib/chainClock.ts'
import { useNow } from '../../lib/useNow.ts'
import { publish, useLiveTokens } from '../../token/liveTokens.ts'
import { usePriceMode } from '../../token/priceMode.ts'
import { sidewaysList } from '../../ui/cardStyles.ts'
import { QueryView } from '../../ui/QueryView.tsx'
import { SidewaysButtons } from '../../ui/SidewaysButtons.tsx'
import { cardVariants } from './cardVariants.tsx'
import { Strip } from './Strip.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenCard, TokenCardSkeleton } from './TokenCard.tsx'
import { listRunning, useBoosted, withBoosts } from './useBoosted.ts'

const listLook = `${sidewaysList} -mx-4 gap-3 desk:mx-0 desk:scroll-px-0 desk:px-0`
const skeletons = [1, 2, 3, 4]
const none: readonly WireToken[] = []
const failureText = 'Failed to refresh boost data'

type Props = {
  /** Whether this chain has boosts; `undefined` until the network is known. */
  readonly offered: boolean | undefined
  readonly openers: TokenOpeners
}

/** What somebody has paid for to be seen, the longest first. As high without a token as with many, so that nothing moves when a boost ends. */
export const BoostedStrip = memo(function BoostedStrip({ offered, openers }: Props) {
  const query = useBoosted(offered)
  const { mode } = usePriceMode()
  const list = useRef<HTMLUListElement>(null)
  const { data, isError } = query
  useEffect(() => {
    // Tokens that were on screen without a boost have one now.
    if (data) publish(data.tokens)
  }, [data])
  const live = useLiveTokens(data?.tokens ?? none)
  const boosted = useMemo(() => withBoosts(live, data?.tokens ?? none), [live, data])
  const running = listRunning(boosted, useChainNow())
  const more = data ? data.total - data.tokens.length : 0
  if (offered === false) return null
  // That nobody was boosted says nothing of now.
  const unknown = query.errorUpdateCount > 0 && (data === undefined || (isError && running.length === 0))
  return (
    <Strip
      id="boosted"
      text="Boosted Tokens"
      count={unknown ? undefined : data && more + running.length}
      busy={query.isPending}
      controls={
        <>
          {isError && !unknown && (
            <StaleBoosts sinceMs={query.dataUpdatedAt} busy={query.isFetching} onRetry={() => void query.refetch()} />
          )}
          <SidewaysButtons list={list} count={running.length + more} what="boosted tokens" />
        </>
      }
    >
      <div className="flex min-h-26 flex-col">
        <QueryView
          quiet
          query={{ ...query, data: unknown ? undefined : data && running, error: unknown || query.error }}
          isEmpty={(tokens: readonly WireToken[]) => tokens.length === 0}
          failureText={failureText}
          waiting={
            <ul className={`${listLook} overflow-x-hidden`}>
              {skeletons.map((index) => (
                <TokenCardSkeleton key={index} variant={cardVariants.boosted} />
              ))}
            </ul>
          }
          empty={() => <NoBoosts />}
        >
          {(tokens) => (
            <ul ref={list} className={listLook}>
              {tokens.map((token) => (
                <TokenCard
                  key={token.address}
                  variant={cardVariants.boosted}
                  token={token}
                  boostEndsAt={token.boostInfo?.expirationTime ?? 0}
                  mode={mode}
                  openers={openers}
                />
              ))}
              {more > 0 && (
                <li className="flex h-26 items-center px-4 text-13 text-ink-2">
                  {more.toLocaleString('en-US')} more {more === 1 ? 'has' : 'have'} less time left
                </li>
              )}
            </ul>
          )}
        </QueryView>
      </div>
    </Strip>
  )
})

type StaleProps = { readonly sinceMs: number; readonly busy: boolean; readonly onRetry: () => void }

/** What stands in the strip is the last that was known, and how old that is: on a phone in two lines. A finger's target reaches up from its word. */
function StaleBoosts({ sinceMs, busy, onRetry }: StaleProps) {
  return (
    <p className="text-right text-12 text-warn max-tablet:pb-1 desk:text-left">
      <span role="status" className="max-tablet:block">
        {failureText}
      </span>{' '}
      <span className="max-tablet:hidden">·</span> {formatRelativeTime(sinceMs / 1000, useNow())}{' '}
      <button
        type="button"
        disabled={busy}
        onClick={onRetry}
        className="inline-flex items-end font-strong underline underline-offset-2 touch:-mt-7 touch:min-h-11"
      >
        {busy ? 'Trying…' : 'Try Again'}
      </button>
    </p>
  )
}

function NoBoosts() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 rounded-14 border border-line-strong border-dashed px-6 text-center">
      <p className="text-14 font-strong">No Boosted Tokens Yet</p>
      <p className="text-13 text-ink-2">Be the first to boost a token and get premium visibility!</p>
    </div>
  )
}
