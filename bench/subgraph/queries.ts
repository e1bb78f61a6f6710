import { busyPool } from './fillStore.ts'

/** The databases. */
export type Engine = 'sqlite' | 'postgres'

/** One question, asked in GraphQL and in SQL. */
export type Question = {
  readonly name: string
  readonly graphql: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }
  /** With `$1`, `$2` …; SQLite stores an id for the address of a pool. */
  readonly sql: Readonly<Record<Engine, string>>
  readonly parameters: readonly (string | number)[]
  /** Rows of a right answer. */
  readonly rows: number
}

const weekSeconds = 168 * 3_600
const idOfPool = '(select id from addresses where address = $1)'
const newest = 'order by s.timestamp desc, s.block_number desc, s.log_index desc limit 20'

/** The questions about a store that ends at a time. */
export function listQuestions(endSeconds: number): Question[] {
  const sinceSeconds = endSeconds - (endSeconds % 3_600) - weekSeconds + 3_600
  return [
    {
      name: 'poolHourDatas, 168 hours',
      graphql: {
        query: `query hours($pool: String!, $since: Int!) {
          poolHourDatas(first: 168, orderBy: periodStartUnix, orderDirection: desc, where: { pool: $pool, periodStartUnix_gte: $since }) {
            periodStartUnix token0Price token1Price open high low close liquidity volumeToken0 volumeToken1 volumeUSD tvlUSD txCount
          }
        }`,
        variables: { pool: busyPool, since: sinceSeconds },
      },
      sql: {
        sqlite: `select * from pool_hours where pool = ${idOfPool} and start >= $2 order by start desc limit 168`,
        postgres: 'select * from pool_hours where pool = $1 and start >= $2 order by start desc limit 168',
      },
      parameters: [busyPool, sinceSeconds],
      rows: 168,
    },
    {
      name: 'swaps, the last 20',
      graphql: {
        query: `query swaps($pool: String!) {
          swaps(first: 20, orderBy: timestamp, orderDirection: desc, where: { pool: $pool }) {
            id timestamp amount0 amount1 amountUSD sender recipient sqrtPriceX96 tick logIndex
            transaction { id blockNumber } pool { token0 { id symbol } token1 { id symbol } }
          }
        }`,
        variables: { pool: busyPool },
      },
      sql: {
        sqlite: `select s.*, t0.symbol as symbol0, t1.symbol as symbol1 from swaps s join addresses a on a.id = s.pool
                 join pools p on p.address = a.address join tokens t0 on t0.address = p.token0 join tokens t1 on t1.address = p.token1
                 where s.pool = ${idOfPool} ${newest}`,
        postgres: `select s.*, t0.symbol as symbol0, t1.symbol as symbol1 from swaps s join pools p on p.address = s.pool
                   join tokens t0 on t0.address = p.token0 join tokens t1 on t1.address = p.token1 where s.pool = $1 ${newest}`,
      },
      parameters: [busyPool],
      rows: 20,
    },
  ]
}

/** The heaviest query that the limits allow: swaps with all that they refer to. */
export const heavyQuery = {
  query: `{
    a: swaps(first: 1000, orderBy: timestamp, orderDirection: desc) { ...all }
    b: swaps(first: 1000, skip: 1000, orderBy: timestamp, orderDirection: desc) { ...all }
    c: swaps(first: 1000, skip: 2000, orderBy: timestamp, orderDirection: desc) { ...all }
  }
  fragment all on Swap {
    id timestamp amount0 amount1 amountUSD sender recipient sqrtPriceX96 tick logIndex
    transaction { id blockNumber timestamp } pool { id token0 { id symbol decimals } token1 { id symbol decimals } feeTier tick }
  }`,
}
