import type { WireProgress, WireStatus } from '@chainboard/contract'
import { formatRelativeTime } from '@chainboard/core'
import { type FollowStatus, type Reading, type Trouble, toHistoryReading } from '../indexer/followChain.ts'
import type { Clock, Following } from './deps.ts'

/** Seconds without an answer from the node after which the data counts as cut off. */
const contactSecondsMax = 15
/** Blocks behind the head that still count as live, and seconds: a quick chain makes more blocks between two looks. */
const liveLag = { blocks: 3, seconds: 10 }
/** A chain stands still when its newest block is older than this, and than three of its longest gaps between blocks. */
const stalledSecondsMin = 60
const gapsUntilStalled = 3

/** How fresh the data is, in the words that the page, `/api/status`, `/readyz` and the metrics share. */
export function toStatus({ followStatus, nowSeconds }: Following & Clock): WireStatus {
  const status = followStatus()
  const { cursor, head, contactAtMs } = status
  const now = nowSeconds()
  const secondsSinceContact = contactAtMs === undefined ? null : Math.max(0, now - contactAtMs / 1000)
  const isConnected = secondsSinceContact !== null && secondsSinceContact <= contactSecondsMax
  const lagBlocks = isConnected && head !== undefined ? Math.max(0, head - (cursor?.number ?? 0)) : null
  return {
    block: cursor?.number ?? null,
    blockTime: cursor?.timestampSeconds ?? null,
    secondsSinceContact,
    lagBlocks,
    ...judge(status, { now, isConnected, lagBlocks }),
    progress: toProgress(status.reading ?? toHistoryReading(status)),
    completeSince: status.completeSinceSeconds ?? null,
    swapsKeptSince: status.kept?.swaps ?? null,
    hoursKeptSince: status.kept?.hours ?? null,
  }
}

function toProgress(reading: Reading | undefined): WireProgress | null {
  if (!reading) return null
  const { phase, read, blocks, pace } = reading
  if (!pace || pace.blocksPerSecond <= 0 || read >= blocks) return null
  return {
    phase,
    percent: Math.floor((100 * read) / blocks),
    blocksPerSecond: Math.round(pace.blocksPerSecond),
    eventsPerSecond: Math.round(pace.eventsPerSecond),
    secondsLeft: Math.ceil((blocks - read) / pace.blocksPerSecond),
  }
}

type Verdict = Pick<WireStatus, 'state' | 'reason'>
type Facts = { readonly now: number; readonly isConnected: boolean; readonly lagBlocks: number | null }

function judge(status: FollowStatus, { now, isConnected, lagBlocks }: Facts): Verdict {
  const { trouble, cursor, contactAtMs } = status
  const state = trouble && troubleStates[trouble.kind]
  if (trouble && state) return { state, reason: trouble.text }
  if (!isConnected) {
    const text = contactAtMs === undefined ? 'The chain has not responded since the server started' : trouble?.text
    return { state: 'disconnected', reason: text ?? 'The node is not responding' }
  }
  if (!cursor || lagBlocks === null || isLate(status, lagBlocks)) return { state: 'syncing', reason: trouble?.text ?? null }
  const doubt = describeDoubt(status)
  if (doubt !== undefined) return { state: 'unverified', reason: doubt }
  const stalled = describeStall(status, now)
  return stalled === undefined ? { state: 'live', reason: null } : { state: 'stalled', reason: stalled }
}

function isLate({ cursor, headAtSeconds }: FollowStatus, lagBlocks: number): boolean {
  if (lagBlocks <= liveLag.blocks) return false
  return cursor === undefined || headAtSeconds === undefined || headAtSeconds - cursor.timestampSeconds > liveLag.seconds
}

/** Of a node that does not answer, the time since the last answer decides. */
const troubleStates: Readonly<Record<Trouble['kind'], WireStatus['state'] | undefined>> = {
  node: undefined,
  untrue: 'unverified',
  'other-chain': 'wrong-chain',
  behind: 'node-behind',
  disputed: 'disputed',
  store: 'storage-failing',
  fault: 'failing',
}

/** Nothing that hangs on what may be wrong is called live. */
function describeDoubt({ verification }: FollowStatus): string | undefined {
  const { suspects = 0, wrongBlock, unsure, doubts = [] } = verification ?? {}
  if (unsure !== undefined) return unsure
  if (wrongBlock !== undefined) return `Block ${wrongBlock} differs from the chain; the index is read again from there`
  if (suspects > 0) return `${suspects} pools differ from their contracts; the server reads their blocks again`
  if (doubts.length > 0) return `${doubts.length} events do not match the state of their pools, and no node has the missing logs`
  return undefined
}

function describeStall({ headAtSeconds, longestGapSeconds = 0 }: FollowStatus, now: number): string | undefined {
  if (headAtSeconds === undefined || now - headAtSeconds <= Math.max(stalledSecondsMin, gapsUntilStalled * longestGapSeconds))
    return undefined
  return `The newest block is from ${formatRelativeTime(headAtSeconds, now)}`
}
