import type { Address, Hex } from '@chainboard/core'
import { callMany, type ViewAnswer, type ViewCall } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import type { Pool } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { callAt } from './callAt.ts'
import { failureOfNode } from './failureOfNode.ts'
import { narrowHole } from './narrowHole.ts'
import { nodeOf } from './nodeOf.ts'
import { type AnyEvent, listEventsIn } from './spanEvents.ts'

/** Pools of one look: two calls each, in one multicall. */
const poolsPerLook = 25
const waitFirstMs = 30_000
const waitMaxMs = 3_600_000

export type BalancesDeps = {
  readonly nodes: readonly Chain[]
  readonly store: Store
  readonly multicall: Address
  readonly nowMs: () => number
}

/** What a pool owns of each token beyond what its events brought and took, at a block. */
type Surplus = { readonly block: number; readonly surplus0: bigint; readonly surplus1: bigint }

/** Blocks of a pool in one of which its balances moved without an event. */
export type Movement = { readonly pool: Address; readonly fromBlock: number; readonly toBlock: number; readonly moved: Surplus }

/** `isOpen`: receipts were read once and had nothing; nodes may not have answered, so they are read once more. */
type Wait = { readonly untilMs: number; readonly waitMs: number; readonly isOpen: boolean }

type At = { readonly block: BlockRef; readonly turn: number }

/**
 * Compares what pools own with what their events brought and took: the only figure that a Collect moves. It is no evidence by
 * itself, as gifts, tokens whose balances move by themselves and the protocol's own share move it, too: it says where to read
 * receipts, and where these say nothing it is taken as it is.
 */
export type Balances = {
  /**
   * Compares the next pools. @param pools as the index has them at the block
   * @returns one whose balances moved since they were compared last, and the blocks in which; undefined when none did, or its
   *   turn has not come: one that moved without an event is looked at more and more seldom
   */
  step(pools: readonly Pool[], at: At): Promise<Movement | undefined>
  /** Receipts have no event that the index lacks: the second time it is a gift, or a token of its own kind. */
  accept(movement: Movement): void
  /** The index ends here now. */
  rolledBack(to: number): void
}

/** In memory only: the first comparison of a pool finds nothing. */
export function createBalances({ nodes, store, multicall, nowMs }: BalancesDeps): Balances {
  const known = new Map<Address, Surplus>()
  const waits = new Map<Address, Wait>()
  let last: Address | undefined

  const read = async (pools: readonly Pool[], { block, turn }: At): Promise<Map<Address, Surplus>> => {
    const answers = await callAt(nodeOf(nodes, turn), pools.flatMap(toBalanceCalls), { block, multicall })
    const found = pools.map((pool, i) => [pool.address, toSurplus(pool, block.number, answers.slice(2 * i, 2 * i + 2))] as const)
    return new Map(found.flatMap(([address, surplus]) => (surplus ? [[address, surplus] as const] : [])))
  }

  const locate = async (pool: Pool, before: Surplus, { block, turn }: At): Promise<number | undefined> => {
    const node = nodeOf(nodes, turn)
    return narrowHole({ first: before.block + 1, bad: block.number }, async (number) => {
      const answers = await callMany(node, toBalanceCalls(pool), { multicall, block: number })
      const later = await listEventsIn(store.read, { pool: pool.address, fromBlock: number + 1, toBlock: block.number })
      const surplus = toSurplus(withoutEvents(pool, later), number, answers)
      return surplus && !isSame(surplus, before)
    }).catch((error: unknown) => void failureOfNode(error))
  }

  const run = async (pools: readonly Pool[], at: At): Promise<Movement | undefined> => {
    const picked = pickNext(pools, last)
    // Those that cannot be read keep no others from their turn.
    last = picked.at(-1)?.address
    const found = await read(picked, at)
    for (const pool of picked) {
      const [before, now] = [known.get(pool.address), found.get(pool.address)]
      if (!now) continue
      const hasMoved = before !== undefined && !isSame(before, now)
      const wait = waits.get(pool.address)
      const isWaiting = hasMoved && wait !== undefined && wait.untilMs > nowMs()
      if (!hasMoved || (isWaiting && !wait.isOpen)) known.set(pool.address, now)
      if (!hasMoved || isWaiting) continue
      // Twice, as a node may be of two minds.
      const again = (await read([pool], { ...at, turn: at.turn + 1 })).get(pool.address)
      if (!again || !isSame(again, now)) continue
      const block = await locate(pool, before, at)
      const span = { fromBlock: block ?? before.block + 1, toBlock: block ?? at.block.number }
      return { pool: pool.address, ...span, moved: now }
    }
    return undefined
  }

  return {
    step: (pools, at) => run(pools, at).catch((error: unknown) => void failureOfNode(error)),
    accept({ pool, moved }) {
      const before = waits.get(pool)
      const waitMs = before?.isOpen ? Math.min(waitMaxMs, before.waitMs * 2) : (before?.waitMs ?? waitFirstMs)
      if (before?.isOpen) known.set(pool, moved)
      waits.set(pool, { untilMs: nowMs() + waitMs, waitMs, isOpen: !before?.isOpen })
    },
    rolledBack(to) {
      for (const [pool, before] of known) known.set(pool, { ...before, block: Math.min(before.block, to) })
    },
  }
}

/** The pools after the last one, round and round. */
function pickNext(pools: readonly Pool[], last: Address | undefined): Pool[] {
  const sorted = pools.toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const next = Math.max(
    0,
    sorted.findIndex(({ address }) => last === undefined || address > last),
  )
  return [...sorted.slice(next), ...sorted.slice(0, next)].slice(0, poolsPerLook)
}

/** `balanceOf(pool)` of both tokens. */
export function toBalanceCalls({ address, token0, token1 }: Pick<Pool, 'address' | 'token0' | 'token1'>): ViewCall[] {
  const data: Hex = `0x70a08231${address.slice(2).padStart(64, '0')}`
  return [token0, token1].map((to) => ({ to, data }))
}

/** Undefined of tokens that do not answer. */
function toSurplus({ reserve0, reserve1 }: Reserves, block: number, answers: readonly ViewAnswer[]): Surplus | undefined {
  const [balance0, balance1] = answers
  if (balance0?.length !== 66 || balance1?.length !== 66) return undefined
  return { block, surplus0: BigInt(balance0) - reserve0, surplus1: BigInt(balance1) - reserve1 }
}

type Reserves = Pick<Pool, 'reserve0' | 'reserve1'>

/** What the events before these had brought and taken. */
function withoutEvents(pool: Reserves, events: readonly AnyEvent[]): Reserves {
  let { reserve0, reserve1 } = pool
  for (const event of events) {
    const [moved0, moved1] = movedBy(event)
    reserve0 -= moved0
    reserve1 -= moved1
  }
  return { reserve0, reserve1 }
}

/** What a burn frees stays in the pool until it is collected. */
function movedBy(event: AnyEvent): readonly [bigint, bigint] {
  switch (event.kind) {
    case 'swap':
    case 'mint':
      return [event.amount0, event.amount1]
    case 'collect':
      return [-event.amount0, -event.amount1]
    case 'flash':
      return [event.paid0, event.paid1]
    default:
      return [0n, 0n]
  }
}

function isSame(a: Surplus, b: Surplus): boolean {
  return a.surplus0 === b.surplus0 && a.surplus1 === b.surplus1
}
