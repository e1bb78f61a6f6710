import type { Address } from '@chainboard/core'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayStart, insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { alphaPool, wrappedPool } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

// Random filters and orders over random swaps: SQL on both engines against a plain evaluation in JavaScript, on figures that were
// drawn, not read back.

type Drawn = {
  readonly id: string
  readonly pool: Address
  readonly timestamp: number
  readonly tick: number
  readonly amountUSD: number
  readonly amount0: number
  readonly recipient: Address
  readonly feeTier: number
}

const stores = createTempStores()
const base = rows.swaps?.[0] as NonNullable<typeof rows.swaps>[number]
const recipients = ['01', '02ff', '30'].map((start): Address => `0x${start.padEnd(40, '0')}`)

const drawn = fc.sample(
  fc.record({
    hash: fc.integer({ min: 0, max: 40 }),
    alpha: fc.boolean(),
    tick: fc.integer({ min: -3, max: 3 }),
    usd: fc.integer({ min: 0, max: 6 }),
    raw0: fc.integer({ min: -5, max: 5 }),
    recipient: fc.constantFrom(...recipients),
    second: fc.integer({ min: 0, max: 20 }),
  }),
  { numRuns: 300, seed: 7 },
)

const swaps: Drawn[] = drawn.map(({ hash, alpha, tick, usd, raw0, recipient, second }, i) => ({
  id: `0x${hash.toString(16).padStart(64, '0')}-${i}`,
  pool: alpha ? alphaPool : wrappedPool,
  timestamp: dayStart + second,
  tick,
  amountUSD: usd / 2,
  // ALPHA has 8 decimals, USDC 6.
  amount0: alpha ? raw0 / 100 : raw0,
  recipient,
  feeTier: alpha ? 10_000 : 3_000,
}))

const insertable = swaps.map((each, i): typeof base => ({
  ...base,
  pool: each.pool,
  block_number: i,
  log_index: i,
  tx_hash: `0x${each.id.slice(2, 66)}`,
  timestamp: each.timestamp,
  tick: each.tick,
  amount_usd: `${each.amountUSD * 10}00000000000000000`,
  amount0: `${(drawn[i]?.raw0 ?? 0) * 1_000_000}`,
  recipient: each.recipient,
}))

type Test = { readonly where: object; readonly holds: (swap: Drawn) => boolean }

const numeric = (name: 'timestamp' | 'tick' | 'amountUSD' | 'amount0', values: fc.Arbitrary<number>): fc.Arbitrary<Test> =>
  fc.oneof(
    fc.tuple(fc.constantFrom('', '_not', '_gt', '_lt', '_gte', '_lte'), values).map(([suffix, value]) => ({
      where: { [`${name}${suffix}`]: String(value) },
      holds: (swap: Drawn) => {
        const own = swap[name]
        if (suffix === '_not') return own !== value
        if (suffix === '_gt') return own > value
        if (suffix === '_lt') return own < value
        if (suffix === '_gte') return own >= value
        return suffix === '_lte' ? own <= value : own === value
      },
    })),
    fc.tuple(fc.boolean(), fc.array(values, { maxLength: 4 })).map(([inside, list]) => ({
      where: { [`${name}${inside ? '_in' : '_not_in'}`]: list.map(String) },
      holds: (swap: Drawn) => list.includes(swap[name]) === inside,
    })),
  )

const leaf: fc.Arbitrary<Test> = fc.oneof(
  numeric(
    'timestamp',
    fc.integer({ min: 0, max: 20 }).map((second) => dayStart + second),
  ),
  numeric('tick', fc.integer({ min: -3, max: 3 })),
  numeric(
    'amountUSD',
    fc.integer({ min: 0, max: 6 }).map((half) => half / 2),
  ),
  numeric('amount0', fc.constantFrom(-5, -0.04, 0, 0.03, 1, 2)),
  fc
    .constantFrom(...recipients)
    .map((value) => ({ where: { recipient: value }, holds: (swap: Drawn) => swap.recipient === value })),
  fc.constantFrom('02ff', '3000').map((part) => ({
    where: { recipient_not_contains: part },
    holds: ({ recipient }: Drawn) => !recipient.includes(part),
  })),
  fc.constantFrom(alphaPool, wrappedPool).map((pool) => ({ where: { pool }, holds: (swap: Drawn) => swap.pool === pool })),
  fc.constantFrom('5000', '100').map((fee) => ({
    where: { pool_: { feeTier_gt: fee } },
    holds: ({ feeTier }: Drawn) => feeTier > Number(fee),
  })),
  fc.tuple(fc.constantFrom('_gt', '_lte'), fc.constantFrom(...swaps)).map(([suffix, { id }]) => ({
    where: { [`id${suffix}`]: id },
    holds: (swap: Drawn) => (suffix === '_gt' ? swap.id > id : swap.id <= id),
  })),
)

const tree: fc.Arbitrary<Test> = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(fc.constantFrom('and', 'or'), fc.array(tie('test'), { minLength: 1, maxLength: 3 })).map(([word, parts]) => ({
      where: { [word]: parts.map(({ where }) => where) },
      holds: (swap: Drawn) => (word === 'and' ? parts.every(({ holds }) => holds(swap)) : parts.some(({ holds }) => holds(swap))),
    })),
  ),
})).test

const orders: Readonly<Record<string, (swap: Drawn) => number | string>> = {
  id: ({ id }) => id,
  timestamp: ({ timestamp }) => timestamp,
  tick: ({ tick }) => tick,
  amountUSD: ({ amountUSD }) => amountUSD,
  amount0: ({ amount0 }) => amount0,
  recipient: ({ recipient }) => recipient,
  pool__feeTier: ({ feeTier }) => feeTier,
}

describe.each(engines)('random filters on %s', (engine) => {
  let graph: TestGraph
  beforeAll(async () => {
    const store = await stores.openNew(engine)
    await insertRows(store, { ...rows, swaps: insertable })
    graph = openTestGraph(store)
  })

  const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)

  it('find in the database what they find in memory, in the same order', async () => {
    const query = `query ($where: Swap_filter, $orderBy: Swap_orderBy, $orderDirection: OrderDirection, $first: Int, $skip: Int) {
      swaps(where: $where, orderBy: $orderBy, orderDirection: $orderDirection, first: $first, skip: $skip) { id }
    }`
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.constantFrom(...Object.keys(orders)),
        fc.boolean(),
        fc.constantFrom(5, 1_000),
        fc.constantFrom(0, 3),
        async ({ where, holds }, orderBy, descending, first, skip) => {
          const answer = await graph.ask(query, { where, orderBy, orderDirection: descending ? 'desc' : 'asc', first, skip })
          const key = orders[orderBy] as (swap: Drawn) => number | string
          const sign = descending ? -1 : 1
          const wanted = swaps
            .filter(holds)
            .sort((a, b) => sign * (compare(key(a), key(b)) || compare(a.id, b.id)))
            .slice(skip, skip + first)
          expect(answer['swaps']).toEqual(wanted.map(({ id }) => ({ id })))
        },
      ),
      { numRuns: 300 },
    )
  })
})
