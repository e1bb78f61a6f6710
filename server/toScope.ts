import type { Config } from './config.ts'
import { isOfExchange } from './indexer/adoptIndex.ts'
import type { IndexScope } from './indexer/indexScope.ts'
import type { RevalueDeps } from './indexer/revalue.ts'
import { toAddress, toValuation } from './networkFile.ts'
import { findScope, type StoredScope } from './store/indexScope.ts'
import type { Store } from './store/store.ts'
import { findCursor } from './store/syncCursor.ts'

/** What the index of a configuration is built from. */
export function toScope({ network, tokenList }: Pick<Config, 'network' | 'tokenList'>): IndexScope {
  return {
    factory: toAddress(network.dex.factory),
    onlyTokens: network.index.pools === 'listed' ? new Set(tokenList.tokens.map(({ id }) => id)) : undefined,
    valuation: toValuation(network),
  }
}

/** How blocks of that index are valued again. */
export function toRevaluing(config: Pick<Config, 'network' | 'tokenList'>): Pick<RevalueDeps, 'valuation' | 'isOurs'> {
  const scope = toScope(config)
  const { startBlock } = config.network.dex
  return { valuation: scope.valuation, isOurs: (identity) => isOfExchange(identity, scope, { startBlock }) }
}

/** What the stored index holds; undefined before there is one of this configuration's exchange with a block. */
export async function findKnownScope(
  config: Pick<Config, 'network' | 'tokenList'>,
  store: Store,
): Promise<StoredScope | undefined> {
  const cursor = await findCursor(store.read)
  const isOurs = cursor?.block !== undefined && isOfExchange(cursor.identity, toScope(config), config.network.dex)
  return isOurs ? findScope(store.read) : undefined
}
