import type { Address } from '@chainboard/core'
import type { Config } from './config.ts'
import type { FollowStatus, IndexChange } from './indexer/followChain.ts'
import { followSupplies } from './indexer/followSupplies.ts'
import { keepRetention } from './indexer/keepRetention.ts'
import { keepRevaluing } from './indexer/keepRevaluing.ts'
import { wantsPool } from './indexer/settleScope.ts'
import type { WorldHolder } from './indexer/worldHolder.ts'
import { createTakingsReader } from './market/sales/protocolTakings.ts'
import { toFollowing, toMulticall } from './networkFile.ts'
import type { Base } from './openBase.ts'
import { openIndex, type ServerIndex } from './openIndex.ts'
import type { Market } from './openMarket.ts'
import { openOrganic } from './openOrganic.ts'
import type { ServerList } from './openTokenList.ts'
import type { Warnings } from './openWarnings.ts'
import { openWitness } from './openWitness.ts'
import { pause } from './pause.ts'
import { findFirstFeeProtocol } from './store/feeProtocols.ts'
import type { IndexSwitch } from './store/indexSwitch.ts'
import { toRevaluing } from './toScope.ts'

type Parts = {
  readonly base: Pick<Base, 'given' | 'chain' | 'store' | 'log'> & { readonly list: ServerList }
  readonly market: Market
  readonly warnings: Warnings
  readonly served: IndexSwitch
  /** After every change of the index that answers. */
  readonly onChange: (change: IndexChange) => void
}

/** What follows the chain: the index with what keeps it right and small, and what is read of tokens beside it. */
export type Following = {
  /** How the index that answers stands to the chain; undefined without an index. */
  status(): FollowStatus | undefined
  stop(): Promise<void>
}

const nowMs = () => performance.now()

/** Begins to follow at once. Of a server without an index only sales are simulated. */
export function openFollowing(config: Config, parts: Parts): Following {
  const { network } = config
  const { base, market, warnings } = parts
  const { given, chain, store, log, list } = base
  const indexes = network.index.pools !== 'none'
  const holder: WorldHolder = { world: undefined }
  const isListed = (token: Address) => list.find(token) !== undefined
  // A given chain is a test's: its events need not be those of real pools.
  const witness = indexes && !given ? openWitness(config, { chain, store, log, isListed, wants: list.wantsPool }) : undefined
  const supplies =
    indexes && !given
      ? followSupplies({ chain, store, multicall: toMulticall(network), onReading: warnings.onReading, log, pause, nowMs })
      : undefined
  if (!given) followSales(config, parts)
  const index = indexes
    ? openIndex(config, {
        ...{ chain, store, served: parts.served, holder, witness, log, list, onChange: parts.onChange },
        openSideWitness: given
          ? undefined
          : (side, scope) => openWitness(config, { chain, store: side, log, isListed, wants: (a, b) => wantsPool(scope, a, b) }),
        // A test chain is read whole in no time, and may start over.
        recentFirst: !given && !toFollowing(network).mayRestart,
      })
    : undefined
  const onDone = () => void market.snapshots.refresh({ urgent: true })
  const revaluing = indexes ? keepRevaluing({ ...toRevaluing(config), store, holder, log, pause, nowMs, onDone }) : undefined
  const retention = index && openRetention(config, base, index)
  const organic = index && openOrganic(config, { chain, store, log, market, list, isComplete: index.isComplete })
  return {
    status: () => index && { ...index.status(), kept: retention?.kept() },
    async stop() {
      await retention?.stop()
      await revaluing?.stop()
      await index?.stop()
      await supplies?.stop()
      await organic?.stop()
      await warnings.stop()
      await witness?.stop()
    },
  }
}

function followSales({ network }: Config, { base: { chain, store, log }, market, warnings }: Parts): void {
  // A subgraph far away is not asked for buyers.
  const listSwaps = network.index.pools === 'none' ? async () => [] : market.history.listNewestSwaps
  const findFirstShare = (pool: Address) => findFirstFeeProtocol(store.read, pool)
  const readTakings = createTakingsReader({ chain, findFirstShare, ...toFollowing(network) })
  warnings.followSales({ chain, snapshot: market.snapshots.current, listSwaps, readTakings, log, pause })
}

function openRetention(config: Config, { store, log }: Parts['base'], { isIdle }: ServerIndex) {
  const { retention, chain } = config.network
  return keepRetention({
    ...toRevaluing(config),
    ...{ store, log, pause, retention, confirmations: chain.confirmations, nowMs, isIdle },
  })
}
