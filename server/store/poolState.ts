/** Where a pool stands after an event. `tick` is undefined before Initialize. Reserves count what events moved, in smallest units. */
export type PoolState = {
  readonly sqrtPriceX96: bigint
  readonly tick: number | undefined
  readonly liquidity: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

export const emptyPoolState: PoolState = { sqrtPriceX96: 0n, tick: undefined, liquidity: 0n, reserve0: 0n, reserve1: 0n }

type PoolStateRow = { sqrt_price_x96: string; tick: number | null; liquidity: string; reserve0: string; reserve1: string }

export function fromPoolStateRow(row: PoolStateRow): PoolState {
  return {
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    tick: row.tick ?? undefined,
    liquidity: BigInt(row.liquidity),
    reserve0: BigInt(row.reserve0),
    reserve1: BigInt(row.reserve1),
  }
}

export function toPoolStateRow(state: PoolState): PoolStateRow {
  return {
    sqrt_price_x96: state.sqrtPriceX96.toString(),
    tick: state.tick ?? null,
    liquidity: state.liquidity.toString(),
    reserve0: state.reserve0.toString(),
    reserve1: state.reserve1.toString(),
  }
}
