import { IconButton } from '../../ui/IconButton.tsx'
import { useWatchlistShown } from './watchlistShown.ts'

/** Shows the watchlist on the home page, or puts it away. */
export function WatchlistToggle() {
  const { shown, toggle } = useWatchlistShown()
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
