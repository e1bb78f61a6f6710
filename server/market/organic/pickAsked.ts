import { absolute } from '@chainboard/core'
import type { Origin, PositionChange } from '../../store/origins.ts'
import type { Trade } from './foldPositions.ts'
import type { TradedPool } from './readTradedPools.ts'

/** Transactions that a turn asks the node for: of changes of liquidity, and of trades. */
const changesPerTurn = 200
/** Trades among them. */
export const tradesPerTurn = 300

/** A transaction whose origin is to be asked for. */
export type Asked = Omit<Origin, 'origin'>

/**
 * The next transactions to ask about. Pure. Trades by their dollars, the biggest first; changes of liquidity by the volume of
 * their pool, then by their size.
 * @param mayAsk false for what the node did not have a while ago
 */
export function pickAsked(pools: readonly TradedPool[], mayAsk: (txHash: Asked['txHash']) => boolean): Asked[] {
  const isOpen = ({ origin, txHash }: Trade | PositionChange) => origin === undefined && mayAsk(txHash)
  const changes = new Map<string, Asked>()
  for (const pool of pools) {
    const open = pool.changes.filter(isOpen).sort((a, b) => compare(absolute(b.delta), absolute(a.delta)))
    for (const change of open) if (changes.size < changesPerTurn) changes.set(change.txHash, toAsked(change, true))
  }
  const trades = new Map<string, Asked>()
  const open = pools.flatMap((pool) => pool.trades.filter(isOpen))
  for (const trade of open.sort((a, b) => compare(b.usdE18, a.usdE18) || b.timestampSeconds - a.timestampSeconds))
    if (trades.size < tradesPerTurn && !changes.has(trade.txHash)) trades.set(trade.txHash, toAsked(trade, false))
  return [...changes.values(), ...trades.values()]
}

function toAsked({ txHash, timestampSeconds }: Trade | PositionChange, hasLiquidity: boolean): Asked {
  return { txHash, timestampSeconds, hasLiquidity }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
