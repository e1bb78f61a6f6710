import { Icon } from '../../ui/Icon.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'

/** The visitor's favourite tokens. */
export function WatchlistPanel() {
  return (
    <section aria-labelledby="watchlist" className="pt-5">
      <SectionHead id="watchlist" text="Watchlist" />
      <LoggedOut />
    </section>
  )
}

function LoggedOut() {
  return (
    <div className="mt-1 flex flex-col items-center gap-2 rounded-14 border border-line-strong border-dashed px-6 py-8 text-center">
      <span className="text-ink-3">
        <Icon name="star" size={24} />
      </span>
      <p className="font-strong">Please log in to view your watchlist</p>
      <p className="text-13 text-ink-2">It is kept with your account, on every device.</p>
    </div>
  )
}
