import { loadPart } from '../lib/loadPart.ts'
import { notify } from '../lib/notice.ts'
import { homePath } from '../lib/urls.ts'
import { startLive } from '../slices/live/startLive.ts'
import { keepFresh } from './keepFresh.ts'
import { startWorker } from './offline/startWorker.ts'

/** What the page needs once it stands, and nobody in its first second. */
export function afterStart(): void {
  keepFresh()
  startLive()
  void startWorker(() => {
    loadPart(() => import('./offline/VersionNotice.tsx')).then(
      ({ showVersionNotice }) => showVersionNotice(),
      // The page loads itself anew soon.
      () => undefined,
    )
  })
  hearPalette()
  // Whoever asked for the palette before is heard now (public/theme.js).
  dispatchEvent(new Event('started'))
}

const typedMax = 64

/** Opens the palette when it is asked for, with what is typed outside of any field until its code is there. */
function hearPalette(): void {
  let typed: string | undefined
  document.addEventListener('keydown', (event) => {
    if (typed !== undefined && isLetter(event)) {
      event.preventDefault()
      typed = `${typed}${event.key}`.slice(0, typedMax)
    } else if (asksForPalette(event)) {
      event.preventDefault()
      typed ??= ''
      loadPart(() => import('./openPalette.tsx'))
        .then(
          ({ openPalette }) => openPalette(typed ?? ''),
          () => notify('The command palette did not load. Press the keys again to retry.', 'note'),
        )
        .finally(() => {
          typed = undefined
        })
    }
  })
}

function isLetter({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey && !isInField(target)
}

function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Ctrl-K anywhere but in a dialog; `/` where no search of the page's own takes it. */
function asksForPalette({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (target instanceof Element && target.closest('[role="dialog"]')) return false
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey) return true
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isInField(target) && location.pathname !== homePath
}
