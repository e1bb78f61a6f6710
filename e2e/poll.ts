import type { Page } from '@playwright/test'

/**
 * Keeps the page from asking anew by the clock: it does when a test says so, and a state stays for as long as the test looks at it.
 * @returns asks for all that is asked for every `everyMs`
 */
export async function holdPolls(page: Page): Promise<(everyMs: number) => Promise<void>> {
  await page.addInitScript(() => {
    const due = new Map<number, { readonly run: () => void; readonly everyMs: number | undefined }>()
    window.setInterval = ((run: () => void, everyMs?: number) => {
      due.set(due.size + 1, { run, everyMs })
      return due.size
    }) as unknown as typeof window.setInterval
    window.clearInterval = (id) => {
      const held = due.get(Number(id))
      if (held) due.set(Number(id), { ...held, everyMs: undefined })
    }
    const poll = (everyMs: number) => {
      const held = [...due.values()].filter((each) => each.everyMs === everyMs)
      for (const { run } of held) run()
      return held.length > 0
    }
    Object.assign(window, { poll })
  })
  // A page that the server drew polls once scripts have taken it over.
  return async (everyMs) => {
    await page.waitForFunction((period) => (window as unknown as { poll: (everyMs: number) => boolean }).poll(period), everyMs)
  }
}
