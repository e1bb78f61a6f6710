import type { KeptSince } from '../store/keptSince.ts'
import type { Part } from './choosePath.ts'
import type { Entity } from './entity.ts'
import { GraphRefusal } from './graphError.ts'
import { tableOf } from './storedColumns.ts'

const kinds: Readonly<Record<string, keyof KeptSince>> = {
  swaps: 'swaps',
  transactions: 'swaps',
  pool_hours: 'hours',
  token_hours: 'hours',
}

/**
 * Refuses a list of rows that are no longer kept: an empty one would say that there never were any.
 * @param parts conditions that every row has to meet
 * @throws GraphRefusal when all of the time asked for is before
 */
export function refuseGone(kept: KeptSince | undefined, entity: Entity, parts: readonly Part[]): void {
  const kind = kinds[tableOf(entity).table]
  const since = kind && kept?.[kind]
  if (since === undefined) return
  const isGone = parts.some(({ condition, serves }) => {
    if (serves !== 'time' || condition.kind !== 'compare') return false
    const { operator, value } = condition
    if (operator === 'lt') return Number(value) <= since
    return (operator === 'is' || operator === 'lte') && Number(value) < since
  })
  if (isGone) throw new GraphRefusal(`Data of type \`${entity.name}\` is no longer kept for times before ${since}`)
}
