import type { Book } from './book.ts'
import { getEntity } from './entities/entities.ts'
import type { Entity } from './entity.ts'
import { GraphRefusal } from './graphError.ts'
import type { Page } from './page.ts'
import type { Condition } from './parseWhere.ts'

// What looking through rows costs, worked out before it is done. The unit is one row of SQL held against one condition: some
// 0.2 µs. Pure, but for the refusals.

/** Units that one query may spend on all its lists together. */
export const workMax = 6_000_000
/** Units of one pool or token in memory against one condition: its figures are made as texts first. */
const unitsOfMemoryCheck = 8
/** Values of a list that cost as much as a condition. */
const valuesPerCondition = 50

/**
 * Counts what one query spends.
 * @param max units, for tests of the limit
 */
export function createWorkBudget(max: number = workMax): (units: number) => void {
  let spent = 0
  return (units) => {
    spent += units
    if (spent > max)
      throw new GraphRefusal(
        'The query would scan too much: query fewer lists, use fewer conditions and orders, or filter by id, pool or time',
      )
  }
}

/** Rows that a list may look through when each is held against conditions of some weight: `max` up to a weight of one. */
export function rowsWithin(max: number, weight: number): number {
  return Math.floor((2 * max) / (1 + Math.max(1, weight)))
}

/** Units of rows of SQL that are held against conditions of some weight. */
export function sqlWork(rows: number, weight: number): number {
  return rows * (1 + weight)
}

/** How many plain conditions a condition of SQL is worth. */
export function weighCondition(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, each) => sum + weighCondition(each), 0)
    case 'nested':
      return weighCondition(condition.condition)
    case 'changedSince':
      return 1
    case 'compare':
      return Array.isArray(condition.value) ? 1 + condition.value.length / valuesPerCondition : 1
  }
}

/** How many plain conditions it is worth to sort by an order that no index gives. */
export function weighOrder({ order }: Page): number {
  return order.kind === 'nested' ? 2 : 1
}

/** Units of a list of pools, tokens, the factory or the bundle, out of `count` of them. */
export function memoryWork(entity: Entity, count: number, page: Page, book: Book): number {
  return unitsOfMemoryCheck * (count * (1 + weighOrder(page)) + checksOf(page.condition, entity, count, book))
}

/** Units of what a list of a table asks of pools and tokens in memory: filters by them, and an order by them. */
export function ownerWork(page: Page, book: Book): number {
  const { order } = page
  const sorts = order.kind !== 'id' && order.field.kind === 'reference' && isOwner(order.field.entity)
  return unitsOfMemoryCheck * ((sorts ? 3 * (book.pools.size + book.tokens.size) : 0) + ownerChecks(page.condition, book))
}

function isOwner(name: string): name is 'Pool' | 'Token' {
  return name === 'Pool' || name === 'Token'
}

function sizeOf(name: string, book: Book): number {
  return name === 'Pool' ? book.pools.size : name === 'Token' ? book.tokens.size : 1
}

function ownerChecks(condition: Condition, book: Book): number {
  if ('of' in condition) return condition.of.reduce((sum, each) => sum + ownerChecks(each, book), 0)
  if (condition.kind === 'changedSince') return 0
  if (condition.field.kind !== 'reference' || !isOwner(condition.field.entity)) return 0
  const { field } = condition
  if (condition.kind === 'compare' && field.column && (condition.operator === 'is' || condition.operator === 'in')) return 0
  // The token of an event is found by its pool.
  const owners = field.column ? sizeOf(field.entity, book) : book.pools.size
  if (condition.kind === 'compare') return owners
  return owners + checksOf(condition.condition, getEntity(field.entity), sizeOf(field.entity, book), book)
}

/** A nested condition is worked out once for each row that it is on, whoever refers to the row. */
function checksOf(condition: Condition, entity: Entity, count: number, book: Book): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, each) => sum + checksOf(each, entity, count, book), 0)
    case 'changedSince':
      return 0
    case 'compare': {
      const values = Array.isArray(condition.value) ? condition.value.length : 1
      return condition.field.kind === 'stored' ? count * (1 + values / valuesPerCondition) + 2 * book.pools.size : count
    }
    case 'nested': {
      const { field } = condition
      const size = sizeOf(field.entity, book)
      const [edges, targets] = field.kind === 'stored' ? [2 * book.pools.size, size] : [count, Math.min(count, size)]
      return edges + checksOf(condition.condition, getEntity(field.entity), targets, book)
    }
  }
}
