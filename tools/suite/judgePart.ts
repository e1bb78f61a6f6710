import type { PartKind } from './parts.ts'
import type { Report } from './readCounts.ts'

/** How the program of a part ended. */
export type PartEnd = {
  /** `null` when a signal ended it or it could not be started. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Why we ended it, or why it did not start. */
  readonly cause?: string | undefined
  /** By its report; `undefined` without one. */
  readonly counts: Report | undefined
  /** The end of what it printed: of tests on the error stream alone. */
  readonly lastLines: readonly string[]
}

export type Verdict = Report & {
  /** Why the part failed; `undefined` when it passed. A part that failed has at least one failure. */
  readonly fault: string | undefined
}

/** Decides whether a part passed. Only a good exit, a report, tests that ran and no failure among them are a pass. */
export function judgePart(kind: PartKind, end: PartEnd): Verdict {
  const { passed, failed, skipped, failures } = end.counts ?? { passed: 0, failed: 0, skipped: 0, failures: [] }
  const fault = findFault(kind, end)
  // A run is often known by its last lines alone: they say what is wrong, too.
  const named = fault === undefined || failures.length > 0 ? failures : end.lastLines
  if (kind === 'check') return { passed: fault ? 0 : 1, failed: fault ? 1 : 0, skipped: 0, failures: named, fault }
  return { passed, failed: fault ? Math.max(1, failed) : 0, skipped, failures: named, fault }
}

function findFault(kind: PartKind, { exitCode, signal, cause, counts }: PartEnd): string | undefined {
  if (cause) return cause
  if (signal) return `ended by ${signal}`
  if (kind !== 'check') {
    if (counts && counts.failed > 0) return `${counts.failed} failed`
    if (counts && counts.passed === 0) return 'no test was run'
    if (exitCode === 0 && !counts) return 'it wrote no report'
    if (exitCode !== 0) return `exit code ${exitCode}${counts ? ' without a failed test' : ' and no report'}`
  }
  return exitCode === 0 ? undefined : `exit code ${exitCode}`
}
