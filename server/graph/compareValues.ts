import type { ScalarType } from './entity.ts'
import { SchemaFault } from './graphError.ts'
import type { Operator } from './operators.ts'
import { isList, type Value } from './parseWhere.ts'

/** A value as it sorts: numbers by size, texts by their bytes. Whole numbers stay exact, decimals are the nearest double. */
export type SortKey = string | number | bigint | null

/** @param shown as it goes out */
export function toSortKey(type: ScalarType, shown: Value): SortKey {
  if (shown === null) return null
  if (type === 'BigInt') return BigInt(shown)
  if (type === 'BigDecimal' || type === 'Int') return Number(shown)
  return String(shown)
}

/** -1, 0 or 1; nothing comes after everything, as in the databases. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether a value meets one condition. Nothing meets only "is nothing": SQL's rule, which The Graph's answers follow. */
export function meets(type: ScalarType, shown: Value, operator: Operator, wanted: Value | readonly Value[]): boolean {
  if (wanted === null) return operator === 'is' ? shown === null : shown !== null
  if (shown === null) return false
  if (isList(wanted)) {
    return keysOf(type, wanted).has(toSortKey(type, shown)) === (operator === 'in')
  }
  return meetsOne(type, shown, operator, wanted)
}

const knownKeys = new WeakMap<readonly Value[], Map<ScalarType, ReadonlySet<SortKey>>>()

/** The keys of a filter's list, made once for all rows. */
function keysOf(type: ScalarType, wanted: readonly Value[]): ReadonlySet<SortKey> {
  const ofList = knownKeys.get(wanted) ?? new Map<ScalarType, ReadonlySet<SortKey>>()
  knownKeys.set(wanted, ofList)
  const keys = ofList.get(type) ?? new Set(wanted.map((each) => toSortKey(type, each)))
  ofList.set(type, keys)
  return keys
}

function meetsOne(type: ScalarType, shown: Value, operator: Operator, wanted: Value): boolean {
  const order = compareKeys(toSortKey(type, shown), toSortKey(type, wanted))
  switch (operator) {
    case 'is':
      return order === 0
    case 'not':
      return order !== 0
    case 'gt':
      return order > 0
    case 'lt':
      return order < 0
    case 'gte':
      return order >= 0
    case 'lte':
      return order <= 0
    default:
      return meetsText(String(shown), operator, String(wanted))
  }
}

function meetsText(shown: string, operator: Operator, wanted: string): boolean {
  const { negated, test, nocase } = textTest(operator)
  const [text, part] = nocase ? [shown.toLowerCase(), wanted.toLowerCase()] : [shown, wanted]
  const found = test === 'contains' ? text.includes(part) : test === 'starts_with' ? text.startsWith(part) : text.endsWith(part)
  return found !== negated
}

export type TextTest = {
  readonly test: 'contains' | 'starts_with' | 'ends_with'
  readonly negated: boolean
  readonly nocase: boolean
}

/** What an operator on texts asks, taken apart. */
export function textTest(operator: Operator): TextTest {
  const test = (['contains', 'starts_with', 'ends_with'] as const).find((each) => operator.includes(each))
  if (!test) throw new SchemaFault(`${operator} is no operator on texts`)
  return { test, negated: operator.startsWith('not_'), nocase: operator.endsWith('_nocase') }
}
