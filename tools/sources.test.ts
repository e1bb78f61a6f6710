import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publishedSchemas } from '../server/cli/publishSchemas.ts'
import { joinFields, sourceDefinitions, sourceNames } from '../server/market/sourceRegistry.ts'

// What of a source of prices no compiler sees. Each failure says what to do.

const root = resolve(import.meta.dirname, '..')
const folder = 'server/market/sources'
const labelCharsMax = 60
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const folders = readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

describe('every source of prices', () => {
  it('has its line in the registry', () => {
    const forgotten = folders
      .filter((name) => !(sourceNames as readonly string[]).includes(name))
      .map((name) => `${folder}/registry.ts lacks: export { ${name} } from './${name}/definition.ts'`)
    expect(forgotten).toEqual([])
  })

  it('is named as its folder and its line are', () => {
    const others = sourceDefinitions
      .map(({ name }, i) => ({ name, line: sourceNames[i] as string }))
      .filter(({ name, line }) => name !== line || !existsSync(join(root, folder, name, 'definition.ts')))
      .map(
        ({ name, line }) =>
          `${folder}/registry.ts exports "${line}", whose definition has the name "${name}": use one name, also for the folder`,
      )
    expect(others).toEqual([])
  })

  it('has a label of its own that fits the page', () => {
    const labels = sourceDefinitions.map(({ label }) => label)
    const unfit = sourceDefinitions
      .filter(
        ({ label }) => label.trim() === '' || label.length > labelCharsMax || labels.indexOf(label) !== labels.lastIndexOf(label),
      )
      .map(
        ({ name, label }) => `The label "${label}" of ${name}: write 1 to ${labelCharsMax} characters that no other source has`,
      )
    expect(unfit).toEqual([])
  })

  it('lets a network do without it', () => {
    const required: readonly string[] = publishedSchemas['network-file.schema.json'].required
    const demanded = sourceDefinitions.flatMap(({ name, file }) =>
      Object.keys(file)
        .filter((field) => required.includes(field))
        .map((field) => `"${field}" of ${name} is missing in every other network file: wrap it in Type.Optional`),
    )
    expect(demanded).toEqual([])
  })

  it('has fields of the network file that mean one thing', () => {
    const schema = { type: 'string' }
    expect(
      Object.keys(
        joinFields([
          { name: 'a', file: { url: schema } },
          { name: 'b', file: { url: schema } },
        ]),
      ),
    ).toEqual(['url'])
    expect(() =>
      joinFields([
        { name: 'a', file: { url: schema } },
        { name: 'b', file: { url: { type: 'string' } } },
      ]),
    ).toThrow('The sources a and b both add "url" to the network file: rename one of them')
  })

  it('limits the numbers of its fields, and says what it expects of each', () => {
    const careless = sourceDefinitions.flatMap(({ name, file }) =>
      Object.entries(file).flatMap(([field, schema]) => findCareless(schema, field).map((line) => `Source ${name}: ${line}`)),
    )
    expect(careless).toEqual([])
  })

  it('says how anybody can ask for its price, unless it reads pools of the chain', () => {
    const silent = sourceDefinitions
      .filter(({ readsChain, askedAs }) => !readsChain && !askedAs)
      .map(({ name }) => `${folder}/${name}/definition.ts lacks askedAs: what explain prints, such as "slug usd-coin"`)
    expect(silent).toEqual([])
  })

  it('is in the published schema of the network file', () => {
    const published = JSON.parse(read('docs/schemas/network-file.schema.json'))
    const made = JSON.parse(JSON.stringify(publishedSchemas['network-file.schema.json']))
    expect(published, 'Run npx node server/cli/publishSchemas.ts and npm run fix').toEqual(made)
  })

  it('is described for operators', () => {
    const prices = read('docs/prices/sources.md')
    const silent = sourceNames
      .filter((name) => !prices.includes(`\`${name}\``))
      .map((name) => `docs/prices/sources.md: add a row for \`${name}\``)
    const settings = read('docs/settings.md')
    const variables = sourceDefinitions.flatMap(({ env }) => Object.keys(env))
    const unnamed = variables
      .filter((name) => !settings.includes(`\`${name}\``))
      .map((name) => `docs/settings.md: add the variable \`${name}\``)
    expect([...silent, ...unnamed]).toEqual([])
  })
})

type Schema = Readonly<Record<string, unknown>>
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** What a field of the network file leaves open, and every field in it. @param path of the field */
function findCareless(schema: unknown, path: string): string[] {
  if (!isSchema(schema)) return []
  const { type, description, minimum, maximum, items, properties = {}, patternProperties = {}, anyOf = [] } = schema
  const isNumber = type === 'number' || type === 'integer'
  const parts = [properties, patternProperties].flatMap((each) => (isSchema(each) ? Object.entries(each) : []))
  return [
    ...(isNumber && (minimum === undefined || maximum === undefined) ? [`"${path}" needs minimum and maximum`] : []),
    ...(type !== undefined && !description ? [`"${path}" needs a description that completes "found …, expected …"`] : []),
    ...parts.flatMap(([name, part]) => findCareless(part, `${path}.${name}`)),
    ...[items, ...(Array.isArray(anyOf) ? anyOf : [])].flatMap((part) => findCareless(part, path)),
  ]
}
