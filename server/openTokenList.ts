import { join } from 'node:path'
import type { Address } from '@chainboard/core'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import { followListFiles } from './followListFiles.ts'
import { followListUrl } from './followListUrl.ts'
import type { ScopeProgress } from './indexer/keepScope.ts'
import { describeTokens, wantsPool } from './indexer/settleScope.ts'
import { readKeptList } from './keptUrlList.ts'
import { createLiveList, type Hold, type LiveList, type LiveListHolder } from './market/liveList.ts'
import type { SourceLog } from './market/pollSource.ts'
import { type ListedToken, toTokenList } from './market/tokenList.ts'
import { pause } from './pause.ts'
import type { StoredScope } from './store/indexScope.ts'
import { toScope } from './toScope.ts'

const clock = { nowMs: () => Date.now(), pause }

/** The token list of a server. */
export type ServerList = LiveList &
  Pick<LiveListHolder, 'putFeatured'> & {
    /** Tokens that are listed, whether they are shown or not; undefined: the index has the pools of all tokens that there are. */
    wanted(): ReadonlySet<Address> | undefined
    /** What the index has. Before it is known, all that is listed is shown. */
    noteScope(scope: StoredScope | undefined, progress: ScopeProgress | undefined): void
    /** Whether a pool of these tokens belongs to the index as it is now. */
    wantsPool(token0: Address, token1: Address): boolean
    /** Reads the list of the web now. @returns whether there is one */
    reload(): boolean
    /** Begins to take in changes of its files, and of the list of the web. */
    follow(deps: { readonly chain: Pick<Chain, 'readTokens'>; readonly log: SourceLog }): { stop(): Promise<void> }
  }

/**
 * The list of the start, and its later ones. A token that an index of listed tokens lacks is shown at once: with its price as soon as that
 * is right, and with the figures that need all of its pools when these are read and the newest blocks are valued.
 * @param before what another server had listed, of the web, too
 */
export function openTokenList(config: Config, before?: readonly ListedToken[]): ServerList {
  const { onlyTokens, valuation } = toScope(config)
  const quotes = [...new Set([...valuation.stables, valuation.wrappedNative, ...valuation.quotes])]
  const url = config.network.tokenList?.url
  const keptPath = join(config.dataDir, 'token-list.json')
  const kept = url === undefined ? undefined : readKeptList(keptPath, url)
  let scope: StoredScope | undefined
  let askNow: (() => void) | undefined
  const list = createLiveList(config.tokenList, {
    // Another server has led, and knows the list of the web: those of its tokens that are ours anyway are left out of it.
    ...{ ...clock, remote: url === undefined ? undefined : (before ?? (kept && toTokenList(kept.tokens, []).tokens)) },
    holdOf: (token) => (scope ? toHold(scope, token, quotes) : 'all'),
  })
  const shownDir = join('networks', 'lists', config.networkName)
  return {
    ...list,
    wanted: () => onlyTokens && new Set(list.current().tokens.map(({ id }) => id)),
    noteScope: (next, progress) => {
      const isOther = next !== scope && describeShown(next) !== describeShown(scope)
      scope = next
      list.noteIndexed(progress, isOther)
    },
    wantsPool: (token0, token1) => wantsPool({ onlyTokens: scope ? scope.tokens : onlyTokens }, token0, token1),
    reload: () => {
      askNow?.()
      return askNow !== undefined
    },
    follow: ({ chain, log }) => {
      const files = config.listFiles
      const chainId = config.network.chain.id
      const web = url === undefined ? undefined : followListUrl({ ...clock, url, chainId, chain, keptPath, kept, list, log })
      askNow = web?.askNow
      const followers = [...(files ? [followListFiles({ ...clock, files, shownDir, list, log })] : []), ...(web ? [web] : [])]
      return { stop: async () => void (await Promise.all(followers.map((follower) => follower.stop()))) }
    },
  }
}

function describeShown(scope: StoredScope | undefined): string {
  return scope ? [scope.tokens, scope.unvalued, scope.newestValued].map(describeTokens).join(' ') : ''
}

/** The other pools of a token in an index that has all pools of every quote are with tokens that no quote is: they set no price beside a quote. */
function toHold({ tokens, unvalued, newestValued }: StoredScope, token: Address, quotes: readonly Address[]): Hold {
  if (!tokens || (tokens.has(token) && !unvalued.has(token))) return 'all'
  if (newestValued.has(token)) return 'newest'
  return quotes.every((quote) => quote === token || tokens.has(quote)) ? 'quotes' : 'none'
}
