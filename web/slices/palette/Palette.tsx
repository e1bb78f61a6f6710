import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useId, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { PaletteList, toItemId } from './PaletteList.tsx'
import { type PaletteItem, paletteGroups, rankItems } from './rankItems.ts'

/** Longer than a transaction's hash. */
const searchCharsMax = 80

type Props = {
  readonly open: boolean
  readonly onClose: () => void
  /** After the last frame of closing. */
  readonly onClosed: () => void
  readonly search: string
  readonly onSearch: (search: string) => void
  /** What the search has found already: tokens, and what an address leads to. */
  readonly found: readonly PaletteItem[]
  /** What is looked through here: pages and actions. */
  readonly known: readonly PaletteItem[]
  /** Tokens could not be asked for. */
  readonly failed: boolean
}

/** One field that leads everywhere: arrow keys walk what is found, Enter takes it, Escape closes. */
export function Palette({ open, onClose, onClosed, search, onSearch, found, known, failed }: Props) {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const marked = found.map((item) => rankItems([item], search)[0] ?? { ...item, places: [] })
  const items = [...marked, ...rankItems(known, search)].toSorted(
    (a, b) => paletteGroups.indexOf(a.group) - paletteGroups.indexOf(b.group),
  )
  const active = Math.min(chosen, items.length - 1)
  const run = (item: PaletteItem) => {
    onClose()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && items.length > 0) {
      event.preventDefault()
      const next = (active + step + items.length) % items.length
      setChosen(next)
      document.getElementById(toItemId(id, next))?.scrollIntoView({ block: 'nearest' })
    }
    const item = items[active]
    if (event.key !== 'Enter' || !item) return
    event.preventDefault()
    if ((event.ctrlKey || event.metaKey) && item.url) window.open(item.url, '_blank', 'noopener')
    else run(item)
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()} onOpenChangeComplete={(next) => !next && onClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop fixed inset-0 z-40 bg-shade" />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-3 tablet:p-6 tablet:pt-[12dvh]">
          <Dialog.Popup className="modal-popup w-full max-w-140 overflow-hidden rounded-14 border border-line-strong bg-surface-1 outline-none">
            <Dialog.Title className="sr-only">Go to</Dialog.Title>
            <div className="relative flex items-center border-line border-b">
              <span className="pointer-events-none absolute left-4 text-ink-3">
                <Icon name="search" size={18} />
              </span>
              <input
                type="text"
                role="combobox"
                aria-label="Search tokens, pages and actions"
                aria-expanded={items.length > 0}
                aria-controls={id}
                aria-activedescendant={items.length > 0 ? toItemId(id, active) : undefined}
                placeholder="Token, address, transaction, page or action"
                autoComplete="off"
                spellCheck={false}
                maxLength={searchCharsMax}
                value={search}
                onChange={(event) => {
                  setChosen(0)
                  onSearch(event.target.value)
                }}
                onKeyDown={onKeyDown}
                className="h-13 w-full bg-transparent pr-4 pl-12 text-16 outline-none placeholder:text-ink-3"
              />
            </div>
            <PaletteList id={id} items={items} active={active} onActive={setChosen} onRun={run} />
            <p role="status" className="px-5 text-13 text-ink-2 not-empty:pb-4">
              {failed ? 'Failed to load tokens.' : items.length === 0 ? 'Nothing found.' : ''}
            </p>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
