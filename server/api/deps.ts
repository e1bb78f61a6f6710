import type { Accounts } from '../accounts/createAccounts.ts'
import type { Boosts } from '../boosts/boosts.ts'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { Keys } from '../keys/createKeys.ts'
import type { KeyGate } from '../keys/keyGate.ts'
import type { CmcWords } from '../market/cmc/cmcWords.ts'
import type { History } from '../market/keepHistory.ts'
import type { ListStatus } from '../market/liveList.ts'
import type { KeptSource } from '../market/pollSource.ts'
import type { Snapshot } from '../market/takeSnapshot.ts'
import type { TokenBoard } from '../market/tokenBoard.ts'
import type { ListedToken } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFile.ts'
import type { Portfolio } from '../portfolio/createPortfolio.ts'
import type { Receipts } from './receiptRoute.ts'
import type { SubgraphRouteDeps } from './subgraphRoute.ts'
import type { IndexMove } from './v1/stream/priceFeed.ts'

/** What the routes are given: functions of the stages, wired in `main.ts`. */
export type ApiDeps = {
  readonly network: NetworkFile
  readonly networkName: string
  readonly domain: string
  /** Where people reach the site: `https://board.example`. */
  readonly origin: string
  /** The same where `PUBLIC_URL` says so: no other one is the site's then. */
  readonly publicOrigin: string | undefined
  readonly accounts: Accounts
  /** The featured tokens. */
  readonly highlighted: () => readonly ListedToken[]
  /** What became of the newest token list. */
  readonly listStatus: () => ListStatus
  readonly snapshot: () => Snapshot
  readonly board: () => TokenBoard
  /** Calls `listener` after every new snapshot. @returns ends that */
  readonly watchSnapshots: (listener: () => void) => () => void
  /** Calls `listener` at every move of the index, before the snapshot that follows from it. @returns ends that */
  readonly watchIndex: (listener: (move: IndexMove) => void) => () => void
  readonly readChart: History['readChart']
  readonly readSwaps: History['readSwaps']
  readonly followStatus: () => FollowStatus
  /** What is kept of each source of prices in use. */
  readonly sources: () => readonly KeptSource[]
  /** Credits of the UTC month that CoinMarketCap was asked for; undefined when it is not asked. */
  readonly creditsSpent: () => number | undefined
  readonly answerCmcListed: (slug: string) => CmcWords
  readonly answerCmcDex: (pool: string, network: string) => CmcWords
  /** What answers the body of a GraphQL request. @param client whose share of the thread it takes */
  readonly answerGraph: SubgraphRouteDeps['answerGraph']
  readonly receipts: Receipts
  readonly boosts: Boosts
  readonly portfolio: Portfolio
  /** Who may ask the price API how often. */
  readonly keyGate: KeyGate
  readonly keys: Keys
  readonly forwardRpc: (method: string, params: unknown) => Promise<unknown>
  /** Runs a query that touches the database; throws when it cannot. */
  readonly pingStore: () => Promise<void>
  readonly nowSeconds: () => number
}
