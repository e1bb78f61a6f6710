import { useCallback } from 'react'
import { notify } from '../lib/notice.ts'
import { useSession } from '../slices/session/useSession.ts'
import { askToLogIn } from '../slices/watchlist/askToLogIn.ts'
import { useFavorites } from '../slices/watchlist/useFavorites.ts'

/** The favourites of whoever uses the page, and what a press on a star does. Its functions change with the list and the account only. */
export function useStars() {
  const session = useSession()
  const { query, isFavorite, toggle } = useFavorites(session.kind === 'signedIn' ? session.username : undefined)
  const onStar = useCallback(
    (address: string): void => {
      if (session.kind === 'signedIn') toggle(address)
      else if (session.kind === 'signedOut') askToLogIn()
      else notify('Still logging you in. Try again in a moment.', 'note')
    },
    [session.kind, toggle],
  )
  return {
    account: session.kind,
    query,
    isStarred: isFavorite,
    onStar,
  }
}
