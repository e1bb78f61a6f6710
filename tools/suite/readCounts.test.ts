import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Part, withReport } from './parts.ts'
import { readCounts } from './readCounts.ts'

// The real programs, on suites of a few lines.

const root = resolve(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'chainboard-suite-'))
symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a suite of these files. @returns what the report has, and the exit code */
function count(kind: 'vitest' | 'playwright', files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(home, `${kind}-`))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'playwright.config.ts'), 'export default { retries: 1 }')
  const report = join(folder, 'report.json')
  const part: Part = { name: 'a suite', kind, command: kind, args: kind === 'vitest' ? ['run', '--root', folder] : ['test'] }
  const { args, env } = withReport(part, report)
  const program = join(root, 'node_modules/.bin', part.command)
  // A worker of Vitest tells its children that they are workers, too.
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...own } = process.env
  const { status } = spawnSync(program, args, { cwd: folder, env: { ...own, ...env, NODE_ENV: '' }, timeout: 60_000 })
  return { status, counts: readCounts(part, report) }
}

const vitest = "import { expect, it } from 'vitest'\n"
const playwright = "import { expect, test as it } from '@playwright/test'\n"
const twoOfFour = 'it("a", () => {})\nit("b", () => expect(1).toBe(2))\nit.skip("c", () => {})\nit("d", () => {})\n'
const broken = "import './not-there.ts'"

it('reads of Vitest what passed, failed and was skipped, and counts a file that cannot be loaded as a failure', () => {
  expect(count('vitest', { 'a.test.ts': vitest + twoOfFour, 'b.test.ts': broken })).toEqual({
    status: 1,
    counts: {
      ...{ passed: 2, failed: 2, skipped: 1 },
      failures: [
        expect.stringMatching(/a\.test\.ts: b: .*expected 1 to be 2/),
        expect.stringMatching(/b\.test\.ts: the file itself: .*not-there/),
      ],
    },
  })
})

it('names an error that Vitest met beside the tests, and counts it as a failure', () => {
  const loose = `${vitest}it("a", async () => {
  void Promise.reject(new Error("nobody awaits this"))
  await new Promise((done) => setTimeout(done, 20))
})`
  expect(count('vitest', { 'a.test.ts': loose })).toEqual({
    status: 1,
    counts: {
      ...{ passed: 1, failed: 1, skipped: 0 },
      failures: [expect.stringMatching(/a\.test\.ts: beside the tests: Error: nobody awaits this at .*a\.test\.ts:3:23/)],
    },
  })
})

it('reads of Playwright what passed, failed and was skipped', () => {
  expect(count('playwright', { 'a.spec.ts': playwright + twoOfFour })).toEqual({
    status: 1,
    counts: { passed: 2, failed: 1, skipped: 1, failures: [expect.stringMatching(/^a\.spec\.ts: (.* › )?b: .*toBe/)] },
  })
})

it('counts a test that passes when retried as a failure, though Playwright ends well', () => {
  const files = { 'a.spec.ts': `${playwright}it("a", ({}, { retry }) => expect(retry).toBe(1))` }
  expect(count('playwright', files)).toMatchObject({
    status: 0,
    counts: { passed: 0, failed: 1, skipped: 0, failures: [expect.stringMatching(/a: .*toBe/)] },
  })
})

it('counts a file that Playwright cannot load as a failure', () => {
  const files = { 'a.spec.ts': `${playwright}it("a", () => {})`, 'b.spec.ts': broken }
  expect(count('playwright', files)).toMatchObject({
    status: 1,
    counts: { passed: 0, failed: 1, skipped: 0, failures: [expect.stringContaining('not-there')] },
  })
})

it('has no counts without a report, or with one that is cut off', () => {
  const part: Part = { name: 'a suite', kind: 'vitest', command: 'vitest', args: [] }
  expect(readCounts(part, join(home, 'not-there.json'))).toBeUndefined()
  writeFileSync(join(home, 'cut.json'), '{"testResults":[{"status":"pas')
  expect(readCounts(part, join(home, 'cut.json'))).toBeUndefined()
})
