import type { WireDashboard } from '@chainboard/contract'
import { shortenAddress, toDisplayText } from '@chainboard/core'
import { Link } from 'wouter'
import { safeImageUrl } from '../../lib/safeUrl.ts'
import { tokenPath } from '../../lib/urls.ts'
import { wholeCard } from '../../ui/cardStyles.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { formatCount } from './formatCount.ts'

type Favorite = WireDashboard['mostFavoritedTokens'][number]

const shownMax = 8
const rowLook =
  'relative grid h-14 grid-cols-[20px_32px_minmax(0,1fr)_auto] items-center gap-x-3 border-line border-b tablet:px-3 touch:h-16'

/** The tokens that most users have on their watchlist. A row opens the token on the home page. */
export function FavoriteRanking({ favorites }: { readonly favorites: readonly Favorite[] | undefined }) {
  return (
    <section aria-labelledby="most-favorited" className="flex flex-col">
      <h2 id="most-favorited" className="pb-2 text-16 font-strong tracking-tight">
        Most Favorited Tokens
      </h2>
      {favorites?.length === 0 ? (
        <p className="flex min-h-28 flex-1 items-center justify-center border-line border-t text-13 text-ink-2">
          No favorites data available yet
        </p>
      ) : (
        <ol className="figures border-line border-t">
          {favorites
            ? favorites
                .slice(0, shownMax)
                .map((favorite, index) => <FavoriteRow key={favorite.tokenAddress} favorite={favorite} place={index + 1} />)
            : Array.from({ length: shownMax }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of bars
                <FavoriteRowSkeleton key={index} />
              ))}
        </ol>
      )}
    </section>
  )
}

function FavoriteRow({ favorite, place }: { readonly favorite: Favorite; readonly place: number }) {
  const { tokenAddress, count, token } = favorite
  const short = shortenAddress(tokenAddress)
  const name = toDisplayText(token?.name ?? '', short)
  const symbol = toDisplayText(token?.symbol ?? '', short, 16)
  return (
    <li className={`${rowLook} ${token ? 'transition-colors duration-120 hover:bg-surface-1' : ''}`}>
      <span className="text-12 text-ink-3">{place}</span>
      <Mark
        src={safeImageUrl(token?.logo, location.origin)}
        seed={tokenAddress}
        text={token ? symbol : tokenAddress.slice(2)}
        size={32}
      />
      <span className="min-w-0">
        {token ? (
          <Link
            to={tokenPath(token.address)}
            title={name}
            className={`${wholeCard} block truncate rounded-6 font-strong text-ink`}
          >
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <span title={tokenAddress} className="block truncate font-strong text-ink-2">
            {short}
          </span>
        )}
        <bdi className="block truncate text-left text-12 text-ink-2">{token ? symbol : 'No longer listed'}</bdi>
      </span>
      <span className="text-14">
        {formatCount(count)} <span className="text-12 text-ink-3">{count === 1 ? 'user' : 'users'}</span>
      </span>
    </li>
  )
}

function FavoriteRowSkeleton() {
  return (
    <li aria-hidden="true" className={rowLook}>
      <Skeleton width={10} height={10} />
      <span className="skeleton size-8 rounded-full!" />
      <span className="flex flex-col gap-1.5">
        <Skeleton width={112} />
        <Skeleton width={48} height={10} />
      </span>
      <Skeleton width={24} />
    </li>
  )
}
