import { Failure } from '@chainboard/core'
import type { Config } from './config.ts'
import { formatProblem, type Problem, show } from './findProblems.ts'
import { isSystemError } from './keeping/systemError.ts'

/**
 * Why the server cannot listen, as the setting that is wrong.
 * @returns a Failure `config-invalid`; the error itself where neither setting is its cause
 */
export function toListenFailure(error: unknown, config: Pick<Config, 'host' | 'port'>): unknown {
  const problem = findProblem(isSystemError(error) ? error.code : undefined, config)
  return problem ? new Failure('config-invalid', formatProblem(problem), { cause: error }) : error
}

function findProblem(code: string | undefined, { host, port }: Pick<Config, 'host' | 'port'>): Problem | undefined {
  if (code === 'EADDRINUSE')
    return { field: 'PORT', found: show(port), wanted: `a port of ${host} that no other program has taken` }
  if (code === 'EACCES') return { field: 'PORT', found: show(port), wanted: "one that the server's user may use: 1024 or above" }
  if (code && ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL', 'EAFNOSUPPORT'].includes(code)) {
    const wanted = `an address or name of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them (${code})`
    return { field: 'HOST', found: show(host), wanted }
  }
  return undefined
}
