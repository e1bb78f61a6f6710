import { IconButton } from '../ui/IconButton.tsx'

type Props = {
  readonly symbol: string
  readonly starred: boolean
  readonly onStar: () => void
  readonly className?: string
}

/** Puts a token on the watchlist, or takes it off; filled while it is on it. */
export function StarButton({ symbol, starred, onStar, className = '' }: Props) {
  return (
    <IconButton
      icon="star"
      label={starred ? `Remove ${symbol} from your watchlist` : `Add ${symbol} to your watchlist`}
      aria-pressed={starred}
      onClick={onStar}
      className={`aria-pressed:text-accent! aria-pressed:[&_path]:fill-current ${className}`}
    />
  )
}
