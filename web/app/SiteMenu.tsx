import { useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useDismiss } from '../lib/useDismiss.ts'
import { WalletButton } from '../slices/wallet/WalletButton.tsx'
import { WatchlistToggle } from '../slices/watchlist/WatchlistToggle.tsx'
import { PriceModeToggle } from '../token/PriceModeToggle.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { AccountLinks } from './AccountLinks.tsx'
import { NavLinks } from './NavLinks.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

/** What a narrow bar has no room for. Closes on Escape, on a click elsewhere, and when it has led to another page. */
export function SiteMenu({ onHome }: { readonly onHome: boolean }) {
  const [open, setOpen] = useState(false)
  const [path] = useLocation()
  const [openedAt, setOpenedAt] = useState(path)
  const panelId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  if (open && openedAt !== path) setOpen(false)
  useDismiss(whole, open, (how) => {
    setOpen(false)
    if (how === 'leave') button.current?.focus()
  })

  const toggle = () => {
    setOpenedAt(path)
    setOpen(!open)
  }
  return (
    <div ref={whole} className="min-[1160px]:hidden">
      <IconButton
        ref={button}
        icon={open ? 'close' : 'menu'}
        label="Menu"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={toggle}
      />
      <div
        id={panelId}
        hidden={!open}
        className="appear absolute inset-x-0 top-full flex max-h-[calc(100dvh-3.5rem)] flex-col gap-3 overflow-y-auto border-line-strong border-y bg-surface-1 p-4 desk:inset-x-auto desk:right-4 desk:mt-1 desk:rounded-14 desk:border"
      >
        <div className="flex flex-col gap-3 desk:hidden">
          <NavLinks layout="menu" />
          <div className="border-line border-t pt-3">{open && <AccountLinks layout="menu" />}</div>
        </div>
        <div className="flex items-center justify-between gap-4 border-line border-t pt-3 desk:border-0 desk:pt-0">
          {onHome && <PriceModeToggle />}
          <span className="ml-auto flex gap-1">
            {onHome && (
              <span className="desk:hidden">
                <WatchlistToggle named />
              </span>
            )}
            <ThemeToggle />
          </span>
        </div>
        {open && (
          <div className="desk:hidden">
            <WalletButton layout="menu" />
          </div>
        )}
      </div>
    </div>
  )
}
