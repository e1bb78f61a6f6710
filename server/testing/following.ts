import { decodeCreation, decodePoolEvent, indexedTopics } from '../indexer/decodeLog.ts'
import type { FollowDeps } from '../indexer/followChain.ts'
import { pause } from '../pause.ts'

/** A test that follows a chain must not hide a bug of it: the log's error ends the test. */
export const strictLog: FollowDeps['log'] = {
  info: () => undefined,
  warn: () => undefined,
  error: (facts) => {
    throw (facts as { err?: unknown }).err
  },
}

/** What every follower of a test is given, unless the test is about it. */
export const followingDefaults = {
  pause,
  log: strictLog,
  nowMs: () => Date.now(),
  chainId: 31_337,
} as const

export const limitDefaults = {
  startBlock: 0,
  confirmations: 0,
  pollMs: 50,
  spanMax: 100,
  reorgDepthMax: 64,
  mayRestart: false,
} as const

/** What every witness of a test is given, unless the test is about it. */
export const witnessDefaults = {
  ...{ reorgDepthMax: 64, topics: indexedTopics, decode: decodePoolEvent, decodeCreation, startBlock: 0 },
  ...{ wants: () => true, isListed: () => true },
} as const
