import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { buildSchema, type GraphQLError, type GraphQLSchema, graphql } from 'graphql'

/** Rows by id, as The Graph shows them: references are ids, BigInt and BigDecimal are strings. */
export type SubgraphEntities = {
  readonly tokens: readonly Entity[]
  readonly pools: readonly Entity[]
  readonly poolHourDatas: readonly Entity[]
  readonly swaps: readonly Entity[]
  readonly transactions: readonly Entity[]
}
export type Entity = { readonly id: string } & Readonly<Record<string, string | number | null>>

export type StandInSubgraph = {
  readonly url: string
  /** The queries that it was asked, first to last. */
  readonly queries: string[]
  head: { number: number; hash: string; timestamp: number | null }
  hasIndexingErrors: boolean
  entities: SubgraphEntities
  /** What it does with the next questions instead of answering them; undefined: it answers. */
  trouble: ((asked: number) => Trouble | undefined) | undefined
  close(): Promise<void>
}

export type Trouble =
  | { readonly kind: 'hang' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | { readonly kind: 'errors'; readonly message: string }

/** `old`: a graph-node and a fork of years ago: no `_meta.block.timestamp`, no `Swap.logIndex`, other texts of errors. */
export type StandInOptions = { readonly dialect?: 'new' | 'old'; readonly path?: string }

const noEntities: SubgraphEntities = { tokens: [], pools: [], poolHourDatas: [], swaps: [], transactions: [] }

/** A Uniswap v3 subgraph on loopback that speaks The Graph's dialect, as far as a source of prices asks. */
export async function startStandInSubgraph({
  dialect = 'new',
  path = '/subgraphs/name/v3',
}: StandInOptions = {}): Promise<StandInSubgraph> {
  const schema = buildSchema(dialect === 'new' ? sdl : sdl.replace(' timestamp: Int }', ' }').replace(' logIndex: BigInt', ''))
  const server = createServer((request, response) => {
    void serve(request, response, standIn, schema)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: StandInSubgraph = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    queries: [],
    head: { number: 1, hash: `0x${'b1'.repeat(32)}`, timestamp: 1_700_000_000 },
    hasIndexingErrors: false,
    entities: noEntities,
    trouble: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return standIn
}

async function serve(request: IncomingMessage, response: ServerResponse, standIn: StandInSubgraph, schema: GraphQLSchema) {
  const { query } = JSON.parse(await text(request)) as { query: string }
  standIn.queries.push(query)
  const trouble = standIn.trouble?.(standIn.queries.length)
  if (trouble?.kind === 'hang') return
  if (trouble?.kind === 'status') {
    response.writeHead(trouble.status, trouble.headers).end(trouble.body)
    return
  }
  const answer = trouble?.kind === 'errors' ? { errors: [{ message: trouble.message }] } : await execute(schema, query, standIn)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

/** As graph-node does: errors come alone, in its own words. */
async function execute(schema: GraphQLSchema, source: string, standIn: StandInSubgraph) {
  const { data, errors } = await graphql({ schema, source, rootValue: createRoot(standIn) })
  return errors ? { errors: errors.map((error) => ({ message: inGraphNodesWords(error) })) } : { data }
}

function inGraphNodesWords({ message }: GraphQLError): string {
  return message.replace(/^Cannot query field "(\w+)" on type "(\w+)".*$/, 'Type `$2` has no field `$1`')
}

type ListArguments = {
  readonly first: number
  readonly where: Readonly<Record<string, unknown>>
  readonly orderBy: string
  readonly orderDirection: 'asc' | 'desc'
  readonly block?: { readonly number: number }
}

function createRoot(standIn: StandInSubgraph) {
  const { entities, head, hasIndexingErrors } = standIn
  const byId = (rows: readonly Entity[]) => new Map(rows.map((row) => [row.id, row]))
  const tokens = byId(entities.tokens)
  const transactions = byId(entities.transactions)
  const join = (pool: Entity | undefined) =>
    pool && { ...pool, token0: tokens.get(`${pool['token0']}`), token1: tokens.get(`${pool['token1']}`) }
  const pools = byId(entities.pools)
  const withPool = (row: Entity) => ({ ...row, pool: join(pools.get(`${row['pool']}`)) })
  const list = (rows: readonly Entity[], show: (row: Entity) => unknown) => (args: ListArguments) =>
    select(rows, args, head.number).map(show)
  return {
    _meta: () => ({ block: head, hasIndexingErrors }),
    pools: list(entities.pools, join),
    poolHourDatas: list(entities.poolHourDatas, withPool),
    swaps: list(entities.swaps, (row) => ({ ...withPool(row), transaction: transactions.get(`${row['transaction']}`) })),
    transactions: list(entities.transactions, (row) => row),
  }
}

function select(
  rows: readonly Entity[],
  { first, where, orderBy, orderDirection, block }: ListArguments,
  headNumber: number,
): Entity[] {
  if (first < 0 || first > 1000) throw new Error(`The \`first\` argument must be between 0 and 1000, but is ${first}`)
  if (block && block.number > headNumber)
    throw new Error(
      `Failed to decode \`block.number\` value: \`subgraph QmStandIn has only indexed up to block number ${headNumber} and data for block number ${block.number} is therefore not yet available\``,
    )
  const sign = orderDirection === 'desc' ? -1 : 1
  return rows
    .filter((row) => Object.entries(where).every(([name, wanted]) => fits(row, name, wanted)))
    .sort((a, b) => sign * (compare(a[orderBy], b[orderBy]) || compare(a.id, b.id)))
    .slice(0, first)
}

function fits(row: Entity, name: string, wanted: unknown): boolean {
  const [, field = '', suffix = ''] = /^(.+?)(?:_(in|gt|gte|lt|lte))?$/.exec(name) ?? []
  const value = row[field]
  if (suffix === 'in') return (wanted as unknown[]).includes(value)
  const order = compare(value, wanted)
  return { '': order === 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[suffix] ?? false
}

/** Ids as texts, numbers by value. */
function compare(a: unknown, b: unknown): number {
  const numeric = [a, b].every((value) => /^-?\d+$/.test(String(value)))
  const [x, y] = numeric ? [BigInt(String(a)), BigInt(String(b))] : [String(a), String(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

const list = (type: string) =>
  `(first: Int = 100, where: ${type}_filter = {}, orderBy: Field = id, orderDirection: OrderDirection = asc, block: Block_height): [${type}!]!`

const sdl = `
  scalar BigInt scalar BigDecimal scalar Bytes
  enum OrderDirection { asc desc }
  enum Field { id timestamp periodStartUnix }
  input Block_height { number: Int }
  input Pool_filter { id_gt: ID, token0_in: [String!], token1_in: [String!] }
  input PoolHourData_filter { id_gt: ID, pool: String, pool_in: [String!], periodStartUnix_gte: Int, periodStartUnix_lte: Int }
  input Swap_filter { id_gt: ID, pool: String, pool_in: [String!], timestamp_gte: BigInt, timestamp_lte: BigInt }
  input Transaction_filter { id_gt: ID }
  type _Block_ { number: Int! hash: Bytes timestamp: Int }
  type _Meta_ { block: _Block_! hasIndexingErrors: Boolean! }
  type Token { id: ID! symbol: String! name: String! decimals: BigInt! }
  type Pool { id: ID! token0: Token! token1: Token! feeTier: BigInt! liquidity: BigInt! sqrtPrice: BigInt! tick: BigInt
    totalValueLockedToken0: BigDecimal! totalValueLockedToken1: BigDecimal! volumeToken0: BigDecimal! txCount: BigInt! createdAtTimestamp: BigInt! }
  type PoolHourData { id: ID! periodStartUnix: Int! pool: Pool! sqrtPrice: BigInt! open: BigDecimal! high: BigDecimal!
    low: BigDecimal! close: BigDecimal! volumeToken0: BigDecimal! volumeToken1: BigDecimal! volumeUSD: BigDecimal! txCount: BigInt! }
  type Transaction { id: ID! blockNumber: BigInt! timestamp: BigInt! }
  type Swap { id: ID! transaction: Transaction! timestamp: BigInt! pool: Pool! sender: Bytes! recipient: Bytes!
    amount0: BigDecimal! amount1: BigDecimal! amountUSD: BigDecimal! sqrtPriceX96: BigInt! tick: BigInt! logIndex: BigInt }
  type Query { _meta: _Meta_ pools${list('Pool')} poolHourDatas${list('PoolHourData')}
    swaps${list('Swap')} transactions${list('Transaction')} }
`
