import { join, resolve } from 'node:path'

/** Names the folder of the programs that `buildPrograms` made for this run. */
export const programsVariable = 'CHAINBOARD_TEST_PROGRAMS'

const root = resolve(import.meta.dirname, '../..')

/** What to start, and the environment in which it finds its code compiled, as a server of `npm start` does. */
export type Program = { readonly script: string; readonly env: { readonly NODE_COMPILE_CACHE: string } }

/**
 * A program of the server: the built one in a run of tests, its source elsewhere.
 * @param name its file in the server's folder without the ending, `main`
 */
export function findProgram(name: string): Program {
  const built = process.env[programsVariable]
  return built === undefined
    ? findSource(name)
    : { script: join(built, `${name}.js`), env: { NODE_COMPILE_CACHE: join(built, 'compiled') } }
}

/** The program as it is written, module by module. */
export function findSource(name: string): Program {
  const script = join(root, 'server', `${name}.ts`)
  return { script, env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') } }
}
