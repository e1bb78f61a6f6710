import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

// The browser tests' own configuration, with a small server in the place of ours: it takes the port that it is given, says which
// one it has, and fails where that is taken.

const root = resolve(import.meta.dirname, '../..')
const server = `
import { createServer } from 'node:http'
const server = createServer((request, response) => response.end('ours'))
server.on('error', ({ code }) => { console.error('Port ' + process.env.PORT + ': ' + code); process.exit(1) })
server.listen(Number(process.env.PORT), process.env.HOST, () =>
  console.log('Chainboard is ready: http://127.0.0.1:' + server.address().port))
process.on('SIGINT', () => process.exit())`
const config = `
import config from '${root}/playwright.config.ts'
export default { ...config, testDir: '.', webServer: { ...config.webServer, command: 'node server.mjs' } }`
const test = `
import { expect, test } from '@playwright/test'
test('talks to its own server', async ({ request }) => expect(await (await request.get('/')).text()).toBe('ours'))`

let folder: string
let other: Server | undefined
let suite: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chainboard-own-server-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'server.mjs'), server)
  writeFileSync(join(folder, 'playwright.config.ts'), config)
  writeFileSync(join(folder, 'a.spec.ts'), test)
})
afterEach(() => {
  suite?.kill()
  other?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A program that says yes to everything, as a server that was left behind would. */
async function startOther(port: number) {
  const asked: string[] = []
  const program = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('theirs')
  })
  other = program
  await new Promise<void>((done) => program.listen(port, '127.0.0.1', done))
  return { port: (program.address() as AddressInfo).port, asked }
}

async function runSuite(port: string | undefined): Promise<{ code: number | null; output: string }> {
  const { E2E_PORT: _, TEST_WORKER_INDEX: __, ...env } = process.env
  const child = spawn(join(root, 'node_modules/.bin/playwright'), ['test', '--reporter=list'], {
    cwd: folder,
    env: { ...env, NODE_ENV: '', ...(port !== undefined && { E2E_PORT: port }) },
  })
  suite = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, output }
}

it('a run on a port that is taken fails with a sentence and asks the other program nothing', async () => {
  const { port, asked } = await startOther(0)
  const { code, output } = await runSuite(String(port))
  expect(output).toContain(`Port ${port}: EADDRINUSE`)
  expect(output).not.toContain('1 passed')
  expect(code).toBe(1)
  expect(asked).toEqual([])
})

it('a run without a port takes a free one, no matter who has the usual one', async () => {
  const { code, output } = await runSuite(undefined)
  expect(output).toContain('1 passed')
  expect(code).toBe(0)
})
