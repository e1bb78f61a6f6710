import type { WireConfig } from '@chainboard/contract'
import { useSearchParams } from 'wouter'
import { poolsPath } from '../../lib/marketPaths.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { PoolSkeleton, PoolTable } from './PoolTable.tsx'
import { poolPageSize, poolSorts, readPoolView, searchCharsMax, toPoolsQuery } from './poolView.ts'
import { usePools } from './usePools.ts'

type Asked = ReturnType<typeof useAsked>

/** What the address asks for, and the addresses of other parts. */
function useAsked() {
  const [search, setSearch] = useSearchParams()
  const write = (key: string, value: string | undefined) => {
    const next = new URLSearchParams(search)
    if (key !== 'page') next.delete('page')
    if (value) next.set(key, value)
    else next.delete(key)
    return next
  }
  const change = (key: string, value: string | undefined, replace = false) => setSearch(write(key, value), { replace })
  return { view: readPoolView(search), write, change }
}

function Tools({ view: { text, sort }, change }: Pick<Asked, 'view' | 'change'>) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-3">
      <form action={poolsPath} onSubmit={(event) => event.preventDefault()} className="flex min-w-0 max-tablet:flex-1">
        <input
          type="search"
          name="q"
          aria-label="Search pools"
          placeholder="Symbol, name or address"
          value={text}
          maxLength={searchCharsMax}
          spellCheck={false}
          onChange={(event) => change('q', event.target.value, true)}
          className="h-9 w-64 min-w-0 rounded-8 border border-line-strong bg-ground px-3 text-14 placeholder:text-ink-3 touch:h-11 max-tablet:flex-1"
        />
      </form>
      <SelectField
        label="Sort by"
        options={poolSorts}
        value={sort}
        onChange={(to) => change('sort', to === 'liquidity' ? undefined : to)}
      />
    </div>
  )
}

/** All pools of the exchange: order, search and page are in the address. */
export function PoolBrowser({ config }: { readonly config: WireConfig | undefined }) {
  const { view, write, change } = useAsked()
  const { text, page } = view
  const query = usePools(toPoolsQuery(view))
  return (
    <section aria-label="All pools" className="flex flex-1 flex-col">
      <Tools view={view} change={change} />
      <QueryView
        query={query}
        isEmpty={({ pools }) => pools.length === 0}
        failureText="Failed to load the pools"
        waiting={<PoolSkeleton rows={8} />}
        empty={() => (
          <EmptyNote title="No pools found">
            {text === '' ? 'The exchange has no open pool yet.' : 'No open pool has a token with this name.'}
          </EmptyNote>
        )}
      >
        {({ pools, total }, isPrevious) => (
          <div className={isPrevious ? 'opacity-60' : ''}>
            <PoolTable pools={pools} config={config} muted={query.isError} />
            <footer className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
              <p aria-live="polite" className="figures text-13 text-ink-2">
                {pools.length} of {total.toLocaleString('en-US')} pools
              </p>
              {total > poolPageSize && (
                <Pager
                  label="Pages of pools"
                  page={Math.min(page, Math.ceil(total / poolPageSize))}
                  pages={Math.ceil(total / poolPageSize)}
                  hrefOf={(to) => `?${write('page', to === 1 ? undefined : String(to))}`}
                  onPage={(to) => change('page', to === 1 ? undefined : String(to))}
                />
              )}
            </footer>
          </div>
        )}
      </QueryView>
    </section>
  )
}
