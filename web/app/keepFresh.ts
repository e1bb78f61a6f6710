import { isReloadHeld } from '../lib/busy.ts'

const reloadAfterMs = 5 * 60_000
const retryMs = 5_000

/** What of the browser this needs. */
export type FreshPage = {
  /** Somebody is in the middle of something. */
  readonly isBusy: () => boolean
  readonly reload: () => void
  /** Calls back when the browser brings the page back from its cache, as old as it was. */
  readonly onRestored: (restored: () => void) => void
}

/** An open dialog, or the cursor in a field. */
const inTheMiddle = '[role="dialog"], [role="alertdialog"], input:focus, select:focus, textarea:focus'

/** Kinds of input whose value is not typed. */
const untyped = ['button', 'checkbox', 'hidden', 'radio', 'submit']

/** Text in a field of a form is work that a reload would lose. The search is no form: its text is in the address. */
function hasHalfFilledForm(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('form :is(input, textarea)')
  return Array.from(fields).some(({ type, value }) => value !== '' && !untyped.includes(type))
}

const thisPage: FreshPage = {
  isBusy: () => isReloadHeld() || document.querySelector(inTheMiddle) !== null || hasHalfFilledForm(),
  reload: () => location.reload(),
  onRestored: (restored) => addEventListener('pageshow', (event) => event.persisted && restored()),
}

/**
 * The page loads itself anew after five minutes, and when the browser brings it back from its cache. Everything it shows is in its address.
 * While it is busy it asks again every five seconds.
 */
export function keepFresh(page: FreshPage = thisPage): void {
  const reloadWhenIdle = () => {
    if (page.isBusy()) setTimeout(reloadWhenIdle, retryMs)
    else page.reload()
  }
  setTimeout(reloadWhenIdle, reloadAfterMs)
  page.onRestored(reloadWhenIdle)
}
