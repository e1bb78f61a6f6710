import { getIntrospectionQuery } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { attacks } from '../testing/graphAttacks.ts'
import { insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()
let graph: TestGraph

beforeAll(async () => {
  const store = await stores.openNew('sqlite')
  await insertRows(store, rows)
  graph = openTestGraph(store)
})

const errorsOf = async (body: string) => {
  const answer = JSON.parse(await graph.answer(body)) as { data?: unknown; errors?: { message: string; locations?: unknown }[] }
  expect(answer).not.toHaveProperty('data')
  return answer.errors ?? []
}

describe('a query that would cost too much', () => {
  it.each(attacks)('%s is refused', async (_name, body, message) => {
    const [error] = await errorsOf(body)
    expect(error?.message).toContain(message)
    expect(graph.bugs).toEqual([])
  })

  it('is refused by the length of its answer, too, which stays in memory until it is read', async () => {
    const body = JSON.stringify({ query: '{ pools { id token0Price } }' })
    const { length } = await graph.answer(body)
    const store = await stores.openNew('sqlite')
    await insertRows(store, rows)
    expect(await openTestGraph(store, { answerLengthMax: length }).answer(body)).toHaveLength(length)
    expect(JSON.parse(await openTestGraph(store, { answerLengthMax: length - 1 }).answer(body))).toEqual({
      errors: [
        {
          message: `The answer has ${length} characters, more than ${length - 1}: query fewer entities or fields`,
        },
      ],
    })
  })

  it.each(['0x10', '0b11', ' 5 ', '', '.', '1e', 'Infinity'])('a decimal is not written "%s"', async (text) => {
    const [error] = await errorsOf(JSON.stringify({ query: `{ swaps(where: { amountUSD_gt: "${text}" }) { id } }` }))
    expect(error?.message).toContain('BigDecimal')
  })

  it('the usual introspection is none', async () => {
    expect(JSON.parse(await graph.answer(JSON.stringify({ query: getIntrospectionQuery() })))).toHaveProperty(
      'data.__schema.types',
    )
  })

  it('a page of an explorer is none: 500 transactions with all their events, and aliased pools at one block', async () => {
    const transactions = `transactions(first: 500, orderBy: timestamp, orderDirection: desc) {
      id timestamp
      mints { pool { token0 { id symbol } token1 { id symbol } } owner sender origin amount0 amount1 amountUSD }
      swaps { pool { token0 { id symbol } token1 { id symbol } } origin amount0 amount1 amountUSD }
      burns { pool { token0 { id symbol } token1 { id symbol } } owner origin amount0 amount1 amountUSD }
    }`
    const pools = Array.from(
      { length: 100 },
      (_, i) => `p${i}: pool(id: "0xa1") { id feeTier liquidity tick token0Price totalValueLockedUSD volumeUSD }`,
    )
    expect(JSON.parse(await graph.answer(JSON.stringify({ query: `{ ${transactions} ${pools.join(' ')} }` })))).toHaveProperty(
      'data.transactions.0.id',
    )
  })
})

describe('the errors of a query', () => {
  it.each([
    ['{ pairs { id } }', 'Type `Query` has no field `pairs`', [{ line: 1, column: 3 }]],
    ['{ pools { reserve } }', 'Type `Pool` has no field `reserve`', [{ line: 1, column: 11 }]],
    [
      '{ pools(where: { nope: 1 }) { id } }',
      'Invalid value provided for argument `where`: Object({"nope": Int(1)})',
      [{ line: 1, column: 9 }],
    ],
    ['{ pools(orderBy: nope) { id } }', 'Invalid value provided for argument `orderBy`: nope', [{ line: 1, column: 18 }]],
    ['{ pools(first: "5") { id } }', 'Invalid value provided for argument `first`: String("5")', undefined],
    ['{ pool { id } }', 'No value provided for required argument: `id`', [{ line: 1, column: 3 }]],
    ['{ pools(where: { feeTier: "x" }) { id } }', 'Failed to decode `BigInt` value: `x`', [{ line: 1, column: 3 }]],
    ['{ pools(where: { volumeUSD_gt: "x" }) { id } }', 'Failed to decode `BigDecimal` value: `x`', [{ line: 1, column: 3 }]],
    ['{ pools(where: { id: "0xzz" }) { id } }', 'Failed to decode `Bytes` value: `0xzz`', [{ line: 1, column: 3 }]],
    ['{ swaps(where: { timestamp_gt: null }) { id } }', 'Filter not supported by value `null`: `_gt`', [{ line: 1, column: 3 }]],
    [
      '{ swaps(where: { origin: "0x01" }) { id } }',
      'Filtering by `origin` is not supported: it is read from the node on request, not kept in the index',
      [{ line: 1, column: 3 }],
    ],
    [
      '{ pools(where: { swaps_: { tick: 1 } }) { id } }',
      'Filtering by `swaps_` is not supported: query the other type, filtered by this one',
      [{ line: 1, column: 3 }],
    ],
    ['{ swaps(orderBy: origin) { id } }', 'Ordering by `origin` is not supported for type `Swap`', [{ line: 1, column: 3 }]],
    [
      '{ pools(block: { number: 121 }) { id } }',
      'Failed to decode `block.number` value: `subgraph chainboard-9f86d081884c7d659a2feaa0c55ad015 has only indexed up to block number 120 and data for block number 121 is therefore not yet available`',
      [{ line: 1, column: 3 }],
    ],
    [
      '{ pools(block: { number_gte: 121 }) { id } }',
      'Failed to decode `block.number_gte` value: `subgraph chainboard-9f86d081884c7d659a2feaa0c55ad015 has only indexed up to block number 120 and data for block number 121 is therefore not yet available`',
      [{ line: 1, column: 3 }],
    ],
    [
      '{ pools(block: { hash: "0xaa" }) { id } }',
      'Failed to decode `block.hash` value: `no block with that hash found`',
      [{ line: 1, column: 3 }],
    ],
    ['query A { bundles { id } } query B { bundles { id } }', 'Operation name required', undefined],
    ['query ($id: ID!) { pool(id: $id) { id } }', 'No value provided for required variable `id`', [{ line: 1, column: 8 }]],
    ['{ pools { id }', 'Syntax Error: Expected Name, found <EOF>.', [{ line: 1, column: 15 }]],
  ])('%s: %s', async (query, message, locations) => {
    expect(await errorsOf(JSON.stringify({ query }))).toEqual([{ message, ...(locations && { locations }) }])
  })

  it.each([
    ['not json', 'GraphQL server error (client error): The request is not JSON'],
    ['', 'GraphQL server error (client error): The request is not JSON'],
    ['"text"', 'GraphQL server error (client error): The request is not a JSON object'],
    ['{}', 'GraphQL server error (client error): The "query" field is missing in request data'],
    ['{"query": 5}', 'GraphQL server error (client error): The "query" field is not a string'],
    [
      '{"query": "{ bundles { id } }", "variables": [1]}',
      'GraphQL server error (client error): The "variables" field is not an object',
    ],
  ])('a body of %s: %s', async (body, message) => {
    expect(await errorsOf(body)).toEqual([{ message }])
  })

  it('unknown parameters of a request are passed over, as clients send their own', async () => {
    const body = {
      query: '{ bundles { id } }',
      variables: null,
      operationName: null,
      id: 'x',
      extensions: { persistedQuery: {} },
    }
    expect(JSON.parse(await graph.answer(JSON.stringify(body)))).toEqual({ data: { bundles: [{ id: '1' }] } })
  })

  it('the newest block may be asked for by number, by hash, or as at least an older one', async () => {
    const blocks = ['{ number: 120 }', `{ hash: "0x${'B1'.repeat(32)}" }`, '{ number_gte: 7 }', '{}']
    for (const block of blocks)
      expect(await graph.ask(`{ bundles(block: ${block}, subgraphError: allow) { id } }`)).toEqual({ bundles: [{ id: '1' }] })
  })

  it('an error of the database is one sentence to the caller, and whole to the log', async () => {
    const store = await stores.openNew('sqlite')
    await insertRows(store, rows)
    const broken = openTestGraph(store)
    await store.write(async (tx) => tx.schema.alterTable('swaps').renameColumn('log_index', 'gone').execute())
    expect(await broken.errorsOf('{ swaps { id } }')).toEqual(['Store error: the query could not be run'])
    expect(String(broken.bugs[0])).toContain('no such column: ')
  })

  it('an index without a block says so', async () => {
    const empty = openTestGraph(await stores.openNew('sqlite'))
    expect(await empty.errorsOf('{ pools { id } }')).toEqual(['The index holds no block of the chain yet'])
  })

  it('a node that is down fails the queries that need it, and no others', async () => {
    const store = await stores.openNew('sqlite')
    await insertRows(store, rows)
    const { Failure } = await import('@chainboard/core')
    const alone = openTestGraph(store, {
      readTransactions: async () => {
        throw new Failure('rpc-unavailable', 'No node answers')
      },
    })
    expect(await alone.errorsOf('{ swaps { id origin } }')).toEqual(['No node answers'])
    expect(await alone.errorsOf('{ transactions { id gasPrice } }')).toEqual(['No node answers'])
    expect(await alone.errorsOf('{ swaps { id } }')).toEqual([])
  })
})
