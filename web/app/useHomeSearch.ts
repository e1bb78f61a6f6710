import { tokenSorts } from '@chainboard/core'
import { useMemo } from 'react'
import { navigate, useHistoryState, useSearch } from 'wouter/use-browser-location'
import { homePath } from '../lib/urls.ts'
import type { TokenView } from '../slices/tokens/useTokenPage.ts'
import { type HomeSearch, type ModalSearch, parseSearchText, readHomeSearch, toSearchText } from './homeSearch.ts'

/** Set on the entry that opened a modal from within the app: closing it goes back. */
type OpenedState = { readonly opened: true } | null

type Changes = { [key in keyof HomeSearch]?: HomeSearch[key] | undefined }

function go(next: Changes, how: { readonly replace: boolean; readonly opened?: boolean }): void {
  const state: OpenedState = how.opened ? { opened: true } : null
  navigate(`${homePath}${toSearchText(readHomeSearch(next))}`, { replace: how.replace, state })
}

/** The home page's address as a view of the table and an open modal, and the ways to change them. */
export function useHomeSearch() {
  const text = useSearch()
  const search = useMemo(() => readHomeSearch(parseSearchText(text)), [text])
  const opened = useHistoryState<OpenedState>()?.opened === true
  const view: TokenView = { search: search.q ?? '', sort: search.sort ?? tokenSorts[0], page: search.page ?? 1 }
  const table = { q: search.q, sort: search.sort, page: search.page }
  const hasModal = search.token !== undefined || search.chart !== undefined || search.swaps !== undefined

  return {
    search,
    view,
    setView({ search: q, sort, page }: TokenView, how: 'push' | 'replace' = 'push') {
      // Typing does not fill the history; choosing an order or a page does.
      go({ ...search, q, sort, page }, { replace: how === 'replace' || q !== view.search, opened })
    },
    /** A modal takes the place of one that is open, so that one step back always leads to the table. */
    openModal(modal: ModalSearch) {
      go({ ...table, ...modal }, hasModal ? { replace: true, opened } : { replace: false, opened: true })
    },
    /** Changes something within the open modal. */
    changeModal(change: { readonly range?: HomeSearch['range']; readonly view?: HomeSearch['view'] | undefined }) {
      go({ ...search, ...change }, { replace: true, opened })
    },
    closeModal() {
      if (opened) history.back()
      else go(table, { replace: true })
    },
  }
}
