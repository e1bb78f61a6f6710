import type { TProperties, TSchema } from 'typebox'
import type { SourceName } from './source.ts'
import type { SourceDefinition } from './sourceDefinition.ts'
import * as registry from './sources/registry.ts'

type Registry = typeof registry

/** Where the compiler complains here, a definition lacks its type: CONTRIBUTING.md, "A new source of prices". */
const definitions: Readonly<Record<keyof Registry, SourceDefinition>> = registry

/** By name, also where a bundler put the lines in another order. */
const byName = new Map(Object.entries(definitions).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** In the order of the alphabet. */
export const sourceNames: readonly SourceName[] = [...byName.keys()]

/** In the order of their names. */
export const sourceDefinitions: readonly SourceDefinition[] = [...byName.values()]

/** @throws TypeError for a name that no folder has: the network file's schema lets none through */
export function getDefinition(name: SourceName): SourceDefinition {
  const definition = byName.get(name)
  if (!definition)
    throw new TypeError(`There is no source of prices called ${name}: sources/registry.ts has ${sourceNames.join(', ')}`)
  return definition
}

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never

/** The fields that sources add to the network file. */
export const sourceFields = joinFields(sourceDefinitions) as Both<Registry[keyof Registry]['file']>

/** Variables of the environment that belong to sources. */
export const sourceVariables = Object.fromEntries(sourceDefinitions.flatMap(({ env }) => Object.entries(env)))

/**
 * Pure. Several sources may share a field by the same schema.
 * @throws TypeError where two mean different things by one name
 */
export function joinFields(definitions: readonly Pick<SourceDefinition, 'name' | 'file'>[]): TProperties {
  const owners = new Map<string, { readonly name: string; readonly schema: TSchema }>()
  for (const { name, file } of definitions) {
    for (const [field, schema] of Object.entries(file)) {
      const owner = owners.get(field)
      if (owner && owner.schema !== schema)
        throw new TypeError(`The sources ${owner.name} and ${name} both add "${field}" to the network file: rename one of them`)
      owners.set(field, { name, schema })
    }
  }
  return Object.fromEntries([...owners].map(([field, { schema }]) => [field, schema]))
}
