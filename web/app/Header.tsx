import { useState } from 'react'
import { useLocation } from 'wouter'
import { homePath } from '../lib/urls.ts'
import { usePhone } from '../lib/useMediaQuery.ts'
import { useScrolled } from '../lib/useScrolled.ts'
import { useSlash } from '../lib/useSlash.ts'
import { WalletButton } from '../slices/wallet/WalletButton.tsx'
import { WatchlistToggle } from '../slices/watchlist/WatchlistToggle.tsx'
import { PriceModeToggle } from '../token/PriceModeToggle.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { AccountLinks } from './AccountLinks.tsx'
import { HomeSearchBox, PhoneSearch } from './HomeSearchBox.tsx'
import { NavLinks } from './NavLinks.tsx'
import { SiteLink } from './SiteLink.tsx'
import { SiteMenu } from './SiteMenu.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import { useSearching } from './useHomeSearch.ts'

const scrolledPx = 10

/** The bar above every page. */
export function Header() {
  const scrolled = useScrolled(scrolledPx)
  const phone = usePhone()
  const [opened, setOpened] = useState(false)
  const searching = useSearching()
  const onHome = useLocation()[0] === homePath
  const onPhoneSearch = phone && onHome && (opened || searching)
  useSlash(phone && onHome && !onPhoneSearch ? () => setOpened(true) : undefined)
  const look = scrolled ? 'border-line bg-ground/80 backdrop-blur-md' : 'border-transparent bg-ground'
  return (
    <header className={`sticky top-0 z-30 border-b transition-colors duration-150 ${look}`}>
      <div className="mx-auto flex h-14 max-w-300 min-[1840px]:max-w-440 items-center gap-2 px-4 tablet:gap-4">
        {/* A search in force keeps the bar, so that nobody wonders where the other tokens are. */}
        {onPhoneSearch ? (
          <PhoneSearch focused={opened} onLeave={() => setOpened(false)} />
        ) : (
          <>
            <SiteLink />
            <div className="max-desk:hidden">
              <NavLinks layout="bar" />
            </div>
            <div className={`flex flex-1 justify-end tablet:justify-center ${onHome ? 'min-w-0 desk:min-w-44' : 'min-w-0'}`}>
              {onHome && phone !== false && (
                <span className={`flex ${phone ? '' : 'tablet:hidden noscript:hidden'}`}>
                  <IconButton icon="search" label="Search tokens" onClick={() => setOpened(true)} />
                </span>
              )}
              {onHome && !phone && (
                <div className={`w-full max-w-105 ${phone === undefined ? 'max-tablet:hidden noscript:block!' : ''}`}>
                  <HomeSearchBox />
                </div>
              )}
            </div>
            <BarControls onHome={onHome} />
          </>
        )}
      </div>
    </header>
  )
}

/** As much as fits at the right end of the bar; the rest is in the menu. */
function BarControls({ onHome }: { readonly onHome: boolean }) {
  return (
    <div data-waits="" className="flex shrink-0 items-center gap-1 max-desk:-mr-2 desk:gap-2">
      <div className="flex items-center gap-2 max-desk:hidden">
        {onHome && <WatchlistToggle />}
        <div className="flex items-center gap-2 max-[1160px]:hidden">
          {onHome && <PriceModeToggle />}
          <ThemeToggle />
        </div>
        <AccountLinks layout="bar" />
        <WalletButton layout="bar" />
      </div>
      <SiteMenu onHome={onHome} />
    </div>
  )
}
