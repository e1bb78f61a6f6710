import type { ChartRange } from '@chainboard/core'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { Chart } from '../market/readChart.ts'
import type { TokenSwap } from '../market/readSwaps.ts'
import type { DisplayPool } from '../market/source.ts'
import type { Snapshot, TokenMarket } from '../market/takeSnapshot.ts'
import type { TokenBoard } from '../market/tokenBoard.ts'
import type { ListedToken } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFile.ts'

/** What the routes are given: functions of the stages, wired in `main.ts`. */
export type ApiDeps = {
  readonly network: NetworkFile
  readonly domain: string
  readonly highlighted: readonly ListedToken[]
  readonly snapshot: () => Snapshot
  readonly board: () => TokenBoard
  readonly readChart: (market: TokenMarket, range: ChartRange) => Promise<Chart>
  readonly readSwaps: (pool: DisplayPool, limit: number) => Promise<TokenSwap[]>
  readonly followStatus: () => FollowStatus
  readonly forwardRpc: (method: string, params: unknown) => Promise<unknown>
  /** Runs a query that touches the database; throws when it cannot. */
  readonly pingStore: () => Promise<void>
  readonly nowSeconds: () => number
}
