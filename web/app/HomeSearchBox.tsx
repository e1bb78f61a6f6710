import { useEffect, useRef } from 'react'
import { SearchBox } from '../slices/tokens/SearchBox.tsx'
import { usePrefetchTokenPage } from '../slices/tokens/useTokenPage.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { setView, useHomeSearch } from './useHomeSearch.ts'

type Props = { readonly focused?: boolean; readonly onLeave?: () => void }

/** The search of Home's table, which lives in the page's address. */
export function HomeSearchBox({ focused, onLeave }: Props) {
  const { view } = useHomeSearch()
  const prefetch = usePrefetchTokenPage()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  const onSearch = (search: string) => {
    // The server is asked before the page is drawn: a letter is drawn while its answer is under way.
    prefetch({ ...view, search, page: 1 })
    setView({ search, page: 1 })
  }
  return <SearchBox value={view.search} onSearch={onSearch} inputRef={input} {...(onLeave && { onLeave })} />
}

/** On a phone the search takes the whole bar while it is used. */
export function PhoneSearch({ focused, onLeave }: { readonly focused: boolean; readonly onLeave: () => void }) {
  const { view } = useHomeSearch()
  const leave = () => {
    onLeave()
    if (view.search !== '') setView({ search: '', page: 1 })
  }
  return (
    <>
      <HomeSearchBox focused={focused} onLeave={leave} />
      <IconButton icon="close" label="Close search" onClick={leave} />
    </>
  )
}
