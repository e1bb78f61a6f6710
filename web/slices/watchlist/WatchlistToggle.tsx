import { quietControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useWatchlistShown } from './watchlistShown.ts'

/** Shows the watchlist on the home page, or puts it away. `named`: with its name beside the star, where there is room. */
export function WatchlistToggle({ named = false }: { readonly named?: boolean }) {
  const { shown, toggle } = useWatchlistShown()
  if (named)
    return (
      <button
        type="button"
        aria-pressed={shown}
        onClick={toggle}
        className={`${quietControl} h-8 gap-2 px-2 text-14 aria-pressed:text-accent touch:h-11 aria-pressed:[&_path]:fill-current`}
      >
        <Icon name="star" size={18} />
        Watchlist
      </button>
    )
  return (
    <IconButton
      icon="star"
      label="Watchlist"
      aria-pressed={shown}
      onClick={toggle}
      className="aria-pressed:text-accent aria-pressed:[&_path]:fill-current"
    />
  )
}
