import { join } from 'node:path'
import type { Config } from './config.ts'
import { followListFiles } from './followListFiles.ts'
import { createLiveList, type LiveList } from './market/liveList.ts'
import type { SourceLog } from './market/pollSource.ts'
import { pause } from './pause.ts'
import { toScope } from './toScope.ts'

const clock = { nowMs: () => Date.now(), pause }

/** The token list of a server. */
export type ServerList = LiveList & {
  /** Begins to take in changes of its files. */
  follow(log: SourceLog): { stop(): Promise<void> }
}

/** The list of the start, and its later ones. An index of listed tokens is of the list of the start: tokens added later are in none of it. */
export function openTokenList(config: Config): ServerList {
  const { onlyTokens } = toScope(config)
  const list = createLiveList(config.tokenList, { ...clock, isIndexed: onlyTokens && ((token) => onlyTokens.has(token)) })
  const shownDir = join('networks', 'lists', config.networkName)
  return {
    ...list,
    follow: (log) => {
      const files = config.listFiles
      return files ? followListFiles({ ...clock, files, shownDir, list, log }) : { stop: async () => undefined }
    },
  }
}
