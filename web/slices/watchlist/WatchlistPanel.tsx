import { type ReactNode, useState } from 'react'
import { quietControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import type { FavoriteList } from './favoriteList.ts'
import type { useFavorites } from './useFavorites.ts'

/** More stand behind a button, so that the tokens of the page stay within reach. */
const shownAtFirst = 10

const noteLook = 'mt-1 rounded-14 border border-line-strong border-dashed'

type Props = {
  readonly account: 'loading' | 'signedOut' | 'signedIn'
  readonly favorites: ReturnType<typeof useFavorites>['query']
  /** The way to the login. */
  readonly login: ReactNode
  readonly waiting: ReactNode
  /** What shows the tokens of a list, in its order. */
  readonly children: (addresses: FavoriteList) => ReactNode
}

/** The visitor's favourite tokens, in the order they were added. */
export function WatchlistPanel({ account, favorites, login, waiting, children }: Props) {
  const [all, setAll] = useState(false)
  const count = account === 'signedIn' ? (favorites.data?.length ?? 0) : 0
  return (
    <section aria-labelledby="watchlist" className="pt-5">
      <SectionHead id="watchlist" text="Watchlist">
        {count > shownAtFirst && (
          <button
            type="button"
            aria-expanded={all}
            onClick={() => setAll(!all)}
            className={`${quietControl} h-8 px-2 text-13 font-strong touch:h-11`}
          >
            {all ? 'Show fewer' : `Show all ${count}`}
          </button>
        )}
      </SectionHead>
      {account === 'loading' && waiting}
      {account === 'signedOut' && (
        <Note text="Please log in to view your watchlist" more="It is saved in your account, for all your devices.">
          {login}
        </Note>
      )}
      {account === 'signedIn' && (
        <div className={`flex flex-col ${favorites.isError && !favorites.data ? 'mt-1 min-h-34' : ''}`}>
          <QueryView
            quiet
            query={favorites}
            isEmpty={(list) => list.length === 0}
            failureText="Failed to load favorites"
            preferServerText
            waiting={waiting}
            empty={() => <Note text="No tokens in your watchlist yet" more="Add tokens to your watchlist to track them here" />}
          >
            {(list) => children(all ? list : list.slice(0, shownAtFirst))}
          </QueryView>
        </div>
      )}
    </section>
  )
}

type NoteProps = { readonly text: string; readonly more: string; readonly children?: ReactNode }

function Note({ text, more, children }: NoteProps) {
  return (
    <div className={`${noteLook} flex flex-col items-center gap-2 px-6 py-8 text-center`}>
      <span className="text-ink-3">
        <Icon name="star" size={24} />
      </span>
      <p className="font-strong">{text}</p>
      <p className="text-13 text-ink-2">{more}</p>
      {children}
    </div>
  )
}
