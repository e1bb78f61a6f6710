import { sql } from 'kysely'
import { binaryText } from '../binaryText.ts'
import { showRatio } from '../decimal.ts'
import type { Entity } from '../entity.ts'
import { bytes, exact, integer, reference, scalar } from '../fields.ts'

const addressLength = 42
/** Decimals that powers of 1.0001 are worked out with: 34 are shown. */
const precision = 10n ** 60n
const tickTimes = 10_001n
const tickParts = 10_000n

const price0 = () => sql`power(cast('1.0001' as double precision), t.tick)`
const price1 = () => sql`power(cast('1.0001' as double precision), -t.tick)`

/** A tick of a pool. Its id is `<pool>#<tick>`; its prices are of smallest units, as the reference has them. */
export const tick: Entity = {
  name: 'Tick',
  singular: 'tick',
  plural: 'ticks',
  source: {
    kind: 'table',
    table: 'ticks',
    owner: { column: 'pool', entity: 'Pool' },
    head: { column: 'pool', length: addressLength },
    id: {
      text: ({ engine }) => binaryText(engine, sql`(t.pool || '#' || cast(t.tick as text))`),
      order: ({ engine }) => [sql`t.pool`, binaryText(engine, sql`cast(t.tick as text)`)],
    },
  },
  fields: [
    scalar('id', 'ID', (row) => `${row['pool']}#${row['tick']}`, { sql: { kind: 'id' } }),
    bytes('poolAddress', 'pool'),
    integer('tickIdx', 'tick'),
    reference('pool', 'Pool', 'pool'),
    exact('liquidityGross', 'liquidity_gross'),
    exact('liquidityNet', 'liquidity_net'),
    scalar('price0', 'BigDecimal', (row) => tickPrice(Number(row['tick'])), { sql: { kind: 'double', expression: price0 } }),
    scalar('price1', 'BigDecimal', (row) => tickPrice(-Number(row['tick'])), { sql: { kind: 'double', expression: price1 } }),
    integer('createdAtTimestamp', 'created_timestamp'),
    integer('createdAtBlockNumber', 'created_block'),
  ],
}

/** 1.0001^`exponent`. */
function tickPrice(exponent: number): string {
  let [result, square] = [precision, (precision * tickTimes) / tickParts]
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * square) / precision
    square = (square * square) / precision
  }
  return exponent < 0 ? showRatio(precision, result) : showRatio(result, precision)
}
