import { sql } from 'kysely'
import type { Book } from './book.ts'
import { meets, textTest } from './compareValues.ts'
import { getEntity } from './entities/entities.ts'
import type { ColumnContext, Entity, ReferenceField, ScalarField, SqlContext, TableSource } from './entity.ts'
import { GraphRefusal, SchemaFault } from './graphError.ts'
import type { Operator } from './operators.ts'
import { type Condition, isList, type Value } from './parseWhere.ts'
import { listMatches, refuseDerived } from './searchBook.ts'
import { doubleOf, formOf, isBeyond, isOneOf, numberAs, orderOf, type Sql, tableOf, textOf } from './storedColumns.ts'

/**
 * What SQL is written for. `indexed` says whether the database may reach rows by this condition: what does not help is written
 * so that no index fits, or a planner would take the index of the order and read the whole table for a handful of rows.
 */
export type ConditionContext = ColumnContext & { readonly book: Book; readonly indexed: boolean }

const always = sql`1 = 1`
const never = sql`1 = 0`
/** Whole numbers in the database's own columns are far below; a wanted one beyond compares as this. */
const integerMax = 2n ** 53n

/** A condition on the rows of an entity's table as SQL. */
export function toSql(condition: Condition, context: ConditionContext): Sql {
  switch (condition.kind) {
    case 'all':
      return condition.of.length === 0 ? always : join(condition.of, context, sql` and `)
    case 'any':
      return join(condition.of, { ...context, indexed: false }, sql` or `)
    case 'changedSince':
      return changedSince(condition.block, context)
    case 'nested':
      return nested(condition, context)
    case 'compare': {
      const { field, operator, value } = condition
      if (field.kind === 'scalar') return compareScalar(field, operator, value, context)
      if (field.kind === 'reference') return compareReference(condition, field, context)
      throw new SchemaFault(`${context.entity.name} has no list of its own`)
    }
  }
}

function join(of: readonly Condition[], context: ConditionContext, separator: Sql): Sql {
  return sql`(${sql.join(
    of.map((each) => toSql(each, context)),
    separator,
  )})`
}

type Owners = { readonly entity: Entity; readonly book: Book; readonly owners: readonly string[] | undefined }
const known = new WeakMap<Condition, Owners>()

/**
 * Pools or tokens that a condition on a reference leaves, or undefined when it is on another kind of entity. Several statements
 * of a page ask for them, so they are looked up once.
 */
export function ownersOf(condition: Condition, entity: Entity, book: Book): readonly string[] | undefined {
  const before = known.get(condition)
  if (before?.entity === entity && before.book === book) return before.owners
  const owners = findOwners(condition, entity, book)
  known.set(condition, { entity, book, owners })
  return owners
}

function findOwners(condition: Condition, entity: Entity, book: Book): readonly string[] | undefined {
  if (condition.kind !== 'compare' && condition.kind !== 'nested') return undefined
  const { field } = condition
  const { owner } = tableOf(entity)
  if (condition.kind === 'compare' && field.kind === 'scalar') return ownersOfColumn(condition, field, owner?.column)
  if (field.kind !== 'reference' || !owner || (field.entity !== 'Pool' && field.entity !== 'Token')) return undefined
  if (condition.kind === 'compare' && field.column && (condition.operator === 'is' || condition.operator === 'in'))
    return condition.value === null ? [] : [condition.value].flat().map(String)
  // The token of an event is its pool's token, so the same condition is asked of pools.
  if (!field.column) return listMatches('Pool', asOfPool(condition, field.name), book)
  const inner: Condition = condition.kind === 'nested' ? condition.condition : { ...condition, field: idOf(owner.entity) }
  return listMatches(owner.entity, inner, book)
}

/** A plain field may be the owner's address too: that of a tick's pool is. */
function ownersOfColumn(
  { operator, value }: Condition & { kind: 'compare' },
  { sql: source }: ScalarField,
  column: string | undefined,
) {
  if (source?.kind !== 'text' || source.column !== column || (operator !== 'is' && operator !== 'in') || value === null)
    return undefined
  return [value].flat().map(String)
}

function asOfPool<C extends Condition>(condition: C, name: string): C {
  const field = getEntity('Pool').fields.find((each) => each.name === name)
  return { ...condition, field }
}

function idOf(name: 'Pool' | 'Token'): ScalarField {
  const [id] = getEntity(name).fields
  if (id?.kind !== 'scalar') throw new SchemaFault(`${name} does not begin with its id`)
  return { ...id, type: 'String' }
}

function compareReference(condition: Condition & { kind: 'compare' }, field: ReferenceField, context: ConditionContext): Sql {
  const owners = ownersOf(condition, context.entity, context.book)
  const { owner, head } = tableOf(context.entity)
  if (owners && owner) return among(owner.column, owners, context)
  return compareColumn(field.column ?? head.column, condition, context)
}

function nested(whole: Condition & { kind: 'nested' }, context: ConditionContext): Sql {
  const { field, condition } = whole
  if (field.kind === 'derived') throw refuseDerived(field.name)
  const owners = ownersOf(whole, context.entity, context.book)
  const { owner } = tableOf(context.entity)
  if (owners && owner) return among(owner.column, owners, context)
  // What is left is an event's transaction, whose columns the event has itself.
  return toSql(condition, { ...context, entity: transactionOfEvent(), indexed: false })
}

let eventTransaction: Entity | undefined

/** The entity Transaction as a row of events has it: its hash is in another column. */
export function transactionOfEvent(): Entity {
  if (eventTransaction) return eventTransaction
  const entity = getEntity('Transaction')
  const id: TableSource['id'] = {
    text: (context) => textOf('tx_hash', context),
    order: (context) => orderOf('tx_hash', context),
  }
  eventTransaction = { ...entity, source: { ...tableOf(entity), head: { column: 'tx_hash', length: 66 }, id } }
  return eventTransaction
}

/** Rows whose column is one of some texts. */
export function among(name: string, ids: readonly string[], context: ConditionContext): Sql {
  return ids.length === 0 ? never : isOneOf(name, ids, context)
}

function changedSince(block: number, { entity }: ConditionContext): Sql {
  if (!['swaps', 'pool_events', 'transactions'].includes(tableOf(entity).table))
    throw new GraphRefusal('Filtering by `_change_block` is not supported for entities without a block of their own')
  return sql`t.block_number >= cast(${block} as bigint)`
}

type Comparison = { readonly operator: Operator; readonly value: Value | readonly Value[] }

/** By a column of text. */
function compareColumn(name: string, { operator, value }: Comparison, context: ConditionContext): Sql {
  if (formOf(context, name) && value !== null && (operator === 'is' || operator === 'in'))
    return among(name, [value].flat().map(String), context)
  const place = textOf(name, context)
  return compareText(context.indexed ? place : sql`(${place} || '')`, operator, value, context)
}

function compareScalar(field: ScalarField, operator: Operator, value: Value | readonly Value[], context: ConditionContext): Sql {
  const { sql: source } = field
  // A constant needs no row.
  if (!source) return meets(field.type, field.show({}, context.book), operator, value) ? always : never
  switch (source.kind) {
    case 'text':
      return compareColumn(source.column, { operator, value }, context)
    case 'id':
      return compareId(operator, value, context)
    case 'integer': {
      const place = sql.ref(`t.${source.column}`)
      return compareNumber(context.indexed ? place : sql`(${place} + 0)`, operator, value, toInteger)
    }
    case 'exact':
      return compareExact(source.column, operator, value, context)
    case 'double':
      return compareNumber(sql`(${source.expression(context)})`, operator, value, toDouble)
  }
}

function toInteger(value: Value): Sql {
  const wanted = BigInt(value ?? 0)
  const clamped = wanted > integerMax ? integerMax : wanted < -integerMax ? -integerMax : wanted
  return sql`cast(${Number(clamped)} as bigint)`
}

function toDouble(value: Value): Sql {
  return sql`cast(${Number(value)} as double precision)`
}

function compareExact(name: string, operator: Operator, value: Value | readonly Value[], context: ConditionContext): Sql {
  if (operator === 'gt' || operator === 'gte' || operator === 'lt' || operator === 'lte')
    return compareNumber(doubleOf(name, context), operator, value, toDouble)
  return compareNumber(sql.ref(`t.${name}`), operator, value, (each) => numberAs(name, String(each), context))
}

const signs: Readonly<Partial<Record<Operator, Sql>>> = {
  is: sql`=`,
  not: sql`<>`,
  gt: sql`>`,
  lt: sql`<`,
  gte: sql`>=`,
  lte: sql`<=`,
}

function compareNumber(place: Sql, operator: Operator, value: Value | readonly Value[], bind: (value: Value) => Sql): Sql {
  if (value === null) return operator === 'is' ? sql`${place} is null` : sql`${place} is not null`
  if (isList(value)) {
    if (value.length === 0) return operator === 'in' ? never : sql`${place} is not null`
    const list = sql.join(value.map(bind))
    return operator === 'in' ? sql`${place} in (${list})` : sql`${place} not in (${list})`
  }
  const sign = signs[operator]
  if (!sign) throw new SchemaFault(`Numbers have no operator ${operator}`)
  return sql`${place} ${sign} ${bind(value)}`
}

function compareText(place: Sql, operator: Operator, value: Value | readonly Value[], { engine }: SqlContext): Sql {
  if (value === null || Array.isArray(value) || signs[operator])
    return compareNumber(place, operator, value, (each) => sql`${each}`)
  const { test, negated, nocase } = textTest(operator)
  const wanted = nocase ? String(value).toLowerCase() : String(value)
  const text = nocase ? sql`lower(${place})` : place
  const found = testText(text, test, wanted, engine)
  return negated ? sql`not (${found})` : found
}

function testText(text: Sql, test: 'contains' | 'starts_with' | 'ends_with', wanted: string, engine: SqlContext['engine']): Sql {
  if (test === 'contains') return engine === 'postgres' ? sql`strpos(${text}, ${wanted}) > 0` : sql`instr(${text}, ${wanted}) > 0`
  const length = sql.lit(wanted.length)
  if (test === 'starts_with') return sql`substr(${text}, 1, ${length}) = ${wanted}`
  return sql`substr(${text}, length(${text}) - ${length} + 1) = ${wanted}`
}

/** By id: the part that an index holds narrows, the id as the client sees it decides. */
function compareId(operator: Operator, value: Value | readonly Value[], context: ConditionContext): Sql {
  const { head, id } = tableOf(context.entity)
  const whole = compareText(id.text(context), operator, value, context)
  if (!context.indexed || head.length === 0 || value === null) return whole
  if (isList(value)) {
    if (operator !== 'in') return whole
    return sql`(${among(head.column, [...new Set(value.map((each) => headOf(each, head.length)))], context)} and ${whole})`
  }
  const start = headOf(value, head.length)
  if (operator === 'is') return sql`(${among(head.column, [start], context)} and ${whole})`
  if (operator === 'gt' || operator === 'gte') return sql`(${isBeyond(head.column, '>=', start, context)} and ${whole})`
  if (operator === 'lt' || operator === 'lte') return sql`(${isBeyond(head.column, '<=', start, context)} and ${whole})`
  return whole
}

function headOf(value: Value, length: number): string {
  return String(value).slice(0, length)
}
