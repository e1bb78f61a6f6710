import type { WireDashboard } from '@chainboard/contract'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { formatAverage, formatCount, formatPercentOf } from './formatCount.ts'

type Figure = {
  readonly term: string
  readonly value: (data: WireDashboard) => string
  /** A quiet second figure. */
  readonly note?: (data: WireDashboard) => string
}

const figures: readonly Figure[] = [
  { term: 'Total Users', value: ({ totalUsers }) => formatCount(totalUsers) },
  { term: 'Users Today', value: ({ usersToday }) => formatCount(usersToday), note: () => 'since 00:00 UTC' },
  {
    term: 'Users with Wallets',
    value: ({ usersWithWallets }) => formatCount(usersWithWallets),
    note: ({ usersWithWallets, totalUsers }) => `${formatPercentOf(usersWithWallets, totalUsers)} of total`,
  },
  {
    term: 'Users with Favorites',
    value: ({ usersWithFavorites }) => formatCount(usersWithFavorites),
    note: ({ usersWithFavorites, totalUsers }) => `${formatPercentOf(usersWithFavorites, totalUsers)} of total`,
  },
  { term: 'Total Wallets', value: ({ totalWallets }) => formatCount(totalWallets) },
  { term: 'Avg Wallets/User', value: ({ avgWalletsPerUser }) => formatAverage(avgWalletsPerUser) },
  { term: 'Total Favorites', value: ({ totalFavorites }) => formatCount(totalFavorites) },
  { term: 'Avg Favorites/User', value: ({ avgFavoritesPerUser }) => formatAverage(avgFavoritesPerUser) },
]

/** The eight figures of all users; bars in their place while they are being counted. */
export function UserFigures({ data }: { readonly data: WireDashboard | undefined }) {
  return (
    <dl className="figures grid grid-cols-2 border-line border-y desk:grid-cols-4">
      {figures.map(({ term, value, note }) => (
        <div
          key={term}
          className="flex min-h-24 flex-col justify-center border-line px-4 py-3 even:border-l max-desk:nth-[n+3]:border-t desk:nth-[n+5]:border-t desk:not-nth-[4n+1]:border-l max-tablet:odd:pl-0 tablet:px-3 desk:px-5 desk:nth-[4n+1]:pl-3"
        >
          <dt className="text-12 text-ink-2">{term}</dt>
          <dd className="flex min-h-7 flex-wrap items-baseline gap-x-2">
            {data ? (
              <>
                <span className="text-20 font-strong tracking-tight">{value(data)}</span>
                {note && <span className="text-12 text-ink-3">{note(data)}</span>}
              </>
            ) : (
              <Skeleton width={64} height={18} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
