import type { TProperties } from 'typebox'
import type { SourceDefinition } from './sourceDefinition.ts'
import * as registry from './sources/registry.ts'

type Registry = typeof registry

/** A source of prices by its name in the network file. */
export type SourceName = keyof Registry

/** Where the compiler complains here, a definition lacks its type: CONTRIBUTING.md, "A new source of prices". */
const definitions: Readonly<Record<SourceName, SourceDefinition>> = registry

/** By name, also where a bundler put the lines in another order. */
const byName = new Map(Object.entries(definitions).toSorted(([a], [b]) => (a < b ? -1 : 1)))

export const sourceNames = [...byName.keys()] as readonly SourceName[]

export const sourceDefinitions: readonly SourceDefinition[] = [...byName.values()]

export function getDefinition(name: SourceName): SourceDefinition {
  return definitions[name]
}

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never

/** The fields that sources add to the network file. */
export const sourceFields = joinFields(sourceDefinitions) as Both<Registry[SourceName]['file']>

/** Variables of the environment that belong to sources. */
export const sourceVariables = Object.fromEntries(sourceDefinitions.flatMap(({ env }) => Object.entries(env)))

/**
 * Pure. Several sources may share a field by the same schema.
 * @throws Error where two mean different things by one name
 */
export function joinFields(definitions: readonly Pick<SourceDefinition, 'name' | 'file'>[]): TProperties {
  const owners = new Map<string, Pick<SourceDefinition, 'name' | 'file'>>()
  for (const definition of definitions) {
    for (const [field, schema] of Object.entries(definition.file)) {
      const owner = owners.get(field)
      if (owner && owner.file[field] !== schema)
        throw new Error(
          `The sources ${owner.name} and ${definition.name} both add "${field}" to the network file: rename one of them`,
        )
      owners.set(field, definition)
    }
  }
  return Object.fromEntries([...owners].map(([field, { file }]) => [field, file[field] as TProperties[string]]))
}
