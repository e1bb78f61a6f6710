import type { WireApiKey } from '@chainboard/contract'
import { useState } from 'react'
import type { QueryFacts } from '../../lib/queryState.ts'
import { useMediaQuery } from '../../lib/useMediaQuery.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { KeyOpeners } from './KeyParts.tsx'
import { KeyCards, KeyTable } from './KeyTable.tsx'
import { findShared, type KeySort, keysPerPage, listFound } from './keyList.ts'

const sorts: readonly { readonly value: KeySort; readonly text: string }[] = [
  { value: 'newest', text: 'Newest' },
  { value: 'usage', text: 'Most used today' },
  { value: 'lastUsed', text: 'Last used' },
  { value: 'expires', text: 'Expires first' },
  { value: 'email', text: 'Email' },
]

type Props = {
  readonly query: QueryFacts<readonly WireApiKey[]> & { readonly isFetching: boolean; readonly refetch: () => unknown }
  readonly txUrl: string | undefined
  readonly openers: KeyOpeners
  readonly busyId: string | undefined
}

/** The keys: found, in order, a page at a time. */
export function KeyListSection({ query, ...rest }: Props) {
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<KeySort>('newest')
  const [page, setPage] = useState(1)
  const find = (text: string) => {
    setSearch(text)
    setPage(1)
  }
  return (
    <section aria-labelledby="api-keys" className="pt-8">
      <div className="flex flex-wrap items-center gap-3 pb-3">
        <h2 id="api-keys" className="text-16 font-strong tracking-tight">
          Keys
        </h2>
        <input
          type="search"
          aria-label="Search keys"
          placeholder="Search by email or key..."
          value={search}
          onChange={(event) => find(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          className="h-9 min-w-0 flex-1 rounded-8 border border-line-strong bg-surface-1 px-3 text-13 text-ink max-tablet:order-last max-tablet:basis-full placeholder:text-ink-2 hover:border-ink-3 desk:ml-4 desk:max-w-90 touch:h-11 touch:text-16"
        />
        <div className="ml-auto">
          <SelectField label="Sort" options={sorts} value={sort} onChange={setSort} />
        </div>
      </div>
      <div className="flex min-h-100 flex-col">
        <QueryView
          query={query}
          isEmpty={(keys) => keys.length === 0}
          waiting={<WaitingKeys />}
          empty={() => (
            <EmptyNote title="No API keys yet">
              Create one here. Developers can generate free keys on the Developers page.
            </EmptyNote>
          )}
          failureText="Failed to load the keys"
          preferServerText
        >
          {(keys) => (
            <FoundKeys
              found={listFound(keys, search, sort)}
              total={keys.length}
              sharedPayments={findShared(keys)}
              page={page}
              onPage={setPage}
              {...rest}
            />
          )}
        </QueryView>
      </div>
    </section>
  )
}

type FoundProps = Omit<Props, 'query'> & {
  readonly found: readonly WireApiKey[]
  readonly total: number
  readonly sharedPayments: ReadonlySet<string>
  readonly page: number
  readonly onPage: (page: number) => void
}

function FoundKeys({ found, total, page, onPage, ...rest }: FoundProps) {
  const wide = useMediaQuery('(min-width: 1000px)')
  if (found.length === 0) return <EmptyNote title="No matching keys">Try part of an email, a wallet or a key.</EmptyNote>
  const pages = Math.ceil(found.length / keysPerPage)
  const shownPage = Math.min(page, pages)
  const keys = found.slice((shownPage - 1) * keysPerPage, shownPage * keysPerPage)
  const Rows = wide ? KeyTable : KeyCards
  return (
    <>
      <Rows keys={keys} {...rest} />
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2 tablet:px-3">
        <p className="figures text-13 text-ink-2">
          Showing {keys.length} of {found.length} {found.length === 1 ? 'key' : 'keys'}
          {found.length !== total && `, ${total} in total`}
        </p>
        {pages > 1 && <Pager label="Pages of keys" page={shownPage} pages={pages} onPage={onPage} />}
      </div>
    </>
  )
}

function WaitingKeys() {
  return (
    <div aria-busy="true" className="pt-10">
      <p role="status" className="sr-only">
        Loading the keys
      </p>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-18 items-center justify-between gap-6 border-line border-b tablet:px-3">
          <div className="flex flex-col gap-1.5">
            <Skeleton width={190} />
            <Skeleton width={90} height={10} />
          </div>
          <Skeleton width={240} />
        </div>
      ))}
    </div>
  )
}
