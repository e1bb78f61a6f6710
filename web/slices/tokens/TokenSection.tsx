import { type TokenSort, toDisplayText, tokenPageSize } from '@chainboard/core'
import { memo, type ReactNode, useCallback, useEffect, useEffectEvent } from 'react'
import { useRowKeys } from '../../lib/rowKeys.ts'
import { useLasting } from '../../lib/useLasting.ts'
import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import { foundMark, hasFocusInRow, moveBetweenNames } from '../../token/nameFocus.ts'
import { usePriceMode } from '../../token/priceMode.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenCard, TokenCardSkeleton } from './TokenCard.tsx'
import { TokenRow, TokenRowSkeleton } from './TokenRow.tsx'
import { TokenTable } from './TokenTable.tsx'
import { type TokenPage, type TokenView, usePrefetchTokenPage, useTokenPage } from './useTokenPage.ts'

/** Changes a part of the view. `replace` leaves no trace in the history. */
type OnView = (change: Partial<TokenView>, history?: 'push' | 'replace') => void

/** `old`: they could not be read again. */
export type ShownPrices = 'none' | 'old' | 'fresh'

type Props = {
  readonly view: TokenView
  readonly onView: OnView
  readonly openers: TokenOpeners
  /** One line under the heading, by what it can say of the prices under it. */
  readonly subtitle: (prices: ShownPrices) => ReactNode
}

/** The orders of the table in words, in the order of the menu. */
const sortOptions: readonly { readonly value: TokenSort; readonly text: string }[] = [
  { value: 'fdmcDesc', text: 'Market cap' },
  { value: 'priceDesc', text: 'Price' },
  { value: 'volumeDesc', text: 'Volume 24h' },
  { value: 'changeDesc', text: 'Change 24h' },
  { value: 'nameAsc', text: 'Name' },
]

/** An answer that comes sooner changes the rows and nothing else. */
const dimAfterMs = 200
const skeletons = Array.from({ length: tokenPageSize }, (_, index) => index)

/** "All Tokens": order, table or cards, and pages. */
export function TokenSection({ view, onView, openers, subtitle }: Props) {
  const query = useTokenPage(view)
  const onSort = useCallback((sort: TokenSort) => onView({ sort, page: 1 }), [onView])
  const dimmed = useLasting(query.isPlaceholderData, dimAfterMs)
  const prices = !query.data?.total ? 'none' : query.error ? 'old' : 'fresh'
  const rows = { sort: view.sort, first: (view.page - 1) * tokenPageSize + 1, onSort, openers }
  return (
    // Painted apart from the rest of the page (`isolate`), as it follows every letter of a search.
    <section aria-labelledby="all-tokens" {...foundMark} className="isolate">
      <header className="grid grid-cols-[1fr_auto] items-center gap-x-4 pt-8 pb-3">
        <h2 id="all-tokens" className="text-20 font-strong tracking-tight">
          All Tokens
        </h2>
        <div className="tablet:row-span-2">
          <SelectField label="Sort by" options={sortOptions} value={view.sort} onChange={onSort} />
        </div>
        <div className="min-h-5 text-13 max-tablet:col-span-2 max-tablet:min-h-6 max-tablet:pt-1">{subtitle(prices)}</div>
      </header>
      <div className="flex min-h-189 flex-col tablet:mouse:min-h-166">
        <QueryView
          query={query}
          isEmpty={(page) => page.total === 0}
          failureText="Failed to load tokens. Please try again later."
          waiting={
            <>
              <TokenRows {...rows} page={undefined} dimmed={false} />
              <p role="status" className="px-3 py-4 text-13 text-ink-2">
                Loading the tokens
              </p>
            </>
          }
          empty={() => <NothingFound search={view.search} onClear={() => onView({ search: '', page: 1 })} />}
        >
          {(page, isPrevious) => (
            <>
              <TokenRows {...rows} page={page} dimmed={dimmed} />
              <TokenPages view={view} page={page} isPrevious={isPrevious} onView={onView} />
            </>
          )}
        </QueryView>
      </div>
    </section>
  )
}

type RowsProps = {
  readonly sort: TokenSort
  /** Place of the first row, from 1. */
  readonly first: number
  readonly onSort: (sort: TokenSort) => void
  readonly openers: TokenOpeners
  readonly page: TokenPage | undefined
  /** What is shown is not what was asked for last. */
  readonly dimmed: boolean
}

/** Drawn anew for an answer, not for each letter of a search. */
const TokenRows = memo(function TokenRows({ sort, first, onSort, openers, page, dimmed }: RowsProps) {
  const phone = useMediaQuery(phoneQuery)
  const { mode } = usePriceMode()
  const keys = useRowKeys(page?.tokens.map(({ address }) => address) ?? [], page?.view, hasFocusInRow)
  // A short last page keeps the height of a full one, so that the pager stays under the pointer.
  const room = page && page.total <= tokenPageSize ? '' : phone ? 'min-h-[650px]' : 'min-h-[600px] touch:min-h-[680px]'
  if (phone)
    return (
      <ul onKeyDown={moveBetweenNames} className={`${room} border-line border-t ${dimmed ? 'opacity-60' : ''}`}>
        {page
          ? page.tokens.map((token) => (
              <TokenCard key={keys.get(token.address)} variant="phone" token={token} mode={mode} openers={openers} />
            ))
          : skeletons.map((index) => <TokenCardSkeleton key={index} variant="phone" hasBoosts={openers.onBoost !== undefined} />)}
      </ul>
    )
  return (
    <div className={room}>
      <TokenTable sort={sort} onSort={onSort} dimmed={dimmed} boost={openers.onBoost !== undefined}>
        {page
          ? page.tokens.map((token, index) => (
              <TokenRow key={keys.get(token.address)} token={token} place={first + index} mode={mode} openers={openers} />
            ))
          : skeletons.map((index) => <TokenRowSkeleton key={index} />)}
      </TokenTable>
    </div>
  )
})

type PagesProps = {
  readonly view: TokenView
  readonly page: TokenPage
  readonly isPrevious: boolean
  readonly onView: OnView
}

function TokenPages({ view, page, isPrevious, onView }: PagesProps) {
  const prefetch = usePrefetchTokenPage()
  const pages = Math.max(1, Math.ceil(page.total / tokenPageSize))
  const beyond = !isPrevious && view.page > pages
  const goToLast = useEffectEvent(() => onView({ page: pages }, 'replace'))
  useEffect(() => {
    // An old link to a page that is no more leads to the last one.
    if (beyond) goToLast()
  }, [beyond])
  return (
    <footer className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
      <p aria-live="polite" className="figures text-13 text-ink-2">
        Showing {page.tokens.length} of {page.total.toLocaleString('en-US')} tokens
      </p>
      {pages > 1 && (
        <Pager
          label="Pages of tokens"
          page={Math.min(view.page, pages)}
          pages={pages}
          onPage={(page) => onView({ page })}
          onPreview={(target) => prefetch({ ...view, page: target })}
        />
      )}
    </footer>
  )
}

function NothingFound({ search, onClear }: { readonly search: string; readonly onClear: () => void }) {
  return (
    <EmptyNote title="No tokens found">
      {search === '' ? (
        'The token list of this chain is empty.'
      ) : (
        <>
          Nothing is named “<bdi>{toDisplayText(search, '?')}</bdi>”.{' '}
          <button type="button" onClick={onClear} className="font-strong text-accent underline underline-offset-4">
            Show all tokens
          </button>
        </>
      )}
    </EmptyNote>
  )
}
