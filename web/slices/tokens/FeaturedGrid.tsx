import type { WireToken } from '@chainboard/contract'
import { memo, type RefObject, useRef } from 'react'
import { usePriceMode } from '../../token/priceMode.ts'
import { sidewaysList } from '../../ui/cardStyles.ts'
import { QueryView } from '../../ui/QueryView.tsx'
import { SidewaysButtons } from '../../ui/SidewaysButtons.tsx'
import { cardVariants } from './cardVariants.tsx'
import { Strip } from './Strip.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenCard, TokenCardSkeleton } from './TokenCard.tsx'
import { useFeatured } from './tokenLists.ts'

const skeletons = [1, 2, 3, 4, 5, 6]
const listLook = `${sidewaysList} -mx-4 gap-3 desk:mx-0 desk:scroll-px-0 desk:px-0`
/** What the cards take, kept for them and for the word that they did not come. */
const roomLook = 'min-h-24 touch:min-h-26'

/** The operator's choice of tokens, in the operator's order. Nothing when there is none. */
export const FeaturedGrid = memo(function FeaturedGrid({ openers }: { readonly openers: TokenOpeners }) {
  const query = useFeatured()
  const list = useRef<HTMLUListElement>(null)
  const count = query.data?.length
  if (count === 0) return null
  return (
    <Strip
      id="featured"
      text="Featured"
      busy={query.isPending}
      controls={<SidewaysButtons list={list} count={count ?? 0} what="featured tokens" />}
    >
      <div className={`flex flex-col ${query.data ? '' : roomLook}`}>
        <QueryView
          quiet
          query={query}
          isEmpty={(tokens: readonly WireToken[]) => tokens.length === 0}
          failureText="Failed to fetch highlighted tokens"
          waiting={
            <ul className={`${listLook} overflow-x-hidden`}>
              {skeletons.map((index) => (
                <TokenCardSkeleton key={index} variant={cardVariants.featured} />
              ))}
            </ul>
          }
          empty={() => null}
        >
          {(tokens) => <FeaturedCards list={list} tokens={tokens} openers={openers} />}
        </QueryView>
      </div>
    </Strip>
  )
})

type CardsProps = {
  /** What is scrolled by buttons, if there are some. */
  readonly list?: RefObject<HTMLUListElement | null>
  readonly tokens: readonly WireToken[]
  readonly openers: TokenOpeners
}

function FeaturedCards({ list, tokens, openers }: CardsProps) {
  const { mode } = usePriceMode()
  return (
    <ul ref={list} className={listLook}>
      {tokens.map((token) => (
        <TokenCard key={token.address} variant={cardVariants.featured} token={token} mode={mode} openers={openers} />
      ))}
    </ul>
  )
}

const nothing = () => false
const inert: TokenOpeners = {
  onDetails: nothing,
  onChart: nothing,
  onSwaps: nothing,
  onStar: nothing,
  isStarred: nothing,
  onIntent: nothing,
}

/** The cards as they would stand there, to be looked at alone. */
export function previewFeatured(tokens: readonly WireToken[]) {
  return <FeaturedCards tokens={tokens} openers={inert} />
}
