import { join } from 'node:path'
import type { Chain } from './chain/chain.ts'
import { toRecordingChain } from './chain/recorded/recordingChain.ts'
import { createRecordings } from './chain/recorded/recordings.ts'
import type { Config } from './config.ts'
import { explainShortChain } from './explainShortChain.ts'
import { type Follower, type FollowStatus, followChain, type IndexChange, toHistoryReading } from './indexer/followChain.ts'
import { keepScope } from './indexer/keepScope.ts'
import type { SideDeps } from './indexer/sideIndex.ts'
import type { WorldHolder } from './indexer/worldHolder.ts'
import type { SourceLog } from './market/pollSource.ts'
import { toAddress, toFollowing, toMulticall } from './networkFile.ts'
import type { ServerList } from './openTokenList.ts'
import { pause } from './pause.ts'
import { openRecentIndex, type RecentIndex } from './recent/recentIndex.ts'
import type { IndexSwitch } from './store/indexSwitch.ts'
import { openStore } from './store/openStore.ts'
import type { Store } from './store/store.ts'
import { toScope } from './toScope.ts'
import type { Witness } from './witness/witness.ts'

type Parts = {
  readonly chain: Chain
  readonly store: Store
  readonly served: IndexSwitch
  readonly holder: WorldHolder
  readonly witness: Witness | undefined
  readonly log: SourceLog
  /** Whether indexes of the newest blocks answer while the history is read. */
  readonly recentFirst: boolean
  /** What is listed, and what becomes of it. */
  readonly list: Pick<ServerList, 'wanted' | 'noteScope'>
  /** What checks an index of added tokens; absent: whatever the node gives is taken. */
  readonly openSideWitness: SideDeps['openWitness']
  /** After every change of the index that answers. */
  readonly onChange: (change: IndexChange) => void
}

/** Blocks behind the chain's newest one that an idle index may be: on a quick chain they come together. */
const lagMax = 8

/** The index of a server: the one of the whole history, and before it is there those of the newest blocks. */
export type ServerIndex = {
  /** How the index that answers stands to the chain, and what is read beside it. */
  status(): FollowStatus
  /** Whether the whole history is read. */
  isComplete(): boolean
  /** Whether it has nothing to do but to wait for the next block. */
  isIdle(): boolean
  stop(): Promise<void>
}

/** Begins to follow at once: the newest blocks where `recentFirst` says so, else the history. */
export function openIndex(
  config: Config,
  { chain, store, served, holder, witness, log, recentFirst, list, openSideWitness, onChange }: Parts,
): ServerIndex {
  const { network } = config
  const following = {
    ...{
      chain,
      pause,
      log,
      nowMs: () => Date.now(),
      steadyMs: () => performance.now(),
      chainId: network.chain.id,
      scope: toScope(config),
    },
    limits: { startBlock: network.dex.startBlock, ...toFollowing(network) },
  }
  let history: Follower | undefined
  let isStopped = false
  const recent = recentFirst ? openRecent(config, { ...following, main: store, served, onChange }) : undefined

  const keeper = keepScope({
    ...following,
    ...{ main: store, holder, folder: join(config.dataDir, 'added'), openStore: (file: string) => openStore({ file }) },
    ...{ wanted: list.wanted, onScope: list.noteScope, openWitness: openSideWitness },
    isComplete: () => history?.status().complete ?? false,
    onJoined: () => onChange({ caughtUp: true, cursor: history?.status().cursor, rolledBack: false }),
  })
  const followHistory = () => {
    if (isStopped) return
    history = followChain({
      ...following,
      ...{ chain: toRecorded(config, chain, log), store, holder, witness, join: keeper.join },
      onChange: (change) => {
        const answering = recent?.status()
        if (!recent || !answering) onChange(change)
        else if (isAsFar(change, answering)) void recent.retire().then(() => onChange(change))
      },
    })
  }
  if (recent) void recent.settled.then(followHistory)
  else followHistory()

  const explained = explainShortChain(() => joinStatus(history?.status(), recent, served), {
    startBlock: network.dex.startBlock,
    log,
    nowMs: following.nowMs,
  })
  return {
    status: explained.status,
    isComplete: () => history?.status().complete ?? false,
    isIdle: () => {
      const { complete, trouble, cursor, head } = history?.status() ?? nothingYet
      return complete && !trouble && cursor !== undefined && cursor.number >= (head ?? 0) - lagMax
    },
    stop: async () => {
      isStopped = true
      explained.stop()
      await recent?.stop()
      await history?.stop()
      await keeper.stop()
    },
  }
}

/** Of the whole history alone: the small indexes read little, and of fewer contracts. */
function toRecorded({ rpcCache, network }: Config, chain: Chain, log: SourceLog): Chain {
  if (!rpcCache) return chain
  const recordings = createRecordings({ ...rpcCache, log })
  return toRecordingChain(chain, {
    chainId: network.chain.id,
    factory: toAddress(network.dex.factory),
    recordings,
  })
}

/** Whether the whole index holds what the one that answers holds: the head that it has seen may be an old one, or that of a node which is behind. */
function isAsFar({ caughtUp, rolledBack, cursor }: IndexChange, answering: FollowStatus): boolean {
  return (
    caughtUp && !rolledBack && cursor !== undefined && cursor.number >= (answering.cursor?.number ?? Number.POSITIVE_INFINITY)
  )
}

type RecentParts = Omit<Parameters<typeof openRecentIndex>[0], 'search' | 'tokens' | 'folder' | 'openStore'>

function openRecent(config: Config, parts: RecentParts): RecentIndex {
  const { network, tokenList } = config
  const { onlyTokens } = parts.scope
  return openRecentIndex({
    ...parts,
    search: {
      factory: toAddress(network.dex.factory),
      multicall: toMulticall(network),
      wants: (token0, token1) => !onlyTokens || onlyTokens.has(token0) || onlyTokens.has(token1),
    },
    tokens: tokenList.tokens.map(({ id }) => id),
    folder: join(config.dataDir, 'recent'),
    openStore: (file) => openStore({ file }),
  })
}

/** While an index of the newest blocks answers, the status is its own, with how far the reading of the rest is. */
function joinStatus(history: FollowStatus | undefined, recent: RecentIndex | undefined, served: IndexSwitch): FollowStatus {
  const answering = recent?.status()
  if (!recent || (history && !answering)) return history ?? nothingYet
  const reading = recent.reading() ?? (history && toHistoryReading(history))
  return {
    ...(answering ?? nothingYet),
    contactAtMs: Math.max(answering?.contactAtMs ?? 0, history?.contactAtMs ?? 0, recent.contactAtMs() ?? 0) || undefined,
    trouble: answering?.trouble ?? history?.trouble ?? recent.trouble(),
    completeSinceSeconds: served.sinceSeconds(),
    reading,
  }
}

const nothingYet: FollowStatus = {
  ...{ cursor: undefined, head: undefined, headAtSeconds: undefined, longestGapSeconds: undefined, contactAtMs: undefined },
  ...{ trouble: undefined, complete: false, faults: 0 },
}
