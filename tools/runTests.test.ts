import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

// The command itself; only the programs that it runs are ours, found first on the PATH.

const runTests = resolve(import.meta.dirname, 'runTests.ts')
const vitestReport = (statuses: readonly string[]) =>
  JSON.stringify({ testResults: [{ status: 'passed', assertionResults: statuses.map((status) => ({ status })) }] })
const playwrightReport = (stats: object) =>
  JSON.stringify({ errors: [], stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats } })

let bin: string
let run: ChildProcess | undefined
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'chainboard-run-tests-'))
  for (const name of ['biome', 'tsc', 'knip']) put(name, 'exit 0')
  putVitest(vitestReport(['passed', 'passed']))
  putPlaywright(playwrightReport({ expected: 3 }))
})
afterEach(() => {
  run?.kill('SIGKILL')
  rmSync(bin, { recursive: true, force: true })
})

/** Puts a program on the PATH that notes that it ran. */
function put(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> "${bin}/ran"\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}
const reporting = (report: string) => `for word in "$@"; do case $word in --outputFile.json=*) file=\${word#*=};; esac; done
echo '${report}' > "$file"`
const passing = reporting(vitestReport(['passed', 'passed']))
const putVitest = (report: string, code = 0) => put('vitest', `${reporting(report)}; exit ${code}`)
const putPlaywright = (report: string, code = 0) =>
  put('playwright', `echo '${report}' > "$PLAYWRIGHT_JSON_OUTPUT_FILE"; exit ${code}`)

const ran = () => (existsSync(join(bin, 'ran')) ? inOrder(readFileSync(join(bin, 'ran'), 'utf8').trim().split('\n')) : [])
/** Checks run at once, so those are in the order of their names. */
const inOrder = (names: readonly string[]) => [...names.filter(isCheck).toSorted(), ...names.filter((name) => !isCheck(name))]
const isCheck = (name: string) => ['biome', 'tsc', 'knip'].includes(name)
const all = ['biome', 'knip', 'tsc', 'vitest', 'playwright']

function start(args: readonly string[] = []) {
  const child = spawn(process.execPath, [runTests, ...args], { env: { ...process.env, PATH: `${bin}:/usr/bin:/bin` } })
  run = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const ended = new Promise<{ code: number | null; lines: string[] }>((done) =>
    child.once('close', (code) => done({ code, lines: output.trimEnd().split('\n') })),
  )
  return { child, ended }
}

/** Without the seconds and the columns. */
const verdicts = (lines: readonly string[]) =>
  lines.filter((line) => /^(passed|FAILED) /.test(line)).map((line) => line.replace(/ +[\d.]+ s +/, ': '))

it('runs every part and ends with their sum', async () => {
  const { code, lines } = await start().ended
  expect(code).toBe(0)
  expect(ran()).toEqual(all)
  expect(verdicts(lines)).toEqual([
    'passed  format and lint: 1 passed, 0 failed',
    'passed  types: 1 passed, 0 failed',
    'passed  unused code: 1 passed, 0 failed',
    'passed  unit tests: 2 passed, 0 failed',
    'passed  browser tests: 3 passed, 0 failed',
  ])
  expect(lines.at(-1)).toBe('8 passed, 0 failed')
})

it.each([
  [
    'lint finds something',
    () => put('biome', 'exit 1'),
    'FAILED  format and lint: 0 passed, 1 failed (exit code 1)',
    '7 passed, 1 failed',
  ],
  [
    'a unit test fails',
    () => putVitest(vitestReport(['passed', 'failed', 'skipped']), 1),
    'FAILED  unit tests: 1 passed, 1 failed, 1 skipped (1 failed)',
    '7 passed, 1 failed, 1 skipped',
  ],
  [
    'a browser test fails',
    () => putPlaywright(playwrightReport({ expected: 2, unexpected: 1 }), 1),
    'FAILED  browser tests: 2 passed, 1 failed (1 failed)',
    '7 passed, 1 failed',
  ],
  [
    'no unit test is found',
    () => putVitest(vitestReport([])),
    'FAILED  unit tests: 0 passed, 1 failed (no test was run)',
    '6 passed, 1 failed',
  ],
  [
    'Vitest leaves no report',
    () => put('vitest', 'exit 0'),
    'FAILED  unit tests: 0 passed, 1 failed (it wrote no report)',
    '6 passed, 1 failed',
  ],
] as const)('runs the other parts also when %s, and fails', async (_, breakIt, verdict, totals) => {
  breakIt()
  const { code, lines } = await start().ended
  expect(code).toBe(1)
  expect(ran()).toEqual(all)
  expect(verdicts(lines).filter((line) => line.startsWith('FAILED'))).toEqual([verdict])
  expect(lines.at(-1)).toBe(totals)
})

it('ends with what a part printed that failed without a failed test', async () => {
  put('tsc', 'echo "a.ts(3,1): error TS2322: no"; exit 2')
  put('vitest', `${passing}; echo 'error during close' >&2; exit 1`)
  const { lines } = await start().ended
  const end = lines.slice(lines.findIndex((line) => line.startsWith('passed  format and lint')))
  expect(end.map((line) => line.replace(/ +[\d.]+ s +/, ': '))).toEqual([
    'passed  format and lint: 1 passed, 0 failed',
    'FAILED  types: 0 passed, 1 failed (exit code 2)',
    '        a.ts(3,1): error TS2322: no',
    'passed  unused code: 1 passed, 0 failed',
    'FAILED  unit tests: 2 passed, 1 failed (exit code 1 without a failed test)',
    '        error during close',
    'passed  browser tests: 3 passed, 0 failed',
    '7 passed, 2 failed',
  ])
})

it('names the errors that Vitest met beside the tests', async () => {
  const errors = JSON.stringify([{ file: 'core/a.test.ts', text: 'Error: nobody awaits this' }])
  put('vitest', `${passing}; echo '${errors}' > "$CHAINBOARD_TEST_ERRORS"; exit 1`)
  const { lines } = await start().ended
  expect(verdicts(lines)).toContain('FAILED  unit tests: 2 passed, 1 failed (1 failed)')
  expect(lines).toContain('        core/a.test.ts: beside the tests: Error: nobody awaits this')
})

it('fails a part whose program is not there', async () => {
  rmSync(join(bin, 'knip'))
  const { code, lines } = await start().ended
  expect(code).toBe(1)
  expect(verdicts(lines)).toContain('FAILED  unused code: 0 passed, 1 failed (cannot be run: spawn knip ENOENT)')
  expect(ran()).toEqual(['biome', 'tsc', 'vitest', 'playwright'])
})

it('takes no arguments, as it runs everything', async () => {
  const { code, lines } = await start(['server/indexer']).ended
  expect(code).toBe(2)
  expect(lines).toEqual([
    'npm test runs everything and takes no arguments, but got server/indexer: use npm run unit -- or npm run e2e --',
  ])
  expect(ran()).toEqual([])
})

describe('an interrupted run', () => {
  /** Whether a process is there, by the id that it wrote down. */
  const isThere = (file: string) => {
    try {
      return process.kill(Number(readFileSync(join(bin, file), 'utf8')), 0)
    } catch {
      return false
    }
  }

  it.each(['SIGINT', 'SIGTERM'] as const)('ends by %s with its program and what that started', async (signal) => {
    // It ends in its own time, as Playwright does with its server.
    put('vitest', `sleep 600 & echo $! > "${bin}/sleeper"\ntrap 'kill $!; echo bye; exit 0' INT; echo $$ > "${bin}/pid"; wait`)
    const { child, ended } = start()
    await expect.poll(() => isThere('pid') && isThere('sleeper')).toBe(true)
    child.kill(signal)
    const { code, lines } = await ended
    expect(code).toBe(130)
    expect(lines).toContain('bye')
    // An ended process is there until its new parent has taken note of that.
    await expect.poll(() => [isThere('pid'), isThere('sleeper')]).toEqual([false, false])
    expect(verdicts(lines).slice(-2)).toEqual([
      'FAILED  unit tests: 0 passed, 1 failed (interrupted)',
      'FAILED  browser tests: 0 passed, 1 failed (not run)',
    ])
    expect(lines.at(-1)).toBe('3 passed, 2 failed')
    expect(ran()).toEqual(['biome', 'knip', 'tsc', 'vitest'])
  })
})
