import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { errorsPath, type LooseError } from './errorReporter.ts'
import type { Part } from './parts.ts'

/** Tests of one part. `skipped` holds those that did not run because one before them failed, too. */
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** `failures`: a line for each test that failed, its file first; of very many, the first ones. */
export type Report = Counts & { readonly failures: readonly string[] }

const failuresMax = 50
const causeLengthMax = 300
const besideTests = 'beside the tests'

type VitestTest = { readonly status: string; readonly fullName?: string; readonly failureMessages?: readonly string[] }
type VitestReport = {
  readonly testResults: readonly {
    readonly name?: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly VitestTest[]
  }[]
}
type PlaywrightError = { readonly message?: string }
type PlaywrightSpec = {
  readonly title: string
  readonly file: string
  readonly ok: boolean
  readonly tests: readonly { readonly status?: string; readonly results: readonly { readonly error?: PlaywrightError }[] }[]
}
type PlaywrightSuite = {
  readonly title: string
  readonly specs?: readonly PlaywrightSpec[]
  readonly suites?: readonly PlaywrightSuite[]
}
type PlaywrightReport = {
  readonly errors: readonly PlaywrightError[]
  readonly suites?: readonly PlaywrightSuite[]
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number }
}

/** Reads the report that the program of a part wrote at its end. `undefined` when there is none, it is cut off, or it is of another program. */
export function readCounts({ kind }: Part, file: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (kind === 'vitest') return isVitestReport(report) ? countVitest(report, readErrors(errorsPath(file))) : undefined
    return isPlaywrightReport(report) ? countPlaywright(report) : undefined
  } catch {
    return undefined
  }
}

function isVitestReport(value: unknown): value is VitestReport {
  return typeof value === 'object' && value !== null && 'testResults' in value && Array.isArray(value.testResults)
}

function isPlaywrightReport(value: unknown): value is PlaywrightReport {
  return typeof value === 'object' && value !== null && 'stats' in value && 'errors' in value && Array.isArray(value.errors)
}

/** None where Vitest got no further than its report. */
function readErrors(path: string): readonly LooseError[] {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}

/** A file that fails without a failed test, as when it cannot be loaded, is one failure; so is an error beside the tests. */
function countVitest({ testResults }: VitestReport, errors: readonly LooseError[]): Report {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const passed = tests.filter((status) => status === 'passed').length
  const failed = tests.filter((status) => status === 'failed').length
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const lines = testResults.flatMap(({ name = '', assertionResults }) =>
    assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName = '', failureMessages }) => toLine(name, fullName, failureMessages?.[0])),
  )
  const brokenLines = broken.map(({ name = '', message }) => toLine(name, 'the file itself', message))
  const errorLines = errors.map(({ file, text }) => toLine(file, besideTests, text))
  return {
    passed,
    failed: failed + broken.length + errors.length,
    skipped: tests.length - passed - failed,
    failures: [...lines, ...brokenLines, ...errorLines].slice(0, failuresMax),
  }
}

/** A test that passed only when retried has failed. */
function countPlaywright({ errors, suites = [], stats }: PlaywrightReport): Report {
  const { expected, unexpected, flaky, skipped } = stats
  const failed = unexpected + flaky
  const lines = suites.flatMap((suite) => listFailed(suite, []))
  return {
    passed: expected,
    failed: failed === 0 && errors.length > 0 ? errors.length : failed,
    skipped,
    failures: [...lines, ...errors.map(({ message }) => toLine('', besideTests, message))].slice(0, failuresMax),
  }
}

/** A retried test that passed is `ok` and `flaky`. */
function listFailed({ title, specs = [], suites = [] }: PlaywrightSuite, above: readonly string[]): string[] {
  const own = specs
    .filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    .map(({ title: name, file, tests }) => {
      const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error
      return toLine(file, [...above, name].join(' › '), error?.message)
    })
  return [...own, ...suites.flatMap((suite) => listFailed(suite, [...above, suite.title || title]))]
}

function toLine(file: string, name: string, cause = ''): string {
  const path = file.startsWith('/') ? relative(process.cwd(), file) : file
  const why = stripVTControlCharacters(cause).trim().replaceAll(/\s+/g, ' ').slice(0, causeLengthMax)
  return [path, name, why].filter((part) => part !== '').join(': ')
}
