import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'

/** Node sizes its heap for a big machine; a token board lives on a small one. */
const smallHeap = ['--optimize-for-size', '--max-semi-space-size=1']

/**
 * Starts the server in a process group of its own: a Ctrl-C reaches whoever started it alone. It says `{listening: url}` and,
 * when the index has caught up and the market was taken, `{full: url}`.
 */
export function forkServer(env: NodeJS.ProcessEnv, output: 'inherit' | 'pipe'): ChildProcess {
  return fork(resolve(import.meta.dirname, '../../server/main.ts'), {
    env: { MALLOC_ARENA_MAX: '2', ...env },
    execArgv: smallHeap,
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  })
}
