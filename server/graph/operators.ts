import type { Entity, Field, ScalarType } from './entity.ts'

/** What a suffix of a filter asks; `is` is the one without suffix. */
export type Operator =
  | 'is'
  | 'not'
  | 'gt'
  | 'lt'
  | 'gte'
  | 'lte'
  | 'in'
  | 'not_in'
  | 'contains'
  | 'contains_nocase'
  | 'not_contains'
  | 'not_contains_nocase'
  | 'starts_with'
  | 'starts_with_nocase'
  | 'not_starts_with'
  | 'not_starts_with_nocase'
  | 'ends_with'
  | 'ends_with_nocase'
  | 'not_ends_with'
  | 'not_ends_with_nocase'

const ordered: readonly Operator[] = ['is', 'not', 'gt', 'lt', 'gte', 'lte', 'in', 'not_in']
const affixes = ['starts_with', 'starts_with_nocase', 'not_starts_with', 'not_starts_with_nocase'] as const
const ends = ['ends_with', 'ends_with_nocase', 'not_ends_with', 'not_ends_with_nocase'] as const
const contained = ['contains', 'contains_nocase', 'not_contains', 'not_contains_nocase'] as const

const operatorsOf: Readonly<Record<ScalarType, readonly Operator[]>> = {
  Int: ordered,
  BigInt: ordered,
  BigDecimal: ordered,
  ID: ordered,
  Bytes: [...ordered, 'contains', 'not_contains'],
  String: [...ordered, ...contained, ...affixes, ...ends],
}

/**
 * One key that an entity's `where` may have. `input` is the scalar that its value is of; `isList` when it takes several.
 * A `nested` one takes a filter of the field's own entity.
 */
export type FilterKey = CompareKey | { readonly kind: 'nested'; readonly field: Exclude<Field, { kind: 'scalar' }> }

type CompareKey = {
  readonly kind: 'compare'
  readonly field: Field
  readonly operator: Operator
  readonly input: ScalarType
  readonly isList: boolean
}

const known = new WeakMap<Entity, ReadonlyMap<string, FilterKey>>()

/** Every key of an entity's `where`, by name, as The Graph makes them of a schema; `and`, `or` and `_change_block` apart. */
export function filterKeys(entity: Entity): ReadonlyMap<string, FilterKey> {
  const before = known.get(entity)
  if (before) return before
  const keys = new Map(entity.fields.flatMap(keysOfField))
  known.set(entity, keys)
  return keys
}

function keysOfField(field: Field): [string, FilterKey][] {
  if (field.kind === 'scalar') return compareKeys(field, field.type, operatorsOf[field.type])
  const nested: [string, FilterKey] = [`${field.name}_`, { kind: 'nested', field }]
  if (field.kind === 'derived') return [nested]
  if (field.kind === 'reference') return [...compareKeys(field, 'String', operatorsOf.String), nested]
  const lists = compareKeys(field, 'String', ['is', 'not', ...contained])
  return [...lists.map(([name, key]): [string, FilterKey] => [name, { ...key, isList: true }]), nested]
}

function compareKeys(field: Field, input: ScalarType, operators: readonly Operator[]): [string, CompareKey][] {
  return operators.map((operator) => [
    operator === 'is' ? field.name : `${field.name}_${operator}`,
    { kind: 'compare', field, operator, input, isList: operator === 'in' || operator === 'not_in' },
  ])
}
