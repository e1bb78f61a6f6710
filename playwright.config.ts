import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findFreePort } from './tools/bench/freePort.ts'
import { browserFlags, browserPath } from './tools/browser.ts'
import { useMemory } from './tools/suite/useMemory.ts'

useMemory()

// Workers read this file, too, and find the port that the run has chosen. The run waits for its own server's line: no test talks to
// another program that happens to listen. A port that is taken, set or chosen, is an error.
process.env['E2E_PORT'] ??= String(await findFreePort())
const port = process.env['E2E_PORT']

/** A new one for the server of each run, gone with it. Workers read this file, too, but start none. */
function makeDataFolder(): string {
  if (process.env['TEST_WORKER_INDEX'] !== undefined) return ''
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-e2e-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The devnet with a shorter window: a price follows its market while a test looks at it. */
function writeNetworks(dataFolder: string): string {
  const networks = join(dataFolder, 'networks')
  if (dataFolder === '') return networks
  cpSync(join(import.meta.dirname, 'networks'), networks, { recursive: true })
  const file = join(networks, 'devnet.json')
  const network = JSON.parse(readFileSync(file, 'utf8')) as { prices: object }
  writeFileSync(file, JSON.stringify({ ...network, prices: { ...network.prices, windowSeconds: 60 } }))
  return networks
}

const dataFolder = makeDataFolder()

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
  },
  // The product itself, on a devnet of its own.
  webServer: {
    command: 'node tools/start.ts',
    wait: { stdout: /Chainboard is ready: http:\/\/127\.0\.0\.1:\d+/ },
    // Some 15 s on a quiet machine of two cores, minutes on one that many share.
    timeout: 600_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 20_000 },
    env: { HOST: '127.0.0.1', PORT: port, DATA_DIR: dataFolder, NETWORKS_DIR: writeNetworks(dataFolder), LOG_LEVEL: 'warn' },
  },
})
