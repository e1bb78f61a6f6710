import { parseArgs } from 'node:util'
import { Failure, messageOf } from '@chainboard/core'

const failed = 2
const interrupted = 130

/**
 * Runs a command to its end: a Failure is one sentence and exit code 2; Ctrl-C ends the work in order, so that nothing half is
 * left.
 */
export async function runTool(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  // What it writes, users' wallets among it, is for its own account alone.
  process.umask(0o077)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  try {
    await work(stopping.signal)
  } catch (error) {
    if (stopping.signal.aborted) {
      console.error('Interrupted: nothing was changed.')
      process.exitCode = interrupted
    } else if (error instanceof Failure) {
      console.error(error.message)
      process.exitCode = failed
    } else throw error
  }
}

/** A Failure is one sentence and exit code 2. @throws what is none */
export function exitWithFailure(error: unknown): never {
  if (!(error instanceof Failure)) throw error
  console.error(error.message)
  process.exit(failed)
}

/** One file and switches. Anything else ends the process with the usage. */
export function readFileAndSwitches<S extends string>(usage: string, switches: readonly S[]) {
  const options = Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }]))
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [file] = positionals
    if (!file || positionals.length > 1) throw new Failure('request-invalid', 'expected one file')
    return { file, has: (name: S) => values[name] === true }
  } catch (error) {
    console.error(`${messageOf(error)}\n${usage}`)
    process.exit(failed)
  }
}
