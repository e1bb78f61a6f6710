import type { WireConfig, WireToken } from '@chainboard/contract'
import { memo } from 'react'
import { usePriceMode } from '../../token/priceMode.ts'
import { sidewaysList } from '../../ui/cardStyles.ts'
import { QueryView } from '../../ui/QueryView.tsx'
import { cardVariants } from './cardVariants.tsx'
import { Strip } from './Strip.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenCard, TokenCardSkeleton } from './TokenCard.tsx'
import { useTrending } from './tokenLists.ts'

const shownMax = 5
const places = Array.from({ length: shownMax }, (_, index) => index + 1)
const listLook = `${sidewaysList} px-0! min-[1232px]:grid min-[1232px]:grid-cols-5`

const boardLook = 'border-line border-y max-desk:-mx-4 desk:rounded-14 desk:border desk:bg-surface-1'

type Props = {
  readonly openers: TokenOpeners
  /** `undefined` until the network is known. */
  readonly dex: WireConfig['dex'] | undefined
}

/** The five tokens with the highest organic volume of the day in one line. Nothing when there is none. */
export const TrendingStrip = memo(function TrendingStrip({ openers, dex }: Props) {
  const query = useTrending()
  const { mode } = usePriceMode()
  if (query.data?.length === 0) return null
  // Where nobody knows who trades, gross volume counts.
  const isGross = query.data?.every(({ costOfPlaceUsd }) => costOfPlaceUsd === null) ?? false
  const failed = query.isError && query.data === undefined
  return (
    <Strip id="trending" text="Trending" note={isGross ? 'by 24h volume' : 'by organic 24h volume'} busy={query.isPending}>
      <div className={`flex min-h-14.5 flex-col touch:min-h-16.5 ${failed ? '' : boardLook}`}>
        <QueryView
          quiet
          query={query}
          isEmpty={(tokens: readonly WireToken[]) => tokens.length === 0}
          failureText="Failed to fetch tokens"
          waiting={
            <ul className={`${listLook} max-desk:overflow-x-hidden`}>
              {places.map((place) => (
                <TokenCardSkeleton key={place} variant={cardVariants.trending} />
              ))}
            </ul>
          }
          empty={() => null}
        >
          {(tokens) => (
            <ol className={listLook}>
              {tokens.slice(0, shownMax).map((token, index) => (
                <TokenCard
                  key={token.address}
                  variant={cardVariants.trending}
                  token={token}
                  place={index + 1}
                  mode={mode}
                  openers={openers}
                  dex={dex}
                />
              ))}
            </ol>
          )}
        </QueryView>
      </div>
    </Strip>
  )
})
