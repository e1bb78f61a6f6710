import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { routes } from '@chainboard/contract'
import { describe, expect, it } from 'vitest'

// What of a route no compiler sees, without a server: server/api/openapi/routes.test.ts asks a running one. Each failure says what to do.

const root = resolve(import.meta.dirname, '..')
const read = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')

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
})
