const reloadAfterMs = 5 * 60_000
const retryMs = 5_000

/** Somebody is in the middle of something: an open dialog, or the cursor in a field. */
function isBusy(): boolean {
  return document.querySelector('[role="dialog"], input:focus, select:focus, textarea:focus') !== null
}

/** The page loads itself anew after five minutes, and when the browser brings it back from its cache. Everything it shows is in its address. */
export function keepFresh(): void {
  const reloadWhenIdle = () => {
    if (isBusy()) setTimeout(reloadWhenIdle, retryMs)
    else location.reload()
  }
  setTimeout(reloadWhenIdle, reloadAfterMs)
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
}
