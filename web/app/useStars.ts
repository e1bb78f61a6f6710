import { notify } from '../lib/notice.ts'
import { useSession } from '../slices/session/useSession.ts'
import { askToLogIn } from '../slices/watchlist/askToLogIn.ts'
import { useFavorites } from '../slices/watchlist/useFavorites.ts'

/** The favourites of whoever uses the page, and what a press on a star does. */
export function useStars() {
  const session = useSession()
  const { query, isFavorite, toggle } = useFavorites(session.kind === 'signedIn' ? session.username : undefined)
  return {
    account: session.kind,
    query,
    isStarred: isFavorite,
    onStar(address: string): void {
      if (session.kind === 'signedIn') toggle(address)
      else if (session.kind === 'signedOut') askToLogIn()
      else notify('You are being logged in. Try again in a moment.', 'note')
    },
  }
}
