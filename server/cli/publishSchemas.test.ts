import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { findProblems } from '../findProblems.ts'
import { pickListSchema } from '../market/tokenList.ts'
import { networkFileSchema } from '../networkFileSchema.ts'
import { publishedSchemas } from './publishSchemas.ts'

const root = resolve(import.meta.dirname, '../..')
const readJson = (path: string): unknown => JSON.parse(readFileSync(resolve(root, path), 'utf8'))
const networks = readdirSync(resolve(root, 'networks')).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? [])

/** By the published file, as an editor checks. */
const ajv = new Ajv({ strict: false })
const editors = {
  network: ajv.compile(readJson('docs/schemas/network-file.schema.json') as object),
  list: ajv.compile(readJson('docs/schemas/token-list.schema.json') as object),
}
/** As a start checks. */
const starts = {
  network: (value: unknown) => findProblems(networkFileSchema, value).length === 0,
  list: (value: unknown) => findProblems(pickListSchema(value), value).length === 0,
}

const junk = [null, true, 0, -1, 1.5, '', 'text', '0x12', [], {}, [null], 'https://a.example/{address}', 1e9]

/** Copies of a value that differ in one place: a field less, another value, a field more. */
function* mutate(value: unknown, depth = 0): Generator<unknown> {
  for (const each of junk) yield each
  if (typeof value !== 'object' || value === null || depth > 4) return
  if (Array.isArray(value)) {
    if (value.length > 0) for (const first of mutate(value[0], depth + 1)) yield [first, ...value.slice(1, 2)]
    yield [...value.slice(0, 1), ...value.slice(0, 1)]
    return
  }
  yield { ...value, unheardOf: 1 }
  for (const [name, field] of Object.entries(value)) {
    const { [name]: _, ...others } = value as Record<string, unknown>
    yield others
    for (const other of mutate(field, depth + 1)) yield { ...value, [name]: other }
  }
}

/** Numbers without a least or a greatest value, by their place. */
function* findUnbounded(schema: unknown, path = ''): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  const { type, minimum, maximum } = schema as Record<string, unknown>
  const isNumber = type === 'number' || type === 'integer'
  if (isNumber && !(typeof minimum === 'number' && typeof maximum === 'number')) yield path
  for (const [name, part] of Object.entries(schema)) yield* findUnbounded(part, `${path}/${name}`)
}

describe('the published schemas', () => {
  it.each(Object.entries(publishedSchemas))('bound every number: %s', (_name, schema) => {
    expect([...findUnbounded(schema)]).toEqual([])
  })

  it('are those that a start checks with: npx node server/cli/publishSchemas.ts', () => {
    for (const [name, schema] of Object.entries(publishedSchemas))
      expect(readJson(`docs/schemas/${name}`), name).toEqual(JSON.parse(JSON.stringify(schema)))
  })

  it.each(networks)('let the files of %s pass, with a $schema too', (name) => {
    const network = readJson(`networks/${name}.json`) as object
    const list = readJson(`networks/lists/${name}/assets.json`)
    const named = [
      { ...network, $schema: 'a.json' },
      { $schema: 'a.json', tokens: list },
    ] as const
    expect([editors.network(network), starts.network(network)]).toEqual([true, true])
    expect([editors.network(named[0]), starts.network(named[0])]).toEqual([true, true])
    expect([editors.list(list), starts.list(list)]).toEqual([true, true])
    expect([editors.list(named[1]), starts.list(named[1])]).toEqual([true, true])
  })

  it('agree with a start on every file that is wrong in one place', () => {
    const network = { ...(readJson('networks/devnet.json') as object), $schema: 'a.json', cmc: { network: 'a' } }
    const [token] = readJson('networks/lists/devnet/assets.json') as unknown[]
    const cases = [
      ...[...mutate(network)].map((value) => ['network', value] as const),
      ...[...mutate([token])].map((value) => ['list', value] as const),
      ...[...mutate({ $schema: 'a.json', tokens: [token] })].map((value) => ['list', value] as const),
    ]
    const apart = cases.filter(([kind, value]) => editors[kind](value) !== starts[kind](value))
    expect(apart).toEqual([])
    const refused = cases.filter(([kind, value]) => !starts[kind](value)).length
    expect(refused).toBeGreaterThan(1_000)
    expect(cases.length - refused).toBeGreaterThan(30)
  })
})
