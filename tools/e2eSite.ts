// `npm run e2e-site`: keeps a site running for browser tests, so that a single one starts at once.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { findFreePort } from './freePort.ts'
import { makeSiteEnv } from './suite/siteEnv.ts'

const port = String(await findFreePort())
console.log(`When it is ready: E2E_SITE=${port} npm run e2e -- e2e/search.spec.ts`)
const site = spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], {
  env: { ...process.env, ...makeSiteEnv(port) },
  stdio: ['ignore', 'inherit', 'inherit'],
})
// A Ctrl-C reaches the site from the terminal as well, and it takes both for one. Its data stay until it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => site.kill(signal))
site.on('exit', (code) => process.exit(code ?? 1))
