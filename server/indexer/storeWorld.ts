import { setImmediate } from 'node:timers/promises'
import { type Address, executableReach, getFrom } from '@chainboard/core'
import { type ExchangePeriod, upsertExchangePeriods } from '../store/exchangePeriods.ts'
import type { FeeProtocolChange } from '../store/feeProtocols.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import { type PoolPeriod, upsertPeriods } from '../store/poolPeriods.ts'
import { deleteSpansUntil, insertSpans, type SpanOfPool } from '../store/poolSpans.ts'
import { type Pool, upsertPools } from '../store/pools.ts'
import type { Tx } from '../store/store.ts'
import { type EventValues, eventKey, type Swap } from '../store/swaps.ts'
import { changeTicks, type TickChange, tickKey } from '../store/ticks.ts'
import { type TokenPeriod, upsertTokenPeriods } from '../store/tokenPeriods.ts'
import { type TokenRow, upsertTokens } from '../store/tokens.ts'
import type { FoundMisfit } from '../witness/createGuard.ts'
import { emptyPeriod, foldBlock, type RunningPeriod, type World } from './world.ts'

/** Rows of hours or of days, by whatever tells them apart. */
type Rows = {
  readonly pools: Map<string, PoolPeriod>
  readonly tokens: Map<string, TokenPeriod>
  readonly exchange: Map<number, ExchangePeriod>
}

/** Rows that events changed, as they are after the last of them. */
export type Changes = {
  readonly values: EventValues
  readonly pools: ReadonlySet<Address>
  readonly tokens: ReadonlySet<Address>
  readonly hours: Rows
  readonly days: Rows
  /** Events that do not fit the events before them. */
  readonly misfits: readonly FoundMisfit[]
}

type Event = Swap | PoolEvent | FeeProtocolChange

/** Folds events into the world and notes what they change. @param events of whole blocks, in the order of the chain */
export function foldAll(world: World, events: readonly Event[]): Changes {
  const fold = createFold(world)
  for (const block of splitIntoBlocks(events)) fold.take(block)
  return fold.changes()
}

/** So many at once, some 3 ms: rows of the range before are on their way to the store, and visitors wait for answers. */
const eventsInTurn = 40

/** The same, while others have their turns. Nobody else may change the world meanwhile. */
export async function foldInTurns(world: World, events: readonly Event[]): Promise<Changes> {
  const fold = createFold(world)
  let left = eventsInTurn
  for (const block of splitIntoBlocks(events)) {
    fold.take(block)
    left -= block.length
    if (left > 0) continue
    await setImmediate()
    left = eventsInTurn
  }
  return fold.changes()
}

/** Takes block after block into the world, and says in the end what they changed. */
function createFold(world: World) {
  const values = new Map<string, bigint>()
  const pools = new Set<Address>()
  const tokens = new Set<Address>()
  const [hours, days] = [createNotes(), createNotes()]
  const misfits: FoundMisfit[] = []
  return {
    take: (block: readonly Event[]): void => {
      for (const { event, usdE18, token0, token1, misfit } of foldBlock(world, block)) {
        if (misfit) misfits.push({ event, what: misfit })
        values.set(eventKey(event), usdE18)
        pools.add(event.pool)
        tokens.add(token0).add(token1)
        hours.note(world.hour, event.pool, [token0, token1])
        days.note(world.day, event.pool, [token0, token1])
      }
    },
    changes: (): Changes => ({ values, pools, tokens, hours: hours.toRows(), days: days.toRows(), misfits }),
  }
}

/** Events in the order of the chain, as one list for each block. */
export function splitIntoBlocks<E extends { readonly blockNumber: number }>(events: readonly E[]): E[][] {
  const blocks: E[][] = []
  for (const event of events) {
    const block = blocks.at(-1)
    if (block?.[0]?.blockNumber === event.blockNumber) block.push(event)
    else blocks.push([event])
  }
  return blocks
}

/** All rows of a running period. */
export function toRows({ startSeconds, pools, tokens, exchange }: RunningPeriod): Rows {
  return { pools, tokens, exchange: new Map(exchange ? [[startSeconds, exchange]] : []) }
}

/** Rows that events changed, by the start of their period: a name for each row is made once, not for each event. */
function createNotes() {
  const periods = new Map<number, RunningPeriod>()
  return {
    note: (period: RunningPeriod, pool: Address, sides: readonly Address[]): void => {
      const { startSeconds } = period
      const noted = periods.get(startSeconds) ?? emptyPeriod(startSeconds)
      periods.set(startSeconds, noted)
      noted.pools.set(pool, getFrom(period.pools, pool))
      for (const token of sides) {
        const row = period.tokens.get(token)
        if (row) noted.tokens.set(token, row)
      }
      noted.exchange = period.exchange
    },
    toRows: (): Rows => {
      const rows: Rows = { pools: new Map(), tokens: new Map(), exchange: new Map() }
      for (const { startSeconds, pools, tokens, exchange } of periods.values()) {
        for (const [pool, row] of pools) rows.pools.set(`${pool}@${startSeconds}`, row)
        for (const [token, row] of tokens) rows.tokens.set(`${token}@${startSeconds}`, row)
        if (exchange) rows.exchange.set(startSeconds, exchange)
      }
      return rows
    },
  }
}

/** Rows of pools, tokens and periods, as they are whatever is folded later. */
export type ChangedRows = Pick<Changes, 'hours' | 'days'> & {
  readonly tokens: readonly TokenRow[]
  readonly pools: readonly Pool[]
}

type Also = { readonly pools: Iterable<Address>; readonly tokens: Iterable<Address> }

/** The rows that changed. @param also pools and tokens to write whether they changed or not */
export function pickChanged(world: World, { changes, also }: { changes: Changes; also: Also }): ChangedRows {
  const { hours, days } = changes
  const pools = new Set([...changes.pools, ...also.pools])
  for (const pool of pools) measureReach(world, pool)
  return {
    tokens: pick(world.tokens, new Set([...changes.tokens, ...also.tokens])),
    pools: pick(world.pools, pools),
    hours,
    days,
  }
}

/** Writes all rows that events changed, in the transaction of their events. @throws Failure of the store */
export async function storeChanges(tx: Tx, { tokens, pools, hours, days }: ChangedRows): Promise<void> {
  await upsertTokens(tx, tokens)
  await upsertPools(tx, pools)
  await storeHours(tx, hours)
  await storeDays(tx, days)
}

/** Inserts or replaces hours of pools, of tokens and of the exchange. @throws Failure of the store */
export async function storeHours(tx: Tx, hours: Rows): Promise<void> {
  await upsertPeriods(tx, 'pool_hours', [...hours.pools.values()])
  await upsertTokenPeriods(tx, 'token_hours', [...hours.tokens.values()])
  await upsertExchangePeriods(tx, 'exchange_hours', [...hours.exchange.values()])
}

/** The same of days. @throws Failure of the store */
export async function storeDays(tx: Tx, days: Rows): Promise<void> {
  await upsertPeriods(tx, 'pool_days', [...days.pools.values()])
  await upsertTokenPeriods(tx, 'token_days', [...days.tokens.values()])
  await upsertExchangePeriods(tx, 'exchange_days', [...days.exchange.values()])
}

/** Of the pools that are written alone: nobody asks for it in between. */
function measureReach({ pools, ticks }: World, address: Address): void {
  const [pool, list] = [pools.get(address), ticks.get(address)]
  if (pool && list) pools.set(address, { ...pool, reach: executableReach(pool, list) })
}

/** Where a range begins and ends; `pools` changed in it. */
type Ended = {
  readonly pools: Iterable<Address>
  readonly first: { readonly timestampSeconds: number }
  readonly last: { readonly timestampSeconds: number }
}

/** Spans of the window that ends with a range. `startSeconds`: where it begins. */
export type WindowRows = { readonly spans: readonly SpanOfPool[]; readonly startSeconds: number }

/** Of the pools that changed, what a price's window still needs at the last block. */
export function pickSpans({ windows, valuation }: World, { pools, first, last }: Ended): WindowRows {
  const startSeconds = last.timestampSeconds - valuation.windowSeconds
  const spans = [...pools].flatMap((pool) => (windows.get(pool)?.spans ?? []).map((span) => ({ ...span, pool })))
  return {
    spans: spans.filter(({ untilSeconds }) => untilSeconds > startSeconds && untilSeconds >= first.timestampSeconds),
    startSeconds,
  }
}

/** Keeps the spans of the window, and none before. */
export async function storeSpans(tx: Tx, { spans, startSeconds }: WindowRows): Promise<void> {
  await insertSpans(tx, spans)
  await deleteSpansUntil(tx, startSeconds)
}

function pick<T>(from: ReadonlyMap<Address, T>, keys: Iterable<Address>): T[] {
  return [...keys].flatMap((key) => from.get(key) ?? [])
}

/** Writes what mints and burns change at their ticks. @param sign -1n takes the events back */
export async function storeTicks(tx: Tx, events: readonly (Swap | PoolEvent)[], sign: 1n | -1n): Promise<void> {
  await changeTicks(tx, [...sumTickChanges(events, sign).values()])
}

/**
 * What mints and burns change at their ticks together, by {@link tickKey}; with the block and time of the first of them.
 * @param changes those of earlier events, which are added to
 */
export function sumTickChanges(
  events: readonly (Swap | PoolEvent)[],
  sign: 1n | -1n,
  changes = new Map<string, TickChange>(),
): Map<string, TickChange> {
  for (const event of events) {
    if ((event.kind !== 'mint' && event.kind !== 'burn') || !event.amount) continue
    const amount = event.kind === 'mint' ? event.amount * sign : -event.amount * sign
    for (const [tick, net] of [
      [event.tickLower, amount],
      [event.tickUpper, -amount],
    ] as const) {
      const { pool, blockNumber, timestampSeconds } = event
      const key = tickKey(pool, tick)
      const before = changes.get(key) ?? { pool, tick, gross: 0n, net: 0n, blockNumber, timestampSeconds }
      changes.set(key, { ...before, gross: before.gross + amount, net: before.net + net })
    }
  }
  return changes
}
