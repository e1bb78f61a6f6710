import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { browserFlags, browserPath } from './tools/browser.ts'

// Another one where several runs share a machine.
const port = Number(process.env['E2E_PORT'] ?? 3917)

/** A new one for the server of each run, gone with it. Workers read this file, too, but start none. */
function makeDataFolder(): string {
  if (process.env['TEST_WORKER_INDEX'] !== undefined) return ''
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-e2e-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export default defineConfig({
  testDir: 'e2e',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // One more than the cores of a small machine, as each waits at times; every test has a page of its own, and none changes
  // what another one sees.
  workers: 3,
  fullyParallel: true,
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: { executablePath: browserPath, args: [...browserFlags] },
    screenshot: 'only-on-failure',
  },
  // The product itself, on a devnet of its own.
  webServer: {
    command: 'node tools/start.ts',
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 20_000 },
    env: { PORT: String(port), DATA_DIR: makeDataFolder(), LOG_LEVEL: 'warn' },
  },
})
