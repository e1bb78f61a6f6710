// A recording as blocks: which prices the main pool goes to, and when. Pure.
import { sqrtPriceX96AtTick } from '@chainboard/core'
import type { PlannedBlock } from '../generate.ts'
import type { Trade } from '../market.ts'
import type { RecordedMinute } from './parseRecording.ts'

const minute = 60
const hour = 3_600
/** The main pool's place in `pools`. */
const mainPool = 0
/** Whole hours before now that are traded minute by minute. */
const fineHours = 26
/** Its traders are others than the made-up market's. */
const firstTrader = 1_000
const traderCount = 97
/**
 * What there-and-back trades sell, in turn: so little of the native coin that the main pool, standing at the lower edge of a
 * tick, does not leave it.
 */
const tripsRaw = [31n, 50n, 18n, 60n, 25n].map((thousandths) => thousandths * 10n ** 15n)

/** Seconds to add to every row so that the last one's minute is the current one. */
export function shiftToNow(rows: readonly RecordedMinute[], nowSeconds: number): number {
  return Math.floor(nowSeconds / minute) * minute - (rows.at(-1)?.seconds ?? 0)
}

/** The same rows, all later or earlier. */
export function shiftRows(rows: readonly RecordedMinute[], shiftSeconds: number): RecordedMinute[] {
  return rows.map((row) => ({ ...row, seconds: row.seconds + shiftSeconds }))
}

/** The pool price that stands for a tick: just inside it, so that it is reached as this tick from above as well as from below. */
export function priceOfTick(tick: number): bigint {
  return sqrtPriceX96AtTick(tick) + 1n
}

/** US dollars per native coin at a time: of the last row begun by then, before the first its opening. */
export function usdAt(rows: readonly RecordedMinute[], seconds: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.seconds ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  const tick = low > 0 ? rows[low - 1]?.closeTick : rows[0]?.openTick
  return 1e12 / 1.0001 ** (tick ?? 0)
}

/**
 * Blocks for already shifted rows, from `startSeconds` on: one an hour at its last row, then one for each row of the last hours.
 * A block never reaches over a full hour. In each hour the pool touches the recorded highest and lowest tick, in the order
 * they came, and ends at the close of the hour's last row; hours without rows have only the other pools' trades.
 */
export function planReplay(rows: readonly RecordedMinute[], startSeconds: number, nowSeconds: number): PlannedBlock[] {
  const fineStart = Math.floor(nowSeconds / hour - fineHours) * hour
  const hours = Map.groupBy(rows, (row) => Math.floor(row.seconds / hour) * hour)
  const path = createPath()
  const blocks: PlannedBlock[] = []
  for (let from = Math.ceil(startSeconds / hour) * hour; from <= nowSeconds; from += hour) {
    const own = hours.get(from) ?? []
    const last = own.at(-1)
    if (from >= fineStart)
      blocks.push(...own.map((row) => ({ seconds: row.seconds, pace: 'minute' as const, trades: path(minuteTicks(row)) })))
    else if (last) blocks.push({ seconds: last.seconds, pace: 'hour', trades: path(hourTicks(own)) })
    else blocks.push({ seconds: from + hour / 2, pace: 'hour' })
  }
  return blocks
}

/** A small sale of the native coin and back to the very price, for times in which the price stands still. */
export function takeMainTrip(place: number): Trade {
  const amountRaw = tripsRaw[place % tripsRaw.length] ?? 0n
  return { kind: 'thereAndBack', pool: mainPool, trader: toTrader(place), sellsToken0: false, amountRaw }
}

/** Turns the ticks to touch into trades. Where the pool stands at the first one already, a trade from there and back touches it. */
function createPath(): (ticks: readonly number[]) => Trade[] {
  let at: number | undefined
  let place = 0
  return (ticks) => {
    const trades: Trade[] = ticks[0] === at ? [takeMainTrip(place++)] : []
    for (const tick of ticks) {
      if (tick === at) continue
      at = tick
      trades.push({ kind: 'to', pool: mainPool, trader: toTrader(place++), sqrtPriceX96: priceOfTick(tick) })
    }
    return trades
  }
}

function toTrader(place: number): number {
  return firstTrader + (place % traderCount)
}

function minuteTicks({ openTick, highestTick, lowestTick, closeTick }: RecordedMinute): number[] {
  return closeTick >= openTick ? [lowestTick, highestTick, closeTick] : [highestTick, lowestTick, closeTick]
}

function hourTicks(rows: readonly RecordedMinute[]): number[] {
  const highestTick = Math.max(...rows.map((row) => row.highestTick))
  const lowestTick = Math.min(...rows.map((row) => row.lowestTick))
  const highest = rows.findIndex((row) => row.highestTick === highestTick)
  const lowest = rows.findIndex((row) => row.lowestTick === lowestTick)
  const openTick = rows[0]?.openTick ?? 0
  const closeTick = rows.at(-1)?.closeTick ?? 0
  if (highest === lowest) return minuteTicks({ seconds: 0, openTick, highestTick, lowestTick, closeTick })
  return highest < lowest ? [highestTick, lowestTick, closeTick] : [lowestTick, highestTick, closeTick]
}
