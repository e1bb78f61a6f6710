import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { routes } from '@chainboard/contract'
import { describe, expect, it } from 'vitest'

// What of a route no compiler sees, without a server: server/api/openapi/routes.test.ts asks a running one. Each failure says what to do.

const root = resolve(import.meta.dirname, '..')
const pageFolders = ['app', 'lib', 'slices', 'token', 'ui', 'verify']
const read = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')

/** Routes that no page calls, by their operation ids. */
const forPrograms: readonly string[] = [
  // For previews of links, probes and monitoring.
  ...['getSharePicture', 'getReadiness', 'getMetrics'],
  // For scripts of users and of operators, and for clients of a subgraph.
  ...['getFigureReceipt', 'getCmcListed', 'getCmcDex', 'querySubgraph', 'verifyAdmin'],
]

describe('every route of the contract', () => {
  it('has its handler', () => {
    const api = read('server/api')
    const unhandled = Object.entries(routes)
      .filter(([id]) => !new RegExp(`\\b(?:routes|priceApi)\\.${id}\\b`).test(api))
      .map(
        ([id, { method, url }]) => `${method} ${url}: write app.route({ ...routes.${id}, handler }) in server/api, or remove it`,
      )
    expect(unhandled).toEqual([])
  })

  it('is called by a page, or is for programs', () => {
    const page = pageFolders.map((folder) => read(`web/${folder}`)).join('\n')
    const uncalled = Object.entries(routes).filter(([, { url }]) => !page.includes(`'${url}'`))
    const forgotten = uncalled
      .filter(([id]) => !forPrograms.includes(id))
      .map(
        ([id, { method, url }]) =>
          `${method} ${url}: no page calls it. Call apiUrl('${url}', …) from web/lib, or add '${id}' to forPrograms in tools/routes.test.ts`,
      )
    const surplus = forPrograms
      .filter((name) => !uncalled.some(([id]) => id === name))
      .map(
        (name) => `Take '${name}' out of forPrograms in tools/routes.test.ts: a page calls it, or the contract has no such route`,
      )
    expect([...forgotten, ...surplus]).toEqual([])
  })
})
