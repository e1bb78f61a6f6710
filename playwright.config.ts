import { defineConfig } from '@playwright/test'
import { browserFlags, browserPath } from './tools/browser.ts'
import { findFreePort } from './tools/freePort.ts'
import { makeSiteEnv } from './tools/suite/siteEnv.ts'
import { useMemory } from './tools/suite/useMemory.ts'

useMemory()

// A site that runs already, by its port: see `npm run e2e-site`. Else the run starts its own and waits for that one's line: no test talks
// to another program that happens to listen. A port that is taken, set or chosen, is an error. Workers read this file, too, find the
// port that the run has chosen, and start nothing.
const site = process.env['E2E_SITE']
process.env['E2E_PORT'] = site ?? process.env['E2E_PORT'] ?? String(await findFreePort())
const port = process.env['E2E_PORT']
const startsSite = site === undefined && process.env['TEST_WORKER_INDEX'] === undefined

export default defineConfig({
  testDir: 'e2e',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // Twice the cores of a small machine, as each waits at times; every test has a page of its own, and none changes what another
  // one sees.
  workers: 4,
  fullyParallel: true,
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: { executablePath: browserPath, args: [...browserFlags] },
    screenshot: 'only-on-failure',
    // A test that alters answers has to see every request: the one of the service worker allows it.
    serviceWorkers: 'block',
  },
  // The product itself, on a devnet of its own.
  ...(startsSite && {
    webServer: {
      command: 'node tools/start.ts',
      wait: { stdout: /Chainboard is ready: http:\/\/127\.0\.0\.1:\d+/ },
      // Some 15 s on a quiet machine of two cores, minutes on one that many share.
      timeout: 600_000,
      gracefulShutdown: { signal: 'SIGINT', timeout: 20_000 },
      env: makeSiteEnv(port),
    },
  }),
})
