import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/**
 * Node sizes its heap for a big machine; a token board lives on a small one. What each line saves is in docs/benchmarks.md. Half of
 * Node's own for what is thrown away at once: with less, a busy price API does little but throw away. How the rest of the heap grows:
 * server/heapPace.ts.
 */
export const heapFlags = ['--max-semi-space-size=8']
/**
 * V8 starts four threads that collect garbage and compile. On two cores they take from the two threads that follow the chain and write:
 * a history is stored a tenth faster with one of them.
 * @param cores of the machine
 */
export const helperThreads = (cores: number): number => Math.min(4, Math.max(1, cores - 1))
/** For glibc: memory that was freed goes back to the system at once. */
export const mallocEnv = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' }
/** With the server's TypeScript compiled ahead, Node does not load its compiler. */
const cacheEnv = { NODE_COMPILE_CACHE: resolve(root, 'node_modules/.cache/node') }

/**
 * Starts the server with a small heap, in a process group of its own: a Ctrl-C reaches the caller alone, who then stops the
 * parts in order. It ends by itself when the caller is gone.
 * @param main another build of it, as in an archive
 */
export function forkServer(
  env: NodeJS.ProcessEnv,
  output: 'inherit' | 'ignore' = 'inherit',
  main = resolve(root, 'server/main.ts'),
): ChildProcess {
  return fork(main, {
    env: { ...mallocEnv, ...cacheEnv, ...env },
    execArgv: [...heapFlags, `--v8-pool-size=${helperThreads(availableParallelism())}`],
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  })
}
