import type { WireToken } from '@chainboard/contract'
import { useState } from 'react'
import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import { usePriceMode } from '../../token/priceMode.ts'
import { quietControl } from '../../ui/buttonStyles.ts'
import { sidewaysList } from '../../ui/cardStyles.ts'
import { QueryView } from '../../ui/QueryView.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenCard, TokenCardSkeleton } from './TokenCard.tsx'
import { useFeatured } from './tokenLists.ts'

/** More stand behind a button, so that the table stays within reach. */
const shownAtFirst = 6
const skeletons = Array.from({ length: shownAtFirst }, (_, index) => index)
const listLook = `${sidewaysList} gap-3 max-tablet:-mx-4 tablet:grid tablet:grid-cols-2 tablet:overflow-visible tablet:px-0 desk:grid-cols-3 desk:gap-4`
/** What the cards before the button take, kept for them and for the word that they did not come. */
const roomLook = 'min-h-37 touch:min-h-41 tablet:min-h-117 tablet:touch:min-h-129 desk:min-h-78 desk:touch:min-h-86'

/** The operator's choice of tokens, in the operator's order. Nothing when there is none. */
export function FeaturedGrid({ openers }: { readonly openers: TokenOpeners }) {
  const query = useFeatured()
  const [all, setAll] = useState(false)
  const phone = useMediaQuery(phoneQuery)
  const count = query.data?.length
  if (count === 0) return null
  return (
    <section aria-labelledby="featured" aria-busy={query.isPending} className="pt-6">
      <SectionHead id="featured" text="Featured">
        {!phone && count !== undefined && count > shownAtFirst && (
          <button
            type="button"
            aria-expanded={all}
            onClick={() => setAll(!all)}
            className={`${quietControl} h-8 px-2 text-13 font-strong touch:h-11`}
          >
            {all ? 'Show fewer' : `Show all ${count}`}
          </button>
        )}
      </SectionHead>
      <div className={`flex flex-col ${query.data ? '' : roomLook}`}>
        <QueryView
          quiet
          query={query}
          isEmpty={(tokens: readonly WireToken[]) => tokens.length === 0}
          failureText="Failed to fetch highlighted tokens"
          waiting={
            <ul className={`${listLook} max-tablet:overflow-x-hidden`}>
              {skeletons.map((index) => (
                <TokenCardSkeleton key={index} variant="featured" />
              ))}
            </ul>
          }
          empty={() => null}
        >
          {(tokens) => <FeaturedCards tokens={phone || all ? tokens : tokens.slice(0, shownAtFirst)} openers={openers} />}
        </QueryView>
      </div>
    </section>
  )
}

function FeaturedCards({ tokens, openers }: { readonly tokens: readonly WireToken[]; readonly openers: TokenOpeners }) {
  const { mode } = usePriceMode()
  return (
    <ul className={listLook}>
      {tokens.map((token) => (
        <TokenCard key={token.address} variant="featured" token={token} mode={mode} openers={openers} />
      ))}
    </ul>
  )
}
