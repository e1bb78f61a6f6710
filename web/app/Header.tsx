import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { toDisplayText } from '../lib/displayText.ts'
import { useTheme } from '../lib/theme.ts'
import { homePath } from '../lib/urls.ts'
import { phoneQuery, useMediaQuery } from '../lib/useMediaQuery.ts'
import { useScrolled } from '../lib/useScrolled.ts'
import { useConfig } from '../slices/config/useConfig.ts'
import { PriceModeToggle } from '../slices/tokens/PriceModeToggle.tsx'
import { SearchBox } from '../slices/tokens/SearchBox.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { SiteMark } from './SiteMark.tsx'
import { useHomeSearch } from './useHomeSearch.ts'

const scrolledPx = 10

export function Header() {
  const scrolled = useScrolled(scrolledPx)
  const phone = useMediaQuery(phoneQuery)
  const [searching, setSearching] = useState(false)
  const { view, setView } = useHomeSearch()
  // On a phone a search in force keeps the bar, so that nobody wonders where the other tokens are.
  const leaveSearch = () => {
    setSearching(false)
    if (view.search !== '') setView({ ...view, search: '', page: 1 })
  }
  const look = scrolled ? 'border-line bg-ground/80 backdrop-blur-md' : 'border-transparent bg-ground'
  return (
    <header className={`sticky top-0 z-30 border-b transition-colors duration-150 ${look}`}>
      <div className="mx-auto flex h-14 max-w-300 items-center gap-2 px-4 tablet:gap-6">
        {phone && (searching || view.search !== '') ? (
          <PhoneSearch focused={searching} onLeave={leaveSearch} />
        ) : (
          <>
            <SiteLink />
            <div className="flex flex-1 justify-end tablet:justify-center">
              {phone ? (
                <IconButton icon="search" label="Search tokens" onClick={() => setSearching(true)} />
              ) : (
                <div className="w-full max-w-105">
                  <HomeSearchBox />
                </div>
              )}
            </div>
            <div className="-mr-2 flex items-center gap-1 tablet:gap-2">
              <PriceModeToggle />
              <ThemeToggle />
            </div>
          </>
        )}
      </div>
    </header>
  )
}

function SiteLink() {
  const config = useConfig()
  return (
    <Link to={homePath} className="flex min-w-0 items-center gap-2.5 rounded-8 tablet:tracking-tight">
      <SiteMark size={28} />
      <span className="truncate text-16 font-strong">
        {config ? toDisplayText(config.siteName, 'Chainboard', 32) : 'Chainboard'}
      </span>
    </Link>
  )
}

function HomeSearchBox({ onLeave, focused }: { readonly onLeave?: () => void; readonly focused?: boolean }) {
  const { view, setView } = useHomeSearch()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  return (
    <SearchBox
      value={view.search}
      onSearch={(search) => setView({ ...view, search, page: 1 })}
      inputRef={input}
      {...(onLeave && { onLeave })}
    />
  )
}

/** On a phone the search takes the whole bar while it is used. */
function PhoneSearch({ focused, onLeave }: { readonly focused: boolean; readonly onLeave: () => void }) {
  return (
    <>
      <HomeSearchBox focused={focused} onLeave={onLeave} />
      <IconButton icon="close" label="Close search" onClick={onLeave} />
    </>
  )
}

function ThemeToggle() {
  const { theme, toggle } = useTheme()
  const next = theme === 'dark' ? 'light' : 'dark'
  return <IconButton icon={theme === 'dark' ? 'sun' : 'moon'} label={`Switch to the ${next} theme`} onClick={toggle} />
}
