// The browser of Debian that the tests and the benchmarks drive; tools/prepare.mjs installs it.
import { existsSync } from 'node:fs'

const shell = '/usr/bin/chromium-headless-shell'

/** Not always installed. Unlike the other it keeps pages that were left. */
export const wholeBrowserPath = '/usr/bin/chromium'

/** Without windows where Debian has that package, so that a page opens in half the time; else the whole browser. */
export const browserPath = existsSync(shell) ? shell : wholeBrowserPath

/** A browser that sends no requests of its own. */
export const browserFlags: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
