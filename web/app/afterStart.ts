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
  document.addEventListener('keydown', (event) => {
    if (!asksForPalette(event)) return
    event.preventDefault()
    loadPart(() => import('./openPalette.tsx')).then(
      ({ openPalette }) => openPalette(),
      () => notify('The command palette did not load. Press the keys again to retry.', 'note'),
    )
  })
  // Whoever asked for the palette before is heard now (public/theme.js).
  dispatchEvent(new Event('started'))
}

/** Ctrl-K anywhere but in a dialog; `/` where no search of the page's own takes it. */
function asksForPalette({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (target instanceof Element && target.closest('[role="dialog"]')) return false
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey) return true
  const isTyping = target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping && location.pathname !== homePath
}
