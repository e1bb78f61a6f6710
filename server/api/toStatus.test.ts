import { expect, it } from 'vitest'
import type { FollowStatus } from '../indexer/followChain.ts'
import { toStatus } from './toStatus.ts'

const noon = 1_800_000_000
const block = { number: 500, hash: '0xaa', timestampSeconds: noon - 3 } as const
const live: FollowStatus = {
  cursor: block,
  head: 500,
  headAtSeconds: noon - 3,
  longestGapSeconds: 2,
  contactAtMs: (noon - 1) * 1_000,
  trouble: undefined,
  complete: true,
  faults: 0,
}

/** State, reason and lag of an index that is live but for the given facts. */
function judge(changes: Partial<FollowStatus>) {
  const { state, reason, lagBlocks } = toStatus({ followStatus: () => ({ ...live, ...changes }), nowSeconds: () => noon })
  return [state, reason, lagBlocks]
}
const trouble = (kind: NonNullable<FollowStatus['trouble']>['kind'], text: string) => ({
  trouble: { kind, text, sinceMs: noon * 1_000 },
})

it('live is an index at the head whose newest block is young', () => {
  expect(judge({})).toEqual(['live', null, 0])
  expect(judge({ head: 503 })).toEqual(['live', null, 3])
  expect(judge({ head: 504, headAtSeconds: noon + 8 })).toEqual(['syncing', null, 4])
})

it('live is an index some blocks behind that a quick chain makes within ten seconds', () => {
  expect(judge({ head: 540, headAtSeconds: noon + 7 })).toEqual(['live', null, 40])
  expect(judge({ head: 540, headAtSeconds: noon + 8 })).toEqual(['syncing', null, 40])
})

it('a chain that makes no blocks is stalled: after a minute, or three of its longest gaps', () => {
  expect(judge({ headAtSeconds: noon - 60 })[0]).toBe('live')
  expect(judge({ headAtSeconds: noon - 61 })).toEqual(['stalled', 'The newest block is from 1m ago', 0])
  expect(judge({ headAtSeconds: noon - 300, longestGapSeconds: 100 })[0]).toBe('live')
  expect(judge({ headAtSeconds: noon - 301, longestGapSeconds: 100 })[0]).toBe('stalled')
})

it('without an answer for a quarter of a minute nobody knows how far the chain is', () => {
  const contactAtMs = (noon - 16) * 1_000
  expect(judge({ contactAtMs, head: 900 })).toEqual(['disconnected', 'The node is not responding', null])
  expect(judge({ contactAtMs, ...trouble('node', 'The node did not respond in time') })).toEqual([
    'disconnected',
    'The node did not respond in time',
    null,
  ])
  expect(judge({ contactAtMs: undefined })[1]).toBe('The chain has not responded since the server started')
})

it('what keeps the index from following is named, each by its own word', () => {
  expect(judge(trouble('other-chain', 'The node is on chain 1'))).toEqual(['wrong-chain', 'The node is on chain 1', 0])
  expect(judge(trouble('behind', 'The node is behind'))[0]).toBe('node-behind')
  expect(judge(trouble('disputed', 'A reorg of 100 blocks'))[0]).toBe('disputed')
  expect(judge(trouble('untrue', 'The node returned log 1 twice'))[0]).toBe('unverified')
  expect(judge(trouble('store', 'The disk of the database is full'))[0]).toBe('storage-failing')
  expect(judge(trouble('fault', 'An error in the server'))[0]).toBe('failing')
})

it('a node that tells of new blocks and refuses their logs says why', () => {
  expect(judge({ head: 600, headAtSeconds: noon + 200, ...trouble('node', "The node's rate limit was reached") })).toEqual([
    'syncing',
    "The node's rate limit was reached",
    100,
  ])
})

it('nothing is live while a pool differs from its contract, or an event does not fit', () => {
  const verification = {
    verifiedBlock: 490,
    checkedAtMs: noon * 1_000,
    trouble: undefined,
    suspects: 2,
    wrongBlock: undefined,
    unsure: undefined,
    doubts: [],
    repairs: 0,
    unverifiable: 0,
    quirks: [],
  }
  expect(judge({ verification })[0]).toBe('unverified')
  const doubt = { pool: '0xaa', blockNumber: 480, what: 'price', sinceSeconds: noon } as const
  expect(judge({ verification: { ...verification, suspects: 0, doubts: [doubt] } })[0]).toBe('unverified')
  expect(judge({ verification: { ...verification, suspects: 0, wrongBlock: 480 } }).slice(0, 2)).toEqual([
    'unverified',
    'Block 480 differs from the chain; the index is read again from there',
  ])
  expect(judge({ verification: { ...verification, suspects: 0 } })[0]).toBe('live')
})

it('tells how far the history is read, and how long it takes at this pace', () => {
  const progressOf = (changes: Partial<FollowStatus>) =>
    toStatus({ followStatus: () => ({ ...live, head: 10_100, firstBlock: 100, ...changes }), nowSeconds: () => noon }).progress
  const pace = { blocksPerSecond: 64.4, eventsPerSecond: 12.6 }
  expect(progressOf({ cursor: { ...block, number: 2_600 }, pace })).toEqual({
    phase: 'history',
    percent: 25,
    blocksPerSecond: 64,
    eventsPerSecond: 13,
    secondsLeft: 117,
  })
  expect(progressOf({ cursor: { ...block, number: 10_099 }, pace })?.percent).toBe(99)
  expect(progressOf({ cursor: { ...block, number: 10_101 }, pace })).toBeNull()
  expect(progressOf({ pace: undefined })).toBeNull()
  expect(progressOf({ cursor: undefined, pace })).toBeNull()
  expect(progressOf({ pace: { ...pace, blocksPerSecond: 0 } })).toBeNull()
})
