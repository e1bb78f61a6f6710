import { join } from 'node:path'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import { followListFiles } from './followListFiles.ts'
import { followListUrl } from './followListUrl.ts'
import { readKeptList } from './keptUrlList.ts'
import { createLiveList, type LiveList } from './market/liveList.ts'
import type { SourceLog } from './market/pollSource.ts'
import { toTokenList } from './market/tokenList.ts'
import { pause } from './pause.ts'
import { toScope } from './toScope.ts'

const clock = { nowMs: () => Date.now(), pause }

/** The token list of a server. */
export type ServerList = LiveList & {
  /** Begins to take in changes of its files, and of the list of the web. */
  follow(deps: { readonly chain: Pick<Chain, 'readTokens'>; readonly log: SourceLog }): { stop(): Promise<void> }
}

/** The list of the start, and its later ones. An index of listed tokens is of the list of the start: tokens added later are in none of it. */
export function openTokenList(config: Config): ServerList {
  const { onlyTokens } = toScope(config)
  const url = config.network.tokenList?.url
  const keptPath = join(config.dataDir, 'token-list.json')
  const kept = url === undefined ? undefined : readKeptList(keptPath, url)
  const list = createLiveList(config.tokenList, {
    ...{ ...clock, remote: kept && toTokenList(kept.tokens, []).tokens },
    isIndexed: onlyTokens && ((token) => onlyTokens.has(token)),
  })
  const shownDir = join('networks', 'lists', config.networkName)
  return {
    ...list,
    follow: ({ chain, log }) => {
      const files = config.listFiles
      const chainId = config.network.chain.id
      const followers = [
        ...(files ? [followListFiles({ ...clock, files, shownDir, list, log })] : []),
        ...(url === undefined ? [] : [followListUrl({ ...clock, url, chainId, chain, keptPath, kept, list, log })]),
      ]
      return { stop: async () => void (await Promise.all(followers.map((follower) => follower.stop()))) }
    },
  }
}
