import { execFile } from 'node:child_process'
import type { Part } from './parts.ts'

/** Bytes of output that are kept of a check. */
const outputMax = 64 * 1024 * 1024

/** A check that did not pass. `output`: what it printed, or why it could not be run. */
export type FailedCheck = { readonly name: string; readonly output: string }

/** Runs checks at once. @returns those that failed, in the order given */
export async function runChecks(checks: readonly Part[]): Promise<FailedCheck[]> {
  return (await Promise.all(checks.map(runCheck))).filter((failed) => failed !== undefined)
}

function runCheck({ name, command, args, env }: Part): Promise<FailedCheck | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { env: { ...process.env, ...env }, maxBuffer: outputMax }, (error, stdout, stderr) =>
      resolve(error ? { name, output: stdout + stderr || error.message } : undefined),
    )
  })
}
