/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs in the page, before its own code: measures the time from the visitor's last step to the frame that shows its result.

/** Milliseconds since the step: when the request was sent, when its answer was received, and when it was on the screen. */
export type Shown = { readonly askedMs: number; readonly arrivedMs: number; readonly shownMs: number }

/** Either the line under the table with the number of matches, or what each row has to contain, in order. */
export type Wanted = { readonly line: string } | { readonly rows: readonly string[] }

declare global {
  interface Window {
    /** Resolves when the page shows what is wanted; call it before the step. */
    waitForAnswer(wanted: Wanted): Promise<Shown>
  }
}

/** Adds `waitForAnswer` to the page. */
export function installProbe(): void {
  let actedAt = 0
  const remember = (event: Event) => {
    actedAt = event.timeStamp
  }
  for (const type of ['keydown', 'pointerdown', 'change']) addEventListener(type, remember, { capture: true })

  const isShown = (wanted: Wanted) => {
    if ('line' in wanted) return [...document.querySelectorAll('p')].some((line) => line.textContent === wanted.line)
    const rows = [...document.querySelectorAll('tbody tr')]
    return rows.length === wanted.rows.length && rows.every((row, i) => row.textContent?.includes(wanted.rows[i] ?? ''))
  }
  const lastCall = () =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .findLast(({ name }) => name.includes('/assets.json?sort='))

  window.waitForAnswer = (wanted) =>
    new Promise((resolve) => {
      performance.clearResourceTimings()
      const finish = () => {
        const shownMs = performance.now() - actedAt
        const call = lastCall()
        resolve({
          askedMs: (call?.startTime ?? Number.NaN) - actedAt,
          arrivedMs: (call?.responseEnd ?? Number.NaN) - actedAt,
          shownMs,
        })
      }
      const watch = new MutationObserver(() => {
        if (!isShown(wanted)) return
        watch.disconnect()
        // The callback of a frame runs before it is painted; a task begun there runs after, and ahead of what is under way for other frames.
        requestAnimationFrame(() => void scheduler.postTask(finish, { priority: 'user-blocking' }))
      })
      watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    })
}
