import { fieldsOf } from '@chainboard/core'
import { getEntity } from './entities/entities.ts'
import type { DerivedField, Entity, Field, ReferenceField, ScalarField, ScalarType, StoredListField } from './entity.ts'
import { argumentError, decodeError, GraphRefusal, SchemaFault } from './graphError.ts'
import { type FilterKey, filterKeys, type Operator } from './operators.ts'

const conditionsMax = 200
const nestingMax = 8
const listMax = 1_000
/** Values of all lists together: a statement of SQLite binds at most 32,766, and some conditions stand in it twice. */
const valuesMax = 10_000
const textMax = 1_000

export type Value = string | number | null

/** Whether a condition compares with several values. */
export function isList(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value)
}

/** A `where`, checked and typed. An `all` of nothing is true, an `any` of nothing is not made. */
export type Condition =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | {
      readonly kind: 'compare'
      readonly field: Exclude<Field, DerivedField>
      readonly operator: Operator
      readonly value: Value | readonly Value[]
    }
  | { readonly kind: 'nested'; readonly field: Exclude<Field, ScalarField>; readonly condition: Condition }
  | { readonly kind: 'changedSince'; readonly block: number }

/** The condition that every row meets. */
export const everything: Condition = { kind: 'all', of: [] }

/**
 * Reads the `where` of an entity.
 * @throws GraphRefusal for an unknown key, a value of another kind, or a filter beyond the limits
 */
export function parseWhere(entity: Entity, where: unknown): Condition {
  if (where === null || where === undefined) return everything
  return parseObject(entity, where, { conditions: conditionsMax, values: valuesMax }, 0)
}

/** What is left of a filter's limits. */
type Budget = { conditions: number; values: number }

function parseObject(entity: Entity, where: unknown, budget: Budget, depth: number): Condition {
  if (depth > nestingMax) throw new GraphRefusal(`A filter is nested more than ${nestingMax} levels deep`)
  if (typeof where !== 'object' || where === null || Array.isArray(where)) throw argumentError('where', where)
  const of = Object.entries(where).flatMap(([key, value]) => {
    if (value === undefined) return []
    budget.conditions -= 1
    if (budget.conditions < 0) throw new GraphRefusal(`A filter has more than ${conditionsMax} conditions`)
    return [parseEntry(entity, { key, value, where }, budget, depth)]
  })
  return of.length === 1 && of[0] ? of[0] : { kind: 'all', of }
}

type Entry = { readonly key: string; readonly value: unknown; readonly where: object }

function parseEntry(entity: Entity, { key, value, where }: Entry, budget: Budget, depth: number): Condition {
  if (key === 'and' || key === 'or') {
    const parts = (Array.isArray(value) ? value : [value]).map((each) => parseObject(entity, each, budget, depth + 1))
    return key === 'or' && parts.length > 0 ? { kind: 'any', of: parts } : { kind: 'all', of: parts }
  }
  if (key === '_change_block') return parseChangeBlock(value)
  const known = filterKeys(entity).get(key)
  if (!known) throw argumentError('where', where)
  if (known.kind === 'compare') return parseCompare(known, value, budget)
  return { kind: 'nested', field: known.field, condition: parseObject(getEntity(known.field.entity), value, budget, depth + 1) }
}

function parseChangeBlock(value: unknown): Condition {
  const block = fieldsOf(value)['number_gte']
  if (typeof block !== 'number') throw argumentError('_change_block', value)
  return { kind: 'changedSince', block }
}

function parseCompare(
  { field, operator, input, isList }: FilterKey & { kind: 'compare' },
  value: unknown,
  budget: Budget,
): Condition {
  if (field.kind === 'derived') throw new SchemaFault('A derived field is not compared')
  if (field.kind === 'scalar' && field.fromNode) throw refuseNodeField(field)
  const type = typeOfValue(field, input)
  if (!isList) return { kind: 'compare', field, operator, value: parseValue(type, value, operator) }
  const items = Array.isArray(value) ? value : [value]
  if (items.length > listMax) throw new GraphRefusal(`A list of a filter has more than ${listMax} values`)
  budget.values -= items.length
  if (budget.values < 0) throw new GraphRefusal(`The lists of a filter have more than ${valuesMax} values together`)
  return { kind: 'compare', field, operator, value: items.map((each) => parseValue(type, each, 'is')) }
}

function refuseNodeField({ name }: ScalarField): GraphRefusal {
  return new GraphRefusal(`Filtering by \`${name}\` is not supported: it is read from the node on request, not kept in the index`)
}

/** References are compared by id, and the ids of pools and tokens are bytes, whose letters have no case. */
function typeOfValue(field: ScalarField | ReferenceField | StoredListField, input: ScalarType): ScalarType | 'Id of bytes' {
  if (field.kind === 'scalar') return input
  const id = getEntity(field.entity).fields[0]
  return id?.kind === 'scalar' && id.type === 'Bytes' ? 'Id of bytes' : input
}

/** One value as its kind is compared: `Int` as a number, everything else as text in its own form. */
export function parseValue(type: ScalarType | 'Id of bytes', value: unknown, operator: Operator): Value {
  if (value === null) {
    if (operator === 'is' || operator === 'not') return null
    throw new GraphRefusal(`Filter not supported by value \`null\`: \`_${operator}\``)
  }
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string')
    throw decodeError(type === 'Id of bytes' ? 'Bytes' : type, `${JSON.stringify(value)?.slice(0, 100)}`)
  if (text.length > textMax) throw decodeError(type, `text of more than ${textMax} characters`)
  // PostgreSQL holds neither in a text.
  if (text.includes('\0') || !text.isWellFormed())
    throw decodeError(type === 'Id of bytes' ? 'Bytes' : type, 'text with a NUL or half of a surrogate pair')
  switch (type) {
    case 'Int':
      if (!/^-?\d{1,10}$/.test(text)) throw decodeError(type, text)
      return Number(text)
    case 'BigInt':
      if (!/^[+-]?\d+$/.test(text)) throw decodeError(type, text)
      return BigInt(text.replace('+', '')).toString()
    case 'BigDecimal':
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i.test(text) || !Number.isFinite(Number(text))) throw decodeError(type, text)
      return text
    case 'Bytes':
      if (!/^(0x)?([0-9a-f]{2})*$/i.test(text)) throw decodeError(type, text)
      return `0x${text.toLowerCase().replace(/^0x/, '')}`
    case 'Id of bytes':
      return text.toLowerCase()
    default:
      return text
  }
}
