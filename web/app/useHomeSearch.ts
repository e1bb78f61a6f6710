import { tokenSorts } from '@chainboard/core'
import { useMemo } from 'react'
import { parseSearchText } from '../lib/searchText.ts'
import type { TableLook } from '../slices/tokens/tableLook.ts'
import type { TokenView } from '../slices/tokens/useTokenPage.ts'
import { goHome, isOpened, readAddress, typeHome, useAddress, useAddressText } from './homeAddress.ts'
import {
  findModal,
  type HomeSearch,
  type ModalKind,
  type ModalSearch,
  noModal,
  readFilter,
  readHomeSearch,
} from './homeSearch.ts'

/** The home page's address as a view of the table and an open modal. */
export function useHomeSearch(): { readonly search: HomeSearch; readonly view: TokenView } {
  const text = useAddressText()
  return useMemo(() => {
    const search = readHomeSearch(parseSearchText(text))
    return { search, view: toView(search) }
  }, [text])
}

/** The page of the table that an address asks for. */
export function toView(search: HomeSearch): TokenView {
  const { q = '', sort = tokenSorts[0], page = 1 } = search
  return { search: q, sort, page, filter: readFilter(search) }
}

/** Whether a search is in force; for parts that have nothing to do with its letters. */
export function useSearching(): boolean {
  return useAddress(() => readAddress().q !== undefined)
}

/** Which modal is asked for, if any. */
export function useModalAsked(): ModalKind | '' {
  return useAddress(
    () => findModal(readAddress())?.kind ?? '',
    // The server draws what lies under it.
    () => '',
  )
}

const noFilter = {
  ...{ category: undefined, verified: undefined, liquidityMin: undefined },
  ...{ newDays: undefined, move: undefined, warned: undefined },
}

/** Chooses the columns of the table, or how high its rows are. */
export function setTableLook(look: TableLook): void {
  goHome({ ...readAddress(), ...look }, { replace: true, opened: isOpened() })
}

/** Changes search, order, filter or page of the table. Typing does not fill the history; choosing an order or a page does. */
export function setView({ search, filter, ...change }: Partial<TokenView>, how: 'push' | 'replace' = 'push'): void {
  const before = readAddress()
  const q = search ?? before.q
  const next = { ...before, ...(filter && { ...noFilter, ...filter }), ...change, q }
  if ((q ?? '') === (before.q ?? '')) goHome(next, { replace: how === 'replace', opened: isOpened() })
  else typeHome(next)
}

/** A modal takes the place of one that is open, so that one step back always leads to the table. */
export function openModal(modal: ModalSearch): void {
  const before = readAddress()
  const replace = findModal(before) !== undefined
  goHome({ ...before, ...noModal, ...modal }, { replace, opened: !replace || isOpened() })
}

/** Changes something within the open modal. */
export function changeModal(change: {
  readonly range?: HomeSearch['range']
  readonly view?: HomeSearch['view'] | undefined
}): void {
  goHome({ ...readAddress(), ...change }, { replace: true, opened: isOpened() })
}

/** The state of the history's entry that a step back is leaving: each entry has its own, however often it is read. */
let left: unknown

/** Closes the modal: by one step back where the app itself opened it. That takes a moment, in which another one would leave the page. */
export function closeModal(): void {
  if (!isOpened()) goHome({ ...readAddress(), ...noModal }, { replace: true })
  else if (left !== history.state) {
    left = history.state
    history.back()
  }
}
