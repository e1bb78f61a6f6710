import type { createRandom } from '@chainboard/devnet'
import type { OpenApi } from '../contract.ts'
import { createValues, type Schema } from './createValues.ts'

export type FuzzRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export type Known = {
  readonly addresses: readonly string[]
  readonly words: readonly string[]
  /** Signed logins of operators, and the keys that they made. */
  readonly logins: readonly SignedLogin[]
  readonly keyIds: readonly string[]
}
export type SignedLogin = { readonly walletAddress: string; readonly signature: string; readonly message: string }

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
const oddHeaders: readonly (readonly [string, string])[] = [
  ['accept', 'application/xml'],
  ['accept-encoding', 'gzip, br'],
  ['accept-encoding', 'br;q=0, *;q=0.1, ,'],
  ['accept-encoding', 'identity;q=0'],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"AAAAAAAAAAAAAAAAAAAAAAAAAAA"'],
  ['if-none-match', '"'],
  ['last-event-id', '00000000-1'],
  ['last-event-id', '-1'],
  ['x-api-key', 'rubbish'],
  ['x-api-key', `cb_${'0'.repeat(38)}`],
  ['x-api-key', 'x'.repeat(5_000)],
  ['cookie', 'session=%; browser='],
  ['cookie', `session=${'a'.repeat(3_000)}`],
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'multipart/form-data'],
  ['content-encoding', 'gzip'],
  ['range', 'bytes=0-0'],
  ['expect', '200-maybe'],
  ['x-forwarded-host', 'evil.example'],
  ['if-modified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
]
const oddBodies = [
  '',
  '{',
  '[]',
  'null',
  '"',
  '0',
  '{"__proto__":{"a":1}}',
  '{"constructor":1}',
  '[[[[[[[[]]]]]]]]',
  '\u0000',
  'a=1',
]

/** Makes requests out of the description of the API: right ones, nearly right ones, and rubbish. */
export function createRequests(document: OpenApi, known: Known, random: ReturnType<typeof createRandom>): () => FuzzRequest {
  const values = createValues(known, random)
  const operations = Object.entries(document.paths).flatMap(([template, of]) =>
    Object.entries(of).map(([method, operation]) => ({ template, method: method.toUpperCase(), operation })),
  )
  const chance = (share: number) => random.next() < share
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T

  const makeParam = (name: string, schema: object) => {
    if (name === 'id' && chance(0.7)) return pick(known.keyIds)
    return values.make(chance(0.15) ? {} : schema, name)
  }
  const fill = (template: string, parameters: readonly { name: string; in: string; schema: object }[]) => {
    const inPath = new Map(parameters.filter((each) => each.in === 'path').map(({ name, schema }) => [name, schema]))
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      values.toSegment(makeParam(name, inPath.get(name) ?? { type: 'string' })),
    )
    const asked = parameters.filter((each) => each.in === 'query' && chance(0.4))
    const query = asked.map(({ name, schema }) => `${name}=${values.toSegment(values.make(chance(0.2) ? {} : schema, name))}`)
    if (chance(0.05)) query.push(`${values.toSegment(values.text())}=${values.toSegment(values.text())}`)
    return query.length > 0 ? `${path}?${query.join('&')}` : path
  }
  /** Mostly signed as it has to be, so that what is behind a login is reached; not where that would end the login. */
  const sign = (body: unknown, template: string): unknown => {
    const signed = chance(template.endsWith('/logout') ? 0.02 : 0.7)
    return signed && body !== null && typeof body === 'object' ? { ...body, ...pick(known.logins) } : body
  }
  const writeBody = (schema: Schema | undefined, template: string): string | undefined => {
    if (!schema) return chance(0.05) ? pick(oddBodies) : undefined
    if (chance(0.1)) return pick(oddBodies)
    const body = values.make(schema)
    const text = JSON.stringify(schema.properties?.['signature'] ? sign(body, template) : body)
    if (chance(0.02)) return `${text.slice(0, -1)},"x":"${'x'.repeat(70_000)}"}`
    return chance(0.05) ? text.slice(0, Math.floor(random.next() * text.length)) : text
  }
  return () => {
    const { template, method, operation } = pick(operations)
    const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema
    const path = fill(template, operation.parameters ?? [])
    const headers: Record<string, string> = {
      // Many callers, so that no limit of one hides what is behind it.
      'x-forwarded-for': `198.51.${Math.floor(random.next() * 250)}.${Math.floor(random.next() * 250)}`,
    }
    const asked = chance(0.06) ? pick(methods) : method
    const body = asked === 'GET' || asked === 'HEAD' ? (chance(0.02) ? '{}' : undefined) : writeBody(schema, template)
    if (body !== undefined && !chance(0.03)) headers['content-type'] = 'application/json'
    while (chance(0.25)) Object.assign(headers, Object.fromEntries([pick(oddHeaders)]))
    return { method: asked, path: chance(0.06) ? values.spoil(path) : path, headers, body }
  }
}
