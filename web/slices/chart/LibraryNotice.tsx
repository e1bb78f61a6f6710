/** The chart library's licence asks for its notice and a link on the page that shows it. */
export function LibraryNotice() {
  return (
    <p className="pt-2 text-12 text-ink-3">
      TradingView Lightweight Charts™ © 2026{' '}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noopener noreferrer"
        className="rounded-6 underline underline-offset-2 hover:text-ink"
      >
        TradingView, Inc.
      </a>
    </p>
  )
}
