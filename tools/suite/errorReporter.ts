import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

const fileVariable = 'CHAINBOARD_TEST_ERRORS'

/** What was thrown beside the tests of a run of Vitest. `file`: which one ran then; empty when none is known. */
export type LooseError = { readonly file: string; readonly text: string }

/** Where the errors beside the tests are, by the path of the report: Vitest's own report has none of them. */
export function errorsPath(report: string): string {
  return `${report}.errors`
}

/** What makes Vitest write those errors beside its report. */
export function withErrors(report: string): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  return { args: [`--reporter=${import.meta.filename}`], env: { [fileVariable]: errorsPath(report) } }
}

/** Vitest's reporter of errors that belong to no test: of a promise that nobody awaits, or of a worker that ended. */
export default class ErrorReporter implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const path = process.env[fileVariable]
    if (path !== undefined) writeFileSync(path, JSON.stringify(errors.map(toLooseError)))
  }
}

function toLooseError({ name, message, stack, VITEST_TEST_PATH: file }: SerializedError): LooseError {
  return { file: typeof file === 'string' ? file : '', text: stack || `${name}: ${message}` }
}
