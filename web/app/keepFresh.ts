import { isReloadHeld } from '../lib/busy.ts'
import { hasAnswer } from '../lib/fetchJson.ts'
import { healthUrl } from '../lib/urls.ts'

const reloadAfterMs = 5 * 60_000
const retryMs = 5_000

/** What of the browser this needs. */
export type FreshPage = {
  /** Somebody is in the middle of something that a reload would lose. */
  readonly isBusy: () => boolean
  /** Somebody looks at something that a reload would shake: it comes back with the page. */
  readonly isLookedInto: () => boolean
  /** The server can answer a reload. */
  readonly isServerThere: () => Promise<boolean>
  readonly reload: () => void
  /** Calls back when the browser brings the page back from its cache, as old as it was. */
  readonly onRestored: (restored: () => void) => void
}

/** The cursor in a field, or a question that is open. */
const inTheMiddle = '[role="alertdialog"], input:focus, select:focus, textarea:focus'
/** An open dialog, or what stands in for one. */
const lookedInto = '[role="dialog"], [data-like-dialog]'

/** Kinds of input whose value is not typed. */
const untyped = ['button', 'checkbox', 'hidden', 'radio', 'submit']

/** Text in a field of a form is work that a reload would lose. The search is no form: its text is in the address. */
function hasHalfFilledForm(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('form :is(input, textarea)')
  return Array.from(fields).some(({ type, value }) => value !== '' && !untyped.includes(type))
}

const thisPage: FreshPage = {
  isBusy: () => isReloadHeld() || document.querySelector(inTheMiddle) !== null || hasHalfFilledForm(),
  isLookedInto: () => document.querySelector(lookedInto) !== null,
  isServerThere: () => hasAnswer(healthUrl),
  reload: () => location.reload(),
  onRestored: (restored) => addEventListener('pageshow', (event) => event.persisted && restored()),
}

/**
 * The page loads itself anew after five minutes, and when the browser brings it back from its cache, where an open dialog does not hold it.
 * Everything it shows is in its address. While it is busy, or its server is gone, it asks again every five seconds: an old page is worth
 * more than none.
 */
export function keepFresh(page: FreshPage = thisPage): void {
  const reloadWhen = async (isHeld: () => boolean): Promise<void> => {
    // Whoever has begun something while the server was asked is not torn out of it.
    if (!isHeld() && (await page.isServerThere()) && !isHeld()) page.reload()
    else setTimeout(() => void reloadWhen(isHeld), retryMs)
  }
  setTimeout(() => void reloadWhen(() => page.isBusy() || page.isLookedInto()), reloadAfterMs)
  page.onRestored(() => void reloadWhen(page.isBusy))
}
