import { test as base } from '@playwright/test'

/** The browser's test. Answers that a test alters may still be under way when it is over: they are let go, and fail nobody. */
export const test = base.extend({
  page: async ({ page }, use) => {
    await use(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
})
