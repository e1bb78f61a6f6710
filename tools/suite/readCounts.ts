import { readFileSync } from 'node:fs'
import type { Part } from './parts.ts'

/** Tests of one part. `skipped` holds those that did not run because one before them failed, too. */
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }

type VitestReport = {
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[]
}
type PlaywrightReport = {
  readonly errors: readonly unknown[]
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number }
}

/** Reads the report that the program of a part wrote at its end. `undefined` when there is none or it is cut off. */
export function readCounts({ kind }: Part, file: string): Counts | undefined {
  try {
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return kind === 'vitest' ? countVitest(report as VitestReport) : countPlaywright(report as PlaywrightReport)
  } catch {
    return undefined
  }
}

/** A file that fails without a failed test, as when it cannot be loaded, is one failure. */
function countVitest({ testResults }: VitestReport): Counts {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const passed = tests.filter((status) => status === 'passed').length
  const failed = tests.filter((status) => status === 'failed').length
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length
  return { passed, failed: failed + broken, skipped: tests.length - passed - failed }
}

/** A test that passed only when retried has failed. */
function countPlaywright({ errors, stats: { expected, unexpected, flaky, skipped } }: PlaywrightReport): Counts {
  const failed = unexpected + flaky
  return { passed: expected, failed: failed === 0 && errors.length > 0 ? errors.length : failed, skipped }
}
