import { type Address, Failure, startOfDay, startOfHour } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { invalid } from '../chain/parseAnswer.ts'
import { setIndexAside } from '../store/asideIndexes.ts'
import { deleteBlocksAfter, listBlocksDown } from '../store/blocks.ts'
import { deleteExchangePeriodsFrom } from '../store/exchangePeriods.ts'
import { deleteFeeProtocolsAfter } from '../store/feeProtocols.ts'
import { putScope } from '../store/indexScope.ts'
import { deleteOldDollarsAfter, findAsked, listOldDollars } from '../store/oldDollars.ts'
import { deleteChecksAfter } from '../store/poolChecks.ts'
import { deletePoolEventsAfter, listPoolEventsAfter } from '../store/poolEvents.ts'
import { deletePeriodsFrom, deletePeriodsOf } from '../store/poolPeriods.ts'
import { deleteSpans } from '../store/poolSpans.ts'
import { deletePoolsCreatedAfter, listPoolAddresses, listPoolsCreatedIn } from '../store/pools.ts'
import type { Store, Tx } from '../store/store.ts'
import { deleteSwapsAfter, listPoolsTradedAfter } from '../store/swaps.ts'
import { type BlockRef, findCursor, lockCursor, setCursor } from '../store/syncCursor.ts'
import { deleteTicksCreatedAfter } from '../store/ticks.ts'
import { deleteTokenPeriodsFrom, deleteTokenPeriodsOf } from '../store/tokenPeriods.ts'
import { deleteTokensWithoutPool } from '../store/tokens.ts'
import type { IndexScope } from './indexScope.ts'
import { openWorld } from './openWorld.ts'
import { toStoredScope } from './settleScope.ts'
import { pickChanged, pickSpans, storeChanges, storeSpans, storeTicks, toRows } from './storeWorld.ts'
import type { RunningPeriod, World } from './world.ts'
import { forgetWorld, type WorldHolder } from './worldHolder.ts'

type Deps = {
  readonly store: Store
  readonly identity: string
  readonly scope: IndexScope
  readonly holder: WorldHolder
  readonly nowMs: () => number
}

/** References compared with the chain before looking further down. */
const comparedAtOnce = 16

/**
 * Where the chain leaves the index: `ancestor` is the newest block they share, undefined when they share none. `depth` is how
 * many blocks the index loses with it: more than the reorg's where references are thin, which is below the confirmations.
 */
export type Fork = {
  readonly ancestor: BlockRef | undefined
  readonly depth: number
  /** The lowest block known to be another one on the chain, as the chain has it; undefined for a chain that was only cut. */
  readonly other: Header | undefined
  /** Asks the node last for a while that has the branch; absent where there is one node. */
  readonly distrust?: (() => void) | undefined
}

type ForkOptions = {
  /** The chain may have been cut: blocks that the node does not have are gone. */
  readonly mayRestart: boolean
  /** Asks the node last that told of the fork; absent where there is one node. */
  readonly distrustForked?: (() => void) | undefined
}

/**
 * Looks for the newest block that the index shares with the chain.
 * @throws Failure `rpc-behind` when the node does not have the blocks to tell: a block it does not know is no other block;
 * `rpc-invalid` when it gives two hashes of the block at which it differs, or differs at none
 */
export async function findFork(chain: Chain, store: Store, { mayRestart, distrustForked }: ForkOptions): Promise<Fork> {
  const head = await chain.readHead()
  const [newest] = await listBlocksDown(store.read, Number.MAX_SAFE_INTEGER, 1)
  if (!newest) return { ancestor: undefined, depth: 0, other: undefined }
  let other: Fork['other']
  let below = head.number
  for (;;) {
    const refs = await listBlocksDown(store.read, below, comparedAtOnce)
    const headers = await Promise.all(refs.map(({ number }) => chain.readHeader(number)))
    const unknown = refs.find((_, i) => !headers[i])
    if (unknown) {
      // Its head is above that one.
      chain.putLast?.()
      throw behind(`The node does not have block ${unknown.number}`)
    }
    const shared = refs.findIndex(({ hash }, i) => headers[i]?.hash === hash)
    other = headers.slice(0, shared === -1 ? undefined : shared).at(-1) ?? other
    const lowest = refs.at(-1)
    if (shared === -1 && lowest) {
      below = lowest.number - 1
      continue
    }
    if (!other && isOffBranch(head, newest)) other = head
    if (!other && head.number >= newest.number) {
      distrustForked?.()
      throw invalid(`The node has block ${newest.number} of the index, but its newer blocks do not build on it`)
    }
    if (!other && !mayRestart) throw behind(`The node ends at block ${head.number}, before the index`)
    if (other) await confirm(chain, other)
    const ancestor = refs[shared]
    return { ancestor, depth: newest.number - (ancestor?.number ?? -1), other, distrust: (other ?? head).distrust }
  }
}

/** Whether a block is on another branch than a later one, as it was made after it. */
export function isOffBranch(block: BlockRef, later: BlockRef): boolean {
  return block.number < later.number && block.timestampSeconds > later.timestampSeconds
}

/** One garbled answer must not take anything back. */
async function confirm(chain: Chain, { number, hash }: NonNullable<Fork['other']>): Promise<void> {
  const again = (await chain.readHeader(number))?.hash
  if (again === hash) return
  chain.putLast?.()
  throw invalid(`The node first returned block ${number} as ${hash}, then as ${again ?? 'none'}`, { block: number })
}

function behind(text: string): Failure {
  return new Failure('rpc-behind', text, { retryable: true })
}

/** Takes the index back to `ancestor`. Without one nothing of it is the chain's, and it is set aside. @returns its number then */
export async function rollBack(deps: Deps, ancestor: BlockRef | undefined): Promise<number | undefined> {
  const { store, identity, scope, holder, nowMs } = deps
  forgetWorld(holder)
  if (!ancestor)
    return store.write(async (tx) => {
      // Before any row, as the work does that values blocks again.
      await lockCursor(tx)
      holder.past = undefined
      const number = await setIndexAside(store, tx, Math.floor(nowMs() / 1000))
      await setCursor(tx, { identity, block: undefined })
      await putScope(tx, toStoredScope(scope))
      return number
    })
  for (;;) {
    // Worked out before anything is locked: it takes many times as long as the writing, and others write meanwhile.
    const plan = await store.readConsistently((tx) => planRemoval(tx, ancestor, deps.scope))
    const isDone = await store.write(async (tx) => {
      await lockCursor(tx)
      // Blocks came, went or were valued again since.
      if ((await readMark(tx)) !== plan.mark) return false
      holder.past = undefined
      await removeAfter(tx, ancestor, plan)
      await setCursor(tx, { identity, block: ancestor })
      return true
    })
    if (!isDone) continue
    holder.world = plan.world
    return undefined
  }
}

/** What is left after a removal. `touched`: what had changed with what is removed. `mark`: of the index that it is true for. */
type Removal = { readonly world: World; readonly touched: Touched; readonly mark: string }

type Touched = { readonly pools: readonly Address[]; readonly tokens: readonly Address[] }

async function planRemoval(tx: Tx, { number }: BlockRef, { valuation }: IndexScope): Promise<Removal> {
  const events = await listPoolEventsAfter(tx, number)
  const pools = new Set([...events.map(({ pool }) => pool), ...(await listPoolsTradedAfter(tx, number))])
  const { world } = await openWorld(tx, number, valuation, { isPast: true })
  // Pools that go with the blocks changed tokens, too.
  const gone = await listPoolsCreatedIn(tx, number, Number.MAX_SAFE_INTEGER)
  const sides = [...[...pools].flatMap((pool) => world.pools.get(pool) ?? []), ...gone]
  const tokens = new Set(sides.flatMap(({ token0, token1 }) => [token0, token1]))
  const asked = await findAsked(tx)
  // All blocks that are left are valued again, but the totals of pools were to be written after the last one, which goes.
  if (asked !== undefined && asked.fromBlock > number) {
    for (const pool of world.pools.keys()) pools.add(pool)
    for (const token of world.tokens.keys()) tokens.add(token)
  }
  const touched = { pools: [...pools], tokens: [...tokens] }
  return { world, touched, mark: await readMark(tx) }
}

/** Another one after every change of the index's rows: who changes them moves the cursor, adds pools, or moves what is left to value again. */
async function readMark(tx: Tx): Promise<string> {
  return JSON.stringify([await findCursor(tx), await listOldDollars(tx), (await listPoolAddresses(tx)).length])
}

/** Removes what came after the block, and writes what that had changed as it was. All else in the running hour and day is as it was. */
async function removeAfter(tx: Tx, ancestor: BlockRef, { world, touched }: Removal): Promise<void> {
  const { number } = ancestor
  await storeTicks(tx, await listPoolEventsAfter(tx, number), -1n)
  await deleteTicksCreatedAfter(tx, number)
  await deleteSwapsAfter(tx, number)
  await deletePoolEventsAfter(tx, number)
  await deleteFeeProtocolsAfter(tx, number)
  await deleteChecksAfter(tx, number)
  await deleteOldDollarsAfter(tx, number)
  await deletePoolsCreatedAfter(tx, number)
  await deleteTokensWithoutPool(tx)
  await deleteBlocksAfter(tx, number)
  const { hour, day } = world
  await deletePeriods(tx, 'hours', hour, { touched, ownSeconds: startOfHour(ancestor.timestampSeconds) })
  await deletePeriods(tx, 'days', day, { touched, ownSeconds: startOfDay(ancestor.timestampSeconds) })
  const [hours, days] = [ofTouched(hour, touched), ofTouched(day, touched)]
  const changes = { values: new Map(), pools: new Set<Address>(), tokens: new Set<Address>(), hours, days, misfits: [] }
  await storeChanges(tx, pickChanged(world, { changes, also: touched }))
  await deleteSpans(tx)
  await storeSpans(tx, pickSpans(world, { pools: world.windows.keys(), first: { timestampSeconds: 0 }, last: ancestor }))
}

type Removed = { readonly touched: Touched; readonly ownSeconds: number }

/**
 * Deletes the periods that began after the running one, and of that what may have no event any more.
 * @param ownSeconds when the block's own period began: without any event until the block, the first period of events is not before it
 */
async function deletePeriods(
  tx: Tx,
  kind: 'hours' | 'days',
  { startSeconds }: RunningPeriod,
  { touched, ownSeconds }: Removed,
): Promise<void> {
  const hasBegun = startSeconds >= 0
  const fromSeconds = hasBegun ? startSeconds + 1 : ownSeconds
  await deletePeriodsFrom(tx, `pool_${kind}`, fromSeconds)
  await deleteTokenPeriodsFrom(tx, `token_${kind}`, fromSeconds)
  await deleteExchangePeriodsFrom(tx, `exchange_${kind}`, fromSeconds)
  if (!hasBegun) return
  await deletePeriodsOf(tx, `pool_${kind}`, { startSeconds, pools: touched.pools })
  await deleteTokenPeriodsOf(tx, `token_${kind}`, { startSeconds, tokens: touched.tokens })
}

function ofTouched(period: RunningPeriod, { pools, tokens }: Touched): ReturnType<typeof toRows> {
  const rows = toRows(period)
  const pick = <T>(from: ReadonlyMap<string, T>, keys: readonly string[]) =>
    new Map(
      keys.flatMap((key) => {
        const row = from.get(key)
        return row === undefined ? [] : [[key, row] as const]
      }),
    )
  return { ...rows, pools: pick(rows.pools, pools), tokens: pick(rows.tokens, tokens) }
}
