import { resolve } from 'node:path'

/** Environment of a process that a test starts: it finds the server's code compiled, as one of `npm start` does. */
export const compileCache = { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/node') } as const
