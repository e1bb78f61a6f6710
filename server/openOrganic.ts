import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import { fromList, type LiveList } from './market/liveList.ts'
import { followOrganic } from './market/organic/followOrganic.ts'
import type { SourceLog } from './market/pollSource.ts'
import { toAddress, toFollowing, toValuation } from './networkFile.ts'
import type { Market } from './openMarket.ts'
import { pause } from './pause.ts'
import type { Store } from './store/store.ts'

type Parts = {
  readonly chain: Chain
  readonly store: Store
  readonly log: SourceLog
  /** Whether the whole history is read. */
  readonly isComplete: () => boolean
  readonly market: Pick<Market, 'setOrganic'>
  /** Of a token whose pools are not all there a part of the volume would be told apart. */
  readonly list: Pick<LiveList, 'complete'>
}

/** What tells organic volume from the rest, out of the index and what the node says of senders. */
export function openOrganic({ network }: Config, { chain, store, log, market, list, isComplete }: Parts) {
  const { stables, wrappedNative, quotes } = toValuation(network)
  return followOrganic({
    chain,
    store,
    log,
    pause,
    nowMs: () => performance.now(),
    listed: fromList(list.complete, ({ tokens }) => new Set(tokens.map(({ id }) => id))),
    periphery: network.dex.periphery?.map(toAddress),
    quotes: [...new Set([...stables, wrappedNative, ...quotes])],
    spanMax: toFollowing(network).spanMax,
    isComplete,
    onReading: market.setOrganic,
  })
}
