import { resolve } from 'node:path'
import { Failure } from '@chainboard/core'
import { type Config, readConfig } from './config.ts'
import { formatProblem, problemsOf } from './findProblems.ts'

const exitCode = 2

/** What `npm run init` takes of the environment, before there is a configuration. */
export function readInitEnvironment(): { readonly rpcUrl: string | undefined; readonly networksDir: string | undefined } {
  const { RPC_URL: rpcUrl, NETWORKS_DIR: networksDir } = process.env
  return { rpcUrl: rpcUrl || undefined, networksDir: networksDir ? resolve(networksDir) : undefined }
}

/** The configuration from the environment; when it has problems, they are all listed and the process ends. */
export function readConfigOrExit(): Config {
  try {
    const networksDir = process.env['NETWORKS_DIR']
    return readConfig(process.env, networksDir ? resolve(networksDir) : undefined)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error
    const problems = problemsOf(error)
    console.error(
      `Chainboard cannot start: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in the configuration.`,
    )
    for (const problem of problems) console.error(`  ${formatProblem(problem)}`)
    process.exit(exitCode)
  }
}
