import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useHydrated } from '../lib/hydration.tsx'
import { useNotice } from '../lib/notice.ts'
import { homePath } from '../lib/urls.ts'
import { useConfig } from '../slices/config/useConfig.ts'
import { startSession } from '../slices/session/sessionCommands.ts'
import { useSession } from '../slices/session/useSession.ts'
import { useWalletSession } from '../slices/wallet/useWallet.ts'
import { useFavoritesSession } from '../slices/watchlist/useFavorites.ts'
import { useLivePoll } from '../token/liveTokens.ts'
import { Boundary } from '../ui/Boundary.tsx'
import { NoticeLine } from '../ui/NoticeLine.tsx'
import { CrashPage } from './CrashPage.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { Pages } from './Pages.tsx'
import { usePageChange } from './usePageChange.ts'

/** What stands around every page. */
export function Shell() {
  const [path] = useLocation()
  usePageChange(path)
  return (
    <div className="isolate flex min-h-dvh flex-col">
      <SkipLink target="main">Skip to content</SkipLink>
      {path === homePath && <SkipLink target="all-tokens">Skip to all tokens</SkipLink>}
      <Header />
      {/* index.html has the first paint wait for it: a slow device would paint a part of the bar, and then move that. */}
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-300 min-[1840px]:max-w-440 flex-1 px-4 outline-none">
        <Boundary key={path} fallback={(retry, isMissing) => <CrashPage {...retry} isMissing={isMissing} />}>
          <Pages />
        </Boundary>
      </main>
      <Footer />
      <Notices />
      <Sessions />
    </div>
  )
}

function Notices() {
  const notice = useNotice()
  return useHydrated() && <NoticeLine notice={notice} />
}

/** Prices, wallet and account of every page. A part of its own: what changes here draws no page again, and hurries none that is being taken over. */
function Sessions() {
  useLivePoll()
  useWalletSession(useConfig())
  useAccount()
  return null
}

/** The way past everything above `target`, for whoever comes by keyboard. */
function SkipLink({ target, children }: { readonly target: string; readonly children: string }) {
  return (
    <a
      href={`#${target}`}
      onClick={(event) => {
        // The address stays that of what is shown.
        event.preventDefault()
        document.getElementById(target)?.focus()
      }}
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-8 focus:bg-surface-3 focus:px-4 focus:py-2 focus:font-strong"
    >
      {children}
    </a>
  )
}

/** Who is signed in, and what is theirs on every page. */
function useAccount(): void {
  useEffect(() => startSession(), [])
  const session = useSession()
  useFavoritesSession(session.kind === 'signedIn' ? session.username : undefined)
}
