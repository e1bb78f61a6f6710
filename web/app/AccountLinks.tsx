import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { homePath, loginPath, portfolioPath } from '../lib/urls.ts'
import { logout } from '../slices/session/sessionCommands.ts'
import { useSession } from '../slices/session/useSession.ts'
import { fetchLoginAhead } from './lazyPages.ts'

const quiet =
  'flex items-center rounded-8 font-strong text-ink-2 transition-colors duration-120 hover:text-ink aria-[current]:bg-surface-2 aria-[current]:text-ink disabled:text-ink-3'

const looks = {
  bar: {
    root: '',
    login: 'h-9 px-3 text-14',
    name: 'h-9 max-w-28 px-2 text-14 min-[1240px]:max-w-48',
    logout: 'h-9 px-2 text-14',
  },
  menu: { root: 'justify-between', login: 'h-12 flex-1 px-3 text-16', name: 'h-12 px-3 text-16', logout: 'h-12 px-3 text-16' },
} as const

/**
 * The way in; for whoever is signed in, the name, which leads to the portfolio, and the way out. While that is being looked up
 * both have their place already.
 */
export function AccountLinks({ layout }: { readonly layout: keyof typeof looks }) {
  const session = useSession()
  const [path, navigate] = useLocation()
  const look = looks[layout]
  const [root, heldPx] = useHeldWidth(session.kind)
  if (session.kind === 'signedOut')
    return (
      <div key="in" style={{ minWidth: layout === 'bar' ? heldPx : undefined }} className="flex flex-1 justify-end">
        <Link
          to={loginPath}
          aria-current={path === loginPath ? 'page' : undefined}
          onPointerEnter={fetchLoginAhead}
          onFocus={fetchLoginAhead}
          className={`${quiet} ${look.login}`}
        >
          Login
        </Link>
      </div>
    )
  const leave = () => {
    logout()
    navigate(homePath)
  }
  return (
    <div ref={root} aria-busy={session.kind === 'loading'} className={`flex min-w-0 items-center ${look.root}`}>
      <Link
        to={portfolioPath}
        title={session.username}
        className={`${quiet} min-w-0 ${look.name} ${session.kind === 'loading' ? '' : 'text-ink!'}`}
      >
        <bdi className="truncate">{session.username}</bdi>
      </Link>
      <button type="button" disabled={session.kind === 'loading'} onClick={leave} className={`${quiet} shrink-0 ${look.logout}`}>
        Logout
      </button>
    </div>
  )
}

/** The width that was taken while the name was looked up: a name that has no session any more leaves it to the way in, so that nothing beside it moves. */
function useHeldWidth(kind: ReturnType<typeof useSession>['kind']): [RefObject<HTMLDivElement | null>, number | undefined] {
  const root = useRef<HTMLDivElement>(null)
  const [widthPx, setWidthPx] = useState<number>()
  useLayoutEffect(() => {
    if (kind === 'loading') setWidthPx(root.current?.getBoundingClientRect().width)
    if (kind === 'signedIn') setWidthPx(undefined)
  }, [kind])
  return [root, widthPx]
}
