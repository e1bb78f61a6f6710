// A Ponder project for the devnet, in Ponder's own idiom: the pools of the factory, a row for every swap, hours and days.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type ProjectFacts = {
  readonly chainId: number
  readonly factory: string
  readonly rpcUrls: readonly string[]
  /** Absent: Ponder's default. */
  readonly pollMs?: number
  /** Absent: PGlite, in the project's folder. */
  readonly databaseUrl?: string
}

const swapEvent =
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)'
const poolCreatedEvent =
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)'

const toConfig = ({ chainId, factory, rpcUrls, pollMs, databaseUrl }: ProjectFacts) => `
import { createConfig, factory } from 'ponder'
import { parseAbi, parseAbiItem } from 'viem'

export default createConfig({
  database: ${JSON.stringify(databaseUrl ? { kind: 'postgres', connectionString: databaseUrl } : { kind: 'pglite' })},
  chains: { devnet: ${JSON.stringify({ id: chainId, rpc: rpcUrls, pollingInterval: pollMs })} },
  contracts: {
    Pool: {
      chain: 'devnet',
      abi: parseAbi(['${swapEvent}']),
      address: factory({
        address: '${factory}',
        event: parseAbiItem('${poolCreatedEvent}'),
        parameter: 'pool',
      }),
      startBlock: 0,
    },
  },
})
`

const schema = `
import { onchainTable, primaryKey } from 'ponder'

export const swap = onchainTable(
  'swap',
  (t) => ({
    block: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    pool: t.hex().notNull(),
    txHash: t.hex().notNull(),
    timestamp: t.integer().notNull(),
    sender: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amount0: t.bigint().notNull(),
    amount1: t.bigint().notNull(),
    sqrtPriceX96: t.bigint().notNull(),
    liquidity: t.bigint().notNull(),
    tick: t.integer().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.block, table.logIndex] }) }),
)

const period = (t) => ({
  pool: t.hex().notNull(),
  start: t.integer().notNull(),
  open: t.bigint().notNull(),
  high: t.bigint().notNull(),
  low: t.bigint().notNull(),
  close: t.bigint().notNull(),
  volume0: t.bigint().notNull(),
  volume1: t.bigint().notNull(),
  swapCount: t.integer().notNull(),
})
const periodKey = (table) => ({ pk: primaryKey({ columns: [table.pool, table.start] }) })

export const poolHour = onchainTable('pool_hour', period, periodKey)
export const poolDay = onchainTable('pool_day', period, periodKey)
`

const indexing = `
import { ponder } from 'ponder:registry'
import { poolDay, poolHour, swap } from 'ponder:schema'

const absolute = (amount) => (amount < 0n ? -amount : amount)
const periods = [[poolHour, 3_600], [poolDay, 86_400]]

ponder.on('Pool:Swap', async ({ event, context }) => {
  const { sender, recipient, amount0, amount1, sqrtPriceX96: price, liquidity, tick } = event.args
  const pool = event.log.address
  const timestamp = Number(event.block.timestamp)
  const [volume0, volume1] = [absolute(amount0), absolute(amount1)]
  await context.db.insert(swap).values({
    block: Number(event.block.number),
    logIndex: event.log.logIndex,
    pool,
    txHash: event.transaction.hash,
    timestamp,
    sender,
    recipient,
    amount0,
    amount1,
    sqrtPriceX96: price,
    liquidity,
    tick,
  })
  for (const [table, seconds] of periods) {
    const start = timestamp - (timestamp % seconds)
    await context.db
      .insert(table)
      .values({ pool, start, open: price, high: price, low: price, close: price, volume0, volume1, swapCount: 1 })
      .onConflictDoUpdate((row) => ({
        high: row.high > price ? row.high : price,
        low: row.low < price ? row.low : price,
        close: price,
        volume0: row.volume0 + volume0,
        volume1: row.volume1 + volume1,
        swapCount: row.swapCount + 1,
      }))
  }
})
`

const api = `
import { Hono } from 'hono'
import { count, desc, eq } from 'ponder'
import { db } from 'ponder:api'
import { poolDay, poolHour, swap } from 'ponder:schema'

const app = new Hono()
const countRows = async (table) => (await db.select({ rows: count() }).from(table))[0].rows

app.get('/rows', async (c) =>
  c.json({ swaps: await countRows(swap), hours: await countRows(poolHour), days: await countRows(poolDay) }),
)
app.get('/price/:pool', async (c) => {
  const rows = await db.select({ close: poolHour.close }).from(poolHour)
    .where(eq(poolHour.pool, c.req.param('pool'))).orderBy(desc(poolHour.start)).limit(1)
  return c.json({ close: String(rows[0]?.close) })
})

export default app
`

/** Writes the project into a folder, with the packages of an installation. */
export function writeProject(folder: string, installedIn: string, facts: ProjectFacts): void {
  const files = {
    'package.json': JSON.stringify({ name: 'bench', private: true, type: 'module' }),
    'ponder.config.ts': toConfig(facts),
    'ponder.schema.ts': schema,
    'src/index.ts': indexing,
    'src/api/index.ts': api,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  symlinkSync(join(installedIn, 'node_modules'), join(folder, 'node_modules'))
}
