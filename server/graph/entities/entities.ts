import type { Entity, EntityName } from '../entity.ts'
import { SchemaFault } from '../graphError.ts'
import { bundle, factory, pool, token } from './bookEntities.ts'
import { burn, collect, flash, mint, swap, transaction } from './eventEntities.ts'
import { exchangeDay, poolDay, poolHour, tokenDay, tokenHour } from './periodEntities.ts'
import { tick } from './tickEntity.ts'

/** Every type of the schema, in its order. The schema, filters, SQL and answers all follow from this table. */
export const entities: readonly Entity[] = [
  factory,
  bundle,
  token,
  pool,
  tick,
  transaction,
  mint,
  burn,
  swap,
  collect,
  flash,
  exchangeDay,
  poolDay,
  poolHour,
  tokenDay,
  tokenHour,
]

const byName = new Map(entities.map((entity) => [entity.name, entity]))

/** @throws SchemaFault for a name that no entity has */
export function getEntity(name: EntityName): Entity {
  const entity = byName.get(name)
  if (!entity) throw new SchemaFault(`There is no entity ${name}`)
  return entity
}
