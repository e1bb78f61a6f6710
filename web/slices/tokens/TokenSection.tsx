import { type TokenSort, toDisplayText, tokenPageSize } from '@chainboard/core'
import { memo, type ReactNode, Suspense, type SyntheticEvent, useCallback, useEffect, useEffectEvent } from 'react'
import { useHydrated } from '../../lib/hydration.tsx'
import { lazyPart } from '../../lib/lazyPart.tsx'
import { useRowKeys } from '../../lib/rowKeys.ts'
import { homePath } from '../../lib/urls.ts'
import { dimAfterMs, useLasting } from '../../lib/useLasting.ts'
import { useMediaQuery, usePhone } from '../../lib/useMediaQuery.ts'
import { useSeen } from '../../lib/useSeen.ts'
import { foundMark, hasFocusInRow, moveBetweenNames } from '../../token/nameFocus.ts'
import { usePriceMode } from '../../token/priceMode.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { PartNote } from '../../ui/PartNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { cardVariants } from './cardVariants.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import { TokenCard, TokenCardSkeleton } from './TokenCard.tsx'
import { TokenRow, TokenRowSkeleton } from './TokenRow.tsx'
import { headFormId, TokenTable } from './TokenTable.tsx'
import { defaultColumns, readStoredLook, type TableLook, wideQuery } from './tableLook.ts'
import { type TokenColumn, tokenColumns } from './tokenColumns.tsx'
import { useColumns } from './useColumns.ts'
import { type TokenPage, type TokenView, tokenPageHref, usePrefetchTokenPage, useTokenPage } from './useTokenPage.ts'

/** Changes a part of the view. `replace` leaves no trace in the history. */
type OnView = (change: Partial<TokenView>, history?: 'push' | 'replace') => void

/** `old`: they could not be read again. */
export type ShownPrices = 'none' | 'old' | 'fresh'

type Props = {
  readonly view: TokenView
  readonly onView: OnView
  /** What the address says of columns and rows. */
  readonly look: TableLook
  readonly onLook: (look: TableLook) => void
  readonly openers: TokenOpeners
  /** One line under the heading, by what it can say of the prices under it. */
  readonly subtitle: (prices: ShownPrices) => ReactNode
}

const TableTools = lazyPart(() => import('./TableTools.tsx'))

/** The orders of the specification in words, in the order of the menu. */
const sortOptions: readonly { readonly value: TokenSort; readonly text: string }[] = [
  { value: 'fdmcDesc', text: 'Market cap' },
  { value: 'priceDesc', text: 'Price' },
  { value: 'volumeDesc', text: 'Volume 24h' },
  { value: 'changeDesc', text: 'Change 24h' },
  { value: 'nameAsc', text: 'Name' },
]

/** With the one in force, when a head has chosen another. */
const listSorts = (sort: TokenSort): typeof sortOptions =>
  sortOptions.some(({ value }) => value === sort) ? sortOptions : [...sortOptions, { value: sort, text: 'By column' }]

/** More of them stand closer together in a wide window, too. */
const wideExtrasMax = 7
const skeletons = Array.from({ length: tokenPageSize }, (_, index) => index)

/** "All Tokens": order, table or cards, and pages. */
export function TokenSection({ view, onView, look: asked, onLook, openers, subtitle }: Props) {
  const query = useTokenPage(view)
  const onSort = useCallback((sort: TokenSort) => onView({ sort, page: 1 }), [onView])
  const found = usePressedFirst(query.data)
  const dimmed = useLasting(query.isPlaceholderData || found?.view !== query.data?.view, dimAfterMs)
  const prices = !query.data?.total ? 'none' : query.error ? 'old' : 'fresh'
  const hydrated = useHydrated()
  const look = hydrated ? { ...readStoredLook(), ...asked } : asked
  const isWide = useMediaQuery(wideQuery)
  const shown = look.columns ?? defaultColumns(isWide)
  const columns = useColumns(shown)
  const dense = look.rows === 'dense'
  const extras = columns.length - tokenColumns.length
  const spacing = extras === 0 ? 'plain' : isWide && extras <= wideExtrasMax ? 'wide' : 'tight'
  const rows = { sort: view.sort, onSort, openers, columns, dense, spacing } as const
  const filtered = Object.keys(view.filter).length > 0
  const { move: _move, newDays: _new, ...fields } = view.filter
  const hasFields = Object.keys(fields).length > 0
  return (
    // Painted apart from the rest of the page (`isolate`), as it follows every letter of a search.
    <section aria-labelledby="all-tokens" {...foundMark} className="isolate">
      <header className="grid grid-cols-[1fr_auto] grid-rows-[minmax(2.25rem,auto)] items-center touch:grid-rows-[minmax(2.75rem,auto)] gap-x-4 gap-y-1 pt-5 pb-2">
        <div className="max-tablet:self-start tablet:flex tablet:items-baseline tablet:gap-3">
          <h2 id="all-tokens" tabIndex={-1} className="scroll-mt-18 text-20 font-strong tracking-tight outline-none">
            All Tokens
          </h2>
          <div className="min-h-5 text-13">{subtitle(prices)}</div>
        </div>
        <div className="tablet:order-last">
          <OrderForms view={view} look={asked} onSort={onSort} />
        </div>
        <div
          className={`print:hidden min-w-0 max-tablet:col-span-2 tablet:col-span-2 tablet:row-start-2 ${hasFields ? 'min-h-20 touch:min-h-24' : 'min-h-9 touch:min-h-11'}`}
        >
          {hydrated && (
            <Boundary fallback={(retry) => <PartNote {...retry} text="The filters did not load." />}>
              <Suspense fallback={null}>
                <TableTools view={view} onView={onView} look={look} shown={shown} fitting={extras} onLook={onLook} />
              </Suspense>
            </Boundary>
          )}
        </div>
      </header>
      <div data-waits="wide" className="flex min-h-189 flex-col tablet:mouse:min-h-166">
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
          empty={() => (
            <NothingFound search={view.search} filtered={filtered} onClear={() => onView({ search: '', page: 1, filter: {} })} />
          )}
        >
          {(page, isPrevious) => (
            <>
              <TokenRows {...rows} page={found} dimmed={dimmed} />
              <TokenPages view={view} look={asked} page={page} isPrevious={isPrevious} onView={onView} />
            </>
          )}
        </QueryView>
      </div>
    </section>
  )
}

/**
 * The page of rows to draw. It follows a press two frames later: the browser shows first that a button was pressed, as drawing the rows takes a
 * slow phone longer than a press may. What letters of a search find is there at once.
 */
function usePressedFirst(page: TokenPage | undefined): TokenPage | undefined {
  const seen = useSeen(page)
  return page?.view.search && page.view.search !== seen?.view.search ? page : (seen ?? page)
}

type OrderProps = Pick<Props, 'view' | 'look'> & { readonly onSort: (sort: TokenSort) => void }

/**
 * The order of the list, and for the heads of the table a form of their own, as each names an order. Without scripts they lead to the same
 * addresses.
 */
function OrderForms({ view, look, onSort }: OrderProps) {
  const { search, sort, filter } = view
  const kept = Object.entries({ q: search, ...filter, ...look }).map(
    ([name, value]) => value !== '' && <input key={name} type="hidden" name={name} value={value} />,
  )
  const form = { action: homePath, onSubmit: (event: SyntheticEvent) => event.preventDefault() }
  return (
    <>
      <form id={headFormId} {...form}>
        {kept}
      </form>
      <form {...form} className="flex items-center gap-2">
        {kept}
        <SelectField label="Sort by" name="sort" options={listSorts(sort)} value={sort} onChange={onSort} />
        <button type="submit" className={`${outlinedControl} hidden! noscript:flex!`}>
          Sort
        </button>
      </form>
    </>
  )
}

type RowsProps = {
  readonly sort: TokenSort
  readonly onSort: (sort: TokenSort) => void
  readonly openers: TokenOpeners
  readonly columns: readonly TokenColumn[]
  readonly dense: boolean
  readonly spacing: 'plain' | 'tight' | 'wide'
  readonly page: TokenPage | undefined
  /** What is shown is not what was asked for last. */
  readonly dimmed: boolean
}

/** Drawn anew for an answer, not for each letter of a search. */
const TokenRows = memo(function TokenRows({ sort, onSort, openers, columns, dense, spacing, page, dimmed }: RowsProps) {
  const phone = usePhone()
  const { mode } = usePriceMode()
  const first = page ? (page.view.page - 1) * tokenPageSize + 1 : 1
  const keys = useRowKeys(page?.tokens.map(({ address }) => address) ?? [], page?.view, hasFocusInRow)
  // A short last page keeps the height of a full one, so that the pager stays under the pointer.
  const tall = `max-tablet:min-h-[650px] ${dense ? 'tablet:min-h-[440px]' : 'tablet:min-h-[600px] touch:tablet:min-h-[680px]'}`
  const room = page && page.total <= tokenPageSize ? '' : tall
  const list = phone !== false && (
    <ul
      onKeyDown={moveBetweenNames}
      className={`${room} border-line border-t ${phone ? '' : 'tablet:hidden'} ${dimmed ? 'opacity-60' : ''}`}
    >
      {page
        ? page.tokens.map((token) => (
            <TokenCard key={keys.get(token.address)} variant={cardVariants.phone} token={token} mode={mode} openers={openers} />
          ))
        : skeletons.map((index) => (
            <TokenCardSkeleton key={index} variant={cardVariants.phone} hasBoosts={openers.onBoost !== undefined} />
          ))}
    </ul>
  )
  const table = !phone && (
    <div className={`${room} ${phone === undefined ? 'max-tablet:hidden' : ''}`}>
      <TokenTable
        columns={columns}
        sort={sort}
        onSort={onSort}
        dimmed={dimmed}
        boost={openers.onBoost !== undefined}
        dense={dense}
        spacing={spacing}
      >
        {page
          ? page.tokens.map((token, index) => (
              <TokenRow
                key={keys.get(token.address)}
                columns={columns}
                token={token}
                place={first + index}
                mode={mode}
                openers={openers}
              />
            ))
          : skeletons.map((index) => <TokenRowSkeleton key={index} columns={columns} />)}
      </TokenTable>
    </div>
  )
  return (
    <>
      {list}
      {table}
    </>
  )
})

type PagesProps = Pick<Props, 'view' | 'look'> & {
  readonly page: TokenPage
  readonly isPrevious: boolean
  readonly onView: OnView
}

function TokenPages({ view, look, page, isPrevious, onView }: PagesProps) {
  const prefetch = usePrefetchTokenPage()
  const pages = Math.max(1, Math.ceil(page.total / tokenPageSize))
  const beyond = !isPrevious && view.page > pages
  const goToLast = useEffectEvent(() => onView({ page: pages }, 'replace'))
  useEffect(() => {
    // An old link to a page that is no more leads to the last one.
    if (beyond) goToLast()
  }, [beyond])
  return (
    <footer
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 ${pages > 1 ? 'tablet:min-h-16 touch:tablet:min-h-19' : 'min-h-11'}`}
    >
      <p aria-live="polite" className="figures text-13 text-ink-2">
        Showing {page.tokens.length} of {page.total.toLocaleString('en-US')} tokens
      </p>
      {pages > 1 && (
        <Pager
          label="Pages of tokens"
          page={Math.min(view.page, pages)}
          pages={pages}
          hrefOf={(page) => tokenPageHref({ ...view, page }, look)}
          onPage={(page) => onView({ page })}
          onPreview={(target) => prefetch({ ...view, page: target })}
        />
      )}
    </footer>
  )
}

type NothingProps = { readonly search: string; readonly filtered: boolean; readonly onClear: () => void }

function NothingFound({ search, filtered, onClear }: NothingProps) {
  const showAll = (
    <button type="button" onClick={onClear} className="font-strong text-accent underline underline-offset-4">
      Show all tokens
    </button>
  )
  if (filtered)
    return (
      <EmptyNote title="No tokens found">
        {search === '' ? 'No token matches these filters.' : 'No token matches this search and these filters.'} {showAll}
      </EmptyNote>
    )
  return (
    <EmptyNote title="No tokens found">
      {search === '' ? (
        'The token list of this chain is empty.'
      ) : (
        <>
          No name or symbol matches “<bdi>{toDisplayText(search, '?')}</bdi>”. {showAll}
        </>
      )}
    </EmptyNote>
  )
}
