import { openWorld } from '../indexer/openWorld.ts'
import { sumTickChanges } from '../indexer/storeWorld.ts'
import type { RunningPeriod } from '../indexer/world.ts'
import { findBlock } from '../store/blocks.ts'
import { toExchangePeriodRow } from '../store/exchangePeriods.ts'
import { listPoolEventsAfter } from '../store/poolEvents.ts'
import { toPoolHourRow } from '../store/poolPeriods.ts'
import { toPoolRow } from '../store/pools.ts'
import type { Db } from '../store/store.ts'
import { tickKey } from '../store/ticks.ts'
import { toTokenHourRow } from '../store/tokenPeriods.ts'
import { toTokenRow } from '../store/tokens.ts'
import { type Book, type BookFacts, makeBook } from './book.ts'
import type { Row } from './row.ts'
import { noLonger } from './session.ts'

/** Blocks below the newest that a query may still ask for. */
export const pastBlocksMax = 256

/**
 * Reads the book of a recent block, with the rows that the tables have in a later state by now.
 * @throws GraphRefusal for a block that is too far back, or that the index passed without keeping its hash
 */
export async function readPastBook(db: Db, number: number, newest: Book, facts: BookFacts): Promise<Book> {
  const block = newest.block.number - number > pastBlocksMax ? undefined : await findBlock(db, number)
  if (!block) throw noLonger(number, newest)
  const { world } = await openWorld(db, number, facts.valuation, { isPast: true })
  const [hours, days] = [toPeriodRows(world.hour), toPeriodRows(world.day)]
  const dayStart = world.day.startSeconds
  const endedDays = Number.isFinite(dayStart)
    ? await db.selectFrom('exchange_days').selectAll().where('start', '<', dayStart).execute()
    : []
  const ticks = await readPastTicks(db, number)
  return {
    ...makeBook(facts, {
      block,
      deployment: newest.deployment,
      pools: [...world.pools.values()].map(toPoolRow).sort(byAddress),
      tokens: [...world.tokens.values()].map(toTokenRow).sort(byAddress),
      days: [...endedDays, ...days.exchange],
    }),
    ...(newest.kept && { kept: newest.kept }),
    past: {
      hourStart: world.hour.startSeconds,
      dayStart,
      changedTicks: ticks.map(({ pool, tick }) => tickKey(String(pool), Number(tick))),
      rows: {
        pool_hours: hours.pools,
        pool_days: days.pools,
        token_hours: hours.tokens,
        token_days: days.tokens,
        exchange_days: days.exchange,
        ticks,
      },
    },
  }
}

function byAddress(a: Row, b: Row): number {
  return String(a['address']) < String(b['address']) ? -1 : 1
}

/** The rows of a running hour or day, by the table's subject. */
function toPeriodRows({ pools, tokens, exchange }: RunningPeriod) {
  return {
    pools: [...pools.values()].map(toPoolHourRow),
    tokens: [...tokens.values()].map(toTokenHourRow),
    exchange: exchange ? [toExchangePeriodRow(exchange)] : [],
  }
}

/** Ticks that changed since a block, as they were at it: what came later is taken back. */
async function readPastTicks(db: Db, number: number): Promise<Row[]> {
  const changes = sumTickChanges(await listPoolEventsAfter(db, number), 1n)
  if (changes.size === 0) return []
  const pools = [...new Set([...changes.values()].map(({ pool }) => pool))]
  const rows = await db.selectFrom('ticks').selectAll().where('pool', 'in', pools).where('created_block', '<=', number).execute()
  return rows.flatMap((row) => {
    const change = changes.get(tickKey(row.pool, row.tick))
    if (!change) return []
    const [gross, net] = [BigInt(row.liquidity_gross) - change.gross, BigInt(row.liquidity_net) - change.net]
    return [{ ...row, liquidity_gross: gross.toString(), liquidity_net: net.toString() }]
  })
}
