// Set up before the tests of the server: routes of all servers in a process share what Fastify compiles of their schemas. A server has
// 415 schemas of answers, of which 64 differ, and 215 of requests; they are two thirds of the 0.3 s that it takes to open one, and
// tests open hundreds. Servers that run as processes of their own compile as ever.
import { createRequire } from 'node:module'

type Part = { readonly schema: unknown; readonly httpPart?: string }
type Compile = (part: Part) => unknown
type BuildCompiler = (externalSchemas: unknown, options: unknown) => Compile
type Selector = (() => BuildCompiler) & { readonly sharesCompiled?: true }

const ofFastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
for (const name of ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']) {
  const selector: Selector = ofFastify(name)
  const module = ofFastify.cache[ofFastify.resolve(name)]
  // Set up again for each test file of the process.
  if (module && !selector.sharesCompiled) module.exports = share(selector)
}

/** The compiler as it is, asked once for each schema and its options. */
function share(selector: Selector): Selector {
  const build = selector()
  const compiled = new Map<string, unknown>()
  const buildShared: BuildCompiler = (externalSchemas, options) => {
    const about = JSON.stringify([externalSchemas, options])
    const compile = build(externalSchemas, options)
    return (part) => {
      const key = about + JSON.stringify([part.httpPart, part.schema])
      const known = compiled.get(key) ?? compile(part)
      compiled.set(key, known)
      return known
    }
  }
  return Object.assign(() => buildShared, { sharesCompiled: true as const })
}
