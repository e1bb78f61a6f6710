import { tokenSorts } from '@chainboard/core'
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import type { TokenView } from '../slices/tokens/useTokenPage.ts'
import { type HomeSearch, readHomeSearch } from './homeSearch.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set on the entry that opened a modal from within the app: closing it goes back. */
    opened?: true
  }
}

/** The home page's address as a view of the table and an open modal, and the ways to change them. */
export function useHomeSearch() {
  const search: HomeSearch = useSearch({ from: '/', shouldThrow: false }) ?? {}
  const navigate = useNavigate()
  const router = useRouter()
  const opened = useLocation().state.opened === true
  const view: TokenView = { search: search.q ?? '', sort: search.sort ?? tokenSorts[0], page: search.page ?? 1 }

  const go = (next: { [key in keyof HomeSearch]?: HomeSearch[key] | undefined }, how: { replace: boolean; opened?: true }) =>
    void navigate({
      to: '/',
      search: readHomeSearch(next),
      replace: how.replace,
      resetScroll: false,
      ...(how.opened && { state: { opened: true } }),
    })

  return {
    search,
    view,
    setView({ search: q, sort, page }: TokenView, history: 'push' | 'replace' = 'push') {
      // Typing does not fill the history; choosing an order or a page does.
      go({ ...search, q, sort, page }, { replace: history === 'replace' || q !== view.search })
    },
    openModal(modal: Pick<HomeSearch, 'chart' | 'swaps'>) {
      go({ ...toTableSearch(search), ...modal }, { replace: false, opened: true })
    },
    /** Changes something within the open modal. */
    changeModal(change: { readonly range?: HomeSearch['range']; readonly view?: HomeSearch['view'] | undefined }) {
      go({ ...search, ...change }, { replace: true, ...(opened && { opened }) })
    },
    closeModal() {
      if (opened) router.history.back()
      else go(toTableSearch(search), { replace: true })
    },
  }
}

function toTableSearch({ q, sort, page }: HomeSearch): HomeSearch {
  return readHomeSearch({ q, sort, page })
}
