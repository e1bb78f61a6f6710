import type { Address } from '@chainboard/core'
import { Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import {
  type Doubt,
  deleteDoubtsOf,
  insertDoubts,
  listDoubts,
  listPoolChecks,
  type PoolCheck,
  upsertPoolChecks,
} from '../store/poolChecks.ts'
import type { Pool } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { comparePool, type Difference } from './comparePool.ts'
import { type BloomAlarm, createBloomAlarm } from './createBloomAlarm.ts'
import { createGuard, type Guard } from './createGuard.ts'
import { createStrangers, type Stranger, type StrangerDeps } from './createStrangers.ts'
import { findHole, type HoleDeps, type Span } from './findHole.ts'
import { pickPools } from './pickPools.ts'
import { readPoolStates } from './readPoolStates.ts'

/** Pools in one look: four calls each, in one multicall. */
const poolsPerLook = 100
const lookEveryMs = 10_000
/** Blocks the index may be behind the chain when it looks: ordinary nodes keep the state of about 128. */
const behindMax = 32
const searchFirstMs = 30_000
const searchMaxMs = 3_600_000
/** How often one block is read again because of what was found there. */
const repairsOfBlockMax = 3
const doubtsShown = 100

export type WitnessDeps = Omit<HoleDeps, 'read'> &
  StrangerDeps & {
    readonly store: Store
    readonly multicall: Address
    readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void }
    /** Any node's answer to a call. */
    readonly forward: Chain['forward']
    /** Asks a node last for a while, by its place in `nodes`. */
    readonly distrust?: ((place: number) => void) | undefined
    /** Unix milliseconds. */
    readonly nowMs: () => number
  }

/** How far the index was compared with the contracts it follows. */
export type Verification = {
  /** Up to here every opened pool agreed with its contract; undefined until all were compared. */
  readonly verifiedBlock: number | undefined
  /** Unix milliseconds of the last comparison that succeeded. */
  readonly checkedAtMs: number | undefined
  /** Why the last comparison did not: the node's words. Undefined when it did. */
  readonly trouble: string | undefined
  /** Pools that differed from their contracts at the last comparison, and are to be read again. */
  readonly suspects: number
  /** What does not fit and could not be repaired, oldest first, the first 100. */
  readonly doubts: readonly Doubt[]
  /** Times that a part of the index was read again since the start. */
  readonly repairs: number
  /** Pools whose fee growth is not worked out: rules of their own, or indexed by an older version. */
  readonly unverifiable: number
  /** Checks that mean nothing on this chain and were switched off. */
  readonly quirks: readonly string[]
}

/** The index as it is after its last block. */
export type Standing = { readonly block: BlockRef; readonly head: number; readonly pools: ReadonlyMap<Address, Pool> }

export type Witness = {
  readonly guard: Guard
  readonly blooms: BloomAlarm
  /** Contracts that emit events of a pool and are none of the index. */
  meet(strangers: readonly Stranger[]): void
  status(): Verification
  /**
   * Compares some pools with their contracts, in the background and at its own pace; may be called as often as one likes.
   * @returns a block that an earlier comparison found to be wrong in the index: it wants to be read again from there
   */
  look(standing: Standing): number | undefined
  /** Looks for what is wrong in the index before an event that does not fit. @returns the first wrong block */
  search(pool: Address, toBlock: number): Promise<number | undefined>
  /** Counts a repair. */
  repaired(block: number): void
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

/** Checks the index against its nodes. Failures of nodes are no doubts: the next look asks another one. */
export function createWitness(deps: WitnessDeps): Witness {
  const { nodes, store, log, nowMs } = deps
  const hole: HoleDeps = { ...deps, read: store.read }
  const strangers = createStrangers(deps)
  const blooms = createBloomAlarm(deps.forward, deps.topics)
  const checks = new Map<Address, PoolCheck>()
  const retryAt = new Map<Address, { atMs: number; waitMs: number }>()
  const repairsOf = new Map<number, number>()
  const suspects = new Set<Address>()
  let state: Verification = {
    verifiedBlock: undefined,
    checkedAtMs: undefined,
    trouble: undefined,
    suspects: 0,
    doubts: [],
    repairs: 0,
    unverifiable: 0,
    quirks: [],
  }
  let [turn, nextLookMs, isLoaded, hasStopped] = [0, 0, false, false]
  let found: number | undefined
  let running: Promise<void> | undefined

  const load = async () => {
    if (isLoaded) return
    for (const check of await listPoolChecks(store.read)) checks.set(check.pool, check)
    isLoaded = true
  }

  const run = async ({ block, pools }: Standing) => {
    await load()
    forget(checks, block.number)
    const picked = pickPools([...pools.values()], checks, poolsPerLook)
    const differences = await compare(picked, block)
    if (hasStopped) return
    for (const pool of differences.agreed) suspects.delete(pool)
    for (const pool of differences.differ.keys()) suspects.add(pool)
    state = { ...state, suspects: suspects.size }
    const agreed = picked.filter(({ address }) => differences.agreed.has(address)).map(({ address }) => address)
    const news = agreed.map((pool) => ({ pool, blockNumber: block.number, atSeconds: Math.floor(nowMs() / 1000) }))
    for (const check of news) checks.set(check.pool, check)
    const settled = agreed.filter((pool) => pools.get(pool)?.feeGrowth0 !== undefined)
    await store.write(async (tx) => {
      await upsertPoolChecks(tx, news)
      await deleteDoubtsOf(tx, settled)
    })
    for (const pool of settled) retryAt.delete(pool)
    for (const [pool, what] of differences.differ) await examine({ pool, what }, block)
    for (const doubt of state.doubts) if (!differences.differ.has(doubt.pool)) await examine(doubt, block)
    await greet()
    const opened = [...pools.values()].filter(({ tick }) => tick !== undefined)
    const blocks = opened.map(({ address }) => checks.get(address)?.blockNumber)
    const verifiedBlock = blocks.every((number) => number !== undefined)
      ? Math.min(block.number, ...(blocks as number[]))
      : undefined
    const unverifiable = opened.filter(({ feeGrowth0 }) => feeGrowth0 === undefined).length
    state = {
      ...state,
      verifiedBlock,
      unverifiable,
      checkedAtMs: nowMs(),
      trouble: undefined,
      doubts: await listDoubts(store.read, doubtsShown),
    }
  }

  /** Each look asks the next node; what differs there has to differ at another one, or again, before it counts. */
  const compare = async (picked: readonly Pool[], block: BlockRef) => {
    const place = turn++ % nodes.length
    const first = await ask(place, picked, block)
    const second =
      first.differ.size === 0
        ? first
        : await ask(
            (place + 1) % nodes.length,
            picked.filter(({ address }) => first.differ.has(address)),
            block,
          )
    const differ = new Map([...first.differ].filter(([pool]) => second.differ.has(pool)))
    return { agreed: first.agreed, differ }
  }

  const ask = async (place: number, picked: readonly Pool[], block: BlockRef) => {
    const readings = await readPoolStates(
      nodes[place] as (typeof nodes)[number],
      picked.map(({ address }) => address),
      { ...deps, block },
    )
    const differ = new Map<Address, Difference>()
    const agreed = new Set<Address>()
    for (const pool of picked) {
      const reading = readings.get(pool.address)
      const difference = reading && comparePool(pool, reading)
      if (difference) differ.set(pool.address, difference)
      else if (reading) agreed.add(pool.address)
    }
    return { differ, agreed }
  }

  const examine = async ({ pool, what }: { pool: Address; what: string }, block: BlockRef) => {
    const wait = retryAt.get(pool)
    if (hasStopped || found !== undefined || (wait && wait.atMs > nowMs())) return
    const waitMs = Math.min(searchMaxMs, (wait?.waitMs ?? searchFirstMs / 2) * 2)
    retryAt.set(pool, { atMs: nowMs() + waitMs, waitMs })
    log.warn({ pool, what, block: block.number }, 'A pool does not agree with its contract: looking for the block')
    const wrong = await search(pool, block.number)
    if (wrong !== undefined) found = wrong
    else
      await store.write((tx) =>
        insertDoubts(tx, [{ pool, blockNumber: block.number, what, sinceSeconds: Math.floor(nowMs() / 1000) }]),
      )
  }

  /** A pool whose creation was left out is none of the index, so nothing of it can differ. */
  const greet = async () => {
    const creation = found === undefined ? await strangers.findCreation(turn) : undefined
    if (!creation || (repairsOf.get(creation.block) ?? 0) >= repairsOfBlockMax) return
    for (const place of creation.liars.length < nodes.length ? creation.liars : []) deps.distrust?.(place)
    found = creation.block
  }

  const search = async (pool: Address, toBlock: number): Promise<number | undefined> => {
    await load()
    const created = await findCreatedBlock(store, pool)
    const doubt = state.doubts.find((each) => each.pool === pool)
    const good = doubt ? undefined : checks.get(pool)?.blockNumber
    const span: Span = { pool, fromBlock: good !== undefined && good < toBlock ? good + 1 : created, toBlock }
    const result = await findHole(hole, span)
    if (!result || (repairsOf.get(result.block) ?? 0) >= repairsOfBlockMax) return undefined
    for (const place of result.liars.length < nodes.length ? result.liars : []) deps.distrust?.(place)
    return result.block
  }

  return {
    guard: createGuard(() => Math.floor(nowMs() / 1000)),
    blooms,
    meet: strangers.meet,
    status: () => ({ ...state, quirks: [blooms.quirk()].filter((quirk) => quirk !== undefined) }),
    look(standing) {
      const wrong = found
      found = undefined
      const isDue = !running && nowMs() >= nextLookMs && standing.head - standing.block.number <= behindMax
      if (wrong !== undefined || !isDue || hasStopped) return wrong
      nextLookMs = nowMs() + lookEveryMs
      running = run({ ...standing, pools: new Map(standing.pools) })
        .catch((error: unknown) => {
          if (!(error instanceof Failure)) log.warn({ err: error }, 'The index could not be compared with its contracts')
          state = { ...state, trouble: error instanceof Failure ? error.message : 'The comparison failed' }
        })
        .finally(() => {
          running = undefined
        })
      return undefined
    },
    search,
    repaired(block) {
      log.warn({ block }, 'The node had left out events: the index is read again from here')
      repairsOf.set(block, (repairsOf.get(block) ?? 0) + 1)
      state = { ...state, repairs: state.repairs + 1 }
      // What was found about the blocks that are read again is void.
      forget(checks, block - 1)
      nextLookMs = 0
    },
    async stop() {
      hasStopped = true
      await running
    },
  }
}

/** After a rewind, checks of later blocks say nothing. */
function forget(checks: Map<Address, PoolCheck>, above: number): void {
  for (const [pool, { blockNumber }] of checks) if (blockNumber > above) checks.delete(pool)
}

async function findCreatedBlock({ read }: Store, pool: Address): Promise<number> {
  const row = await read.selectFrom('pools').select('created_block').where('address', '=', pool).executeTakeFirst()
  return row?.created_block ?? 0
}
