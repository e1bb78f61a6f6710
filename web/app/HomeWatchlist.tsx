import { Link } from 'wouter'
import { loginPath } from '../lib/urls.ts'
import { ListedTokens, ListedTokensSkeleton } from '../slices/tokens/ListedTokens.tsx'
import type { TokenOpeners } from '../slices/tokens/TokenActions.tsx'
import { WatchlistPanel } from '../slices/watchlist/WatchlistPanel.tsx'
import { outlinedControl } from '../ui/buttonStyles.ts'
import type { useStars } from './useStars.ts'

const label = 'Your watchlist with price, 24 hour change and market cap'
/** As long as nobody knows how many there are. */
const rowsWaiting = 3

type Props = { readonly stars: ReturnType<typeof useStars>; readonly openers: TokenOpeners }

/** The watchlist on the home page: whose it is, which tokens stand in it, and what they cost. */
export default function HomeWatchlist({ stars, openers }: Props) {
  return (
    <WatchlistPanel
      account={stars.account}
      favorites={stars.query}
      login={
        <Link to={loginPath} className={`${outlinedControl} mt-2 min-w-28 touch:h-11`}>
          Login
        </Link>
      }
      waiting={<ListedTokensSkeleton label={label} rows={rowsWaiting} />}
    >
      {(addresses) => <ListedTokens label={label} addresses={addresses} openers={openers} />}
    </WatchlistPanel>
  )
}
