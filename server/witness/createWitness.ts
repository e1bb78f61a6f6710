import { type Address, Failure } from '@chainboard/core'
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
import { findCreatedBlock, type Pool } from '../store/pools.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { comparePools } from './comparePools.ts'
import { createBalances } from './createBalances.ts'
import { type BloomAlarm, createBloomAlarm } from './createBloomAlarm.ts'
import { createBranchWatch } from './createBranchWatch.ts'
import { createConfirmation } from './createConfirmation.ts'
import { createGuard, type Guard } from './createGuard.ts'
import { createRepairs } from './createRepairs.ts'
import { createSecondReading, type SecondReadingDeps, type WrongBlock } from './createSecondReading.ts'
import { createStrangers, type Stranger, type StrangerDeps } from './createStrangers.ts'
import { createTicks } from './createTicks.ts'
import { createTokenReading } from './createTokenReading.ts'
import { describeUnconfirmed, describeUndecided, faultyText } from './doubtTexts.ts'
import { findHole, type Hole, type HoleDeps, type Span } from './findHole.ts'
import { judgeBlock } from './judgeBlock.ts'
import { createClaims } from './judgeRepair.ts'
import { forgetChecks, pickPools } from './pickPools.ts'
import { createReceiptTraits } from './proof/receiptTraits.ts'
import { createSampler } from './readEvidence.ts'
import { type CreatedBlockOf, isSameLines, listLines } from './spanEvents.ts'
import { toSeconds } from './toSeconds.ts'

/** Pools in one look: four calls each, in one multicall. */
const poolsPerLook = 100
const lookEveryMs = 10_000
/** Blocks the index may be behind the chain when it looks: ordinary nodes keep the state of about 128. */
const behindMax = 32
const searchFirstMs = 30_000
const searchMaxMs = 3_600_000
const doubtsShown = 100
const doubtsLoaded = 1_000

export type WitnessDeps = Omit<SecondReadingDeps, 'mayRepair' | 'receipts'> &
  StrangerDeps & {
    /** Blocks that the index may lose on the word of one node that proves nothing: as many as by a reorg. */
    readonly reorgDepthMax: number
    readonly multicall: Address
    /** Whether the site vouches for a token: what anybody's contract says puts nothing in doubt. */
    readonly isListed: (token: Address) => boolean
    /** Ticks, and words of them, that are compared in one look; absent: 400. */
    readonly tickCalls?: number | undefined
    readonly putLast?: ((place?: number) => void) | undefined
    readonly readHeader?: Chain['readHeader'] | undefined
    readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void }
    /** Any node's answer to a call. */
    readonly forward: Chain['forward']
  }

/** How far the index was compared with the contracts it follows. */
export type Verification = {
  /** Up to here every opened pool agreed with its contract; undefined until all were compared. */
  readonly verifiedBlock: number | undefined
  /** When the last comparison succeeded, by `nowMs`. */
  readonly checkedAtMs: number | undefined
  /** Why the last comparison did not: the node's words. Undefined when it did. */
  readonly trouble: string | undefined
  /** Pools that differed from their contracts at the last comparison, and are to be read again. */
  readonly suspects: number
  /** A block of the index that is not as the chain is, and is about to be read again or waits for it; undefined when none is known. */
  readonly wrongBlock: number | undefined
  /** Why the index is not known to be right, besides: in words; undefined when nothing of the kind is known. */
  readonly unsure: string | undefined
  /** What does not fit and could not be repaired, oldest first, the first 100. */
  readonly doubts: readonly Doubt[]
  /** Times that a part of the index was read again since the start. */
  readonly repairs: number
  /** Pools whose fee growth is not computed: rules of their own, or indexed by an older version. */
  readonly unverifiable: number
  /** Checks that mean nothing on this chain and were switched off. */
  readonly quirks: readonly string[]
}

/** The index as it is after its last block. */
export type Standing = { readonly block: BlockRef; readonly head: number; readonly pools: ReadonlyMap<Address, Pool> }

export type Witness = {
  /** Reads from the store what the index is known to have wrong, before anybody is told that it is right. @throws Failure of the store */
  open(): Promise<void>
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
  /** Compares the nodes with each other alone, as `look` does too. @param end the last block of the index */
  compareNodes(end: number): void
  /** Looks for what is wrong in the index before an event that does not fit. @returns the first wrong block */
  search(pool: Address, toBlock: number): Promise<number | undefined>
  /** Counts a repair: the index was taken back, to be read again from this block. */
  repaired(block: number): void
  /** Whether a new index may begin because the first block of this one is wrong. True the first time only. */
  mayBeginAnew(): boolean
  /** A wrong block cannot be read again, as nothing of the index is below it: looked at again after longer and longer waits. */
  unrepaired(block: number): void
  /** The chain has left the index, which ends here now. */
  rewound(to: number): void
  /** A node gave a range that leaves something out, and was refused: what it gave shortly before is read once more. */
  caught(block: number): void
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

/** Checks the index against its nodes. Failures of nodes are no doubts: the next look asks another one. */
export function createWitness(deps: WitnessDeps): Witness {
  const { nodes, store, log, nowMs, nowSeconds = toSeconds(nowMs) } = deps
  const receipts = createReceiptTraits()
  const sample = createSampler({ ...deps, receipts })
  const hole: HoleDeps = { ...deps, receipts, read: store.read }
  const strangers = createStrangers(deps)
  const checks = new Map<Address, PoolCheck>()
  const retryAt = new Map<Address, { atMs: number; waitMs: number }>()
  const repairs = createRepairs(nowMs)
  const claims = createClaims(nowMs, deps.reorgDepthMax)
  const confirmation = createConfirmation()
  const second = createSecondReading({ ...deps, receipts, mayRepair: repairs.mayRepair })
  const blooms = createBloomAlarm(deps.forward, deps.topics, receipts, second.doubt)
  const ticks = createTicks(deps)
  const balances = createBalances(deps)
  const tokens = createTokenReading(deps)
  const branches = createBranchWatch(deps)
  const suspects = new Set<Address>()
  let state: Verification = {
    verifiedBlock: undefined,
    checkedAtMs: undefined,
    trouble: undefined,
    suspects: 0,
    wrongBlock: undefined,
    unsure: undefined,
    doubts: [],
    repairs: 0,
    unverifiable: 0,
    quirks: [],
  }
  let [turn, nextLookMs, isLoaded, hasStopped] = [0, 0, false, false]
  /** Whether the last look ended by an error of ours. */
  let isFaulty = false
  let found: number | undefined
  /** The block that is in doubt as a whole, and since when. */
  let unsure: { readonly block: number; readonly sinceSeconds: number } | undefined
  /** Rewinds so far: what was found before one of them is void. */
  let epoch = 0
  let running: Promise<void> | undefined

  const load = async () => {
    if (isLoaded) return
    for (const check of await listPoolChecks(store.read)) if (check.pool !== deps.factory) checks.set(check.pool, check)
    for (const { pool, what } of await listDoubts(store.read, doubtsLoaded)) if (what === 'ticks') ticks.want(pool)
    isLoaded = true
  }

  /** Notes what a search has found, unless the index was taken back while it ran, or more than one node's word is needed. */
  const find = (wrong: WrongBlock | undefined, since: number, end: number): number | undefined => {
    // What lies above the index is not missing in it: the next range may bring it.
    if (!wrong || since !== epoch || wrong.block > end) return undefined
    const mayRepair = repairs.mayRepair(wrong.block)
    if (!claims.judge(wrong.block, wrong.backing, end) || !mayRepair) {
      second.leave(wrong.block)
      return undefined
    }
    for (const place of wrong.liars.length < nodes.length ? wrong.liars : []) deps.distrust?.(place)
    return wrong.block
  }

  /** A creation that the index lacks, with what its block's receipts say of it. @returns undefined when they prove that there is none */
  const prove = async (creation: Hole | undefined, createdBlockOf: CreatedBlockOf): Promise<Hole | undefined> => {
    const truth = creation && (await judgeBlock({ ...deps, receipts }, creation.block, createdBlockOf))
    if (!creation || !truth || truth === 'tied') return creation
    const begins = `${creation.block} ${creation.backing.claim} `
    if ([...truth.lines.keys()].some((text) => text.startsWith(begins))) return { ...creation, backing: truth.backing }
    return truth.backing.isProven ? undefined : creation
  }

  const run = async (at: Standing) => {
    const { block, pools } = at
    await load()
    const since = epoch
    turn += 1
    const createdBlockOf = (pool: Address) => pools.get(pool)?.createdBlock
    await sample(block)
    found ??= find(await second.step({ end: block.number, createdBlockOf }), since, block.number)
    if (hasStopped || since !== epoch) return
    forgetChecks(checks, block.number)
    const picked = pickPools([...pools.values()], checks, poolsPerLook)
    const differences = await comparePools(deps, picked, { block, turn })
    await ticks.step(pools, turn)
    await tokens.step(block)
    if (hasStopped || since !== epoch) return
    for (const pool of differences.agreed) suspects.delete(pool)
    for (const pool of differences.differ.keys()) suspects.add(pool)
    state = { ...state, suspects: new Set([...suspects, ...ticks.listOpen()]).size }
    const agreed = picked.filter(({ address }) => differences.agreed.has(address)).map(({ address }) => address)
    const news = agreed.map((pool) => ({ pool, blockNumber: block.number, atSeconds: nowSeconds() }))
    for (const check of news) checks.set(check.pool, check)
    const fitting = agreed.filter((pool) => ticks.isSettled(pool))
    const settled = fitting.filter((pool) => pools.get(pool)?.feeGrowth0 !== undefined)
    await store.write(async (tx) => {
      await upsertPoolChecks(tx, news)
      await deleteDoubtsOf(tx, settled)
      // Without fee growth an event may be missing all the same, but nothing of these.
      await deleteDoubtsOf(tx, fitting, ['price', 'liquidity in range', 'ticks'])
    })
    for (const pool of settled) retryAt.delete(pool)
    for (const [pool, what] of differences.differ) await examine({ pool, what }, at, since)
    for (const pool of ticks.listOpen()) if (!differences.differ.has(pool)) await examine({ pool, what: 'ticks' }, at, since)
    const agreeing = picked.filter(({ address }) => differences.agreed.has(address))
    await followBalances(agreeing, block, since)
    const open = state.doubts.filter(({ pool }) => !differences.differ.has(pool) && !settled.includes(pool))
    for (const doubt of open) await examine({ ...doubt, isStored: true }, at, since)
    // A pool whose creation was left out is none of the index, so nothing of it can differ.
    if (since === epoch)
      found ??= find(await prove(await strangers.findCreation(turn, isIndexed), createdBlockOf), since, block.number)
    if (since === epoch) await confirm(at, agreed.length)
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

  type Examined = { readonly pool: Address; readonly what: string /** As a doubt, already. */; readonly isStored?: boolean }
  const examine = async ({ pool, what, isStored = false }: Examined, at: Omit<Standing, 'head'>, since: number) => {
    const { block } = at
    const wait = retryAt.get(pool)
    if (hasStopped || since !== epoch || found !== undefined || (wait && wait.atMs > nowMs())) return
    const waitMs = Math.min(searchMaxMs, (wait?.waitMs ?? searchFirstMs / 2) * 2)
    retryAt.set(pool, { atMs: nowMs() + waitMs, waitMs })
    log.warn({ pool, what, block: block.number }, 'A pool differs from its contract: looking for the block')
    const wrong = what === 'ticks' ? await searchTicks(pool, at, since) : await search(pool, block.number, since)
    if (since !== epoch) return
    if (wrong !== undefined) found = wrong
    else if (!isStored)
      await store.write((tx) => insertDoubts(tx, [{ pool, blockNumber: block.number, what, sinceSeconds: nowSeconds() }]))
  }

  /** The pool's contract shows where its ticks began to differ; where the states of earlier blocks are gone, all its events are read. */
  const searchTicks = async (pool: Address, { block, pools }: Omit<Standing, 'head'>, since: number) => {
    const known = pools.get(pool)
    const began = known && (await ticks.findBlock(known, turn))
    const there = began === undefined ? undefined : await findHole(hole, { pool, fromBlock: began, toBlock: began })
    const span = { pool, fromBlock: known?.createdBlock ?? 0, toBlock: block.number }
    return find(there ?? (await findHole(hole, span)), since, block.number)
  }

  /** Balances only say where receipts have to be read: gifts move them, too. */
  const followBalances = async (pools: readonly Pool[], block: BlockRef, since: number) => {
    if (hasStopped || since !== epoch || found !== undefined) return
    const movement = await balances.step(pools, { block, turn })
    if (!movement || hasStopped || since !== epoch) return
    const wrong = await findHole(hole, movement)
    if (wrong) found ??= find(wrong, since, block.number)
    else if (since === epoch) balances.accept(movement)
  }

  const confirm = async ({ block, pools }: Standing, agreed: number) => {
    const from = confirmation.pending()
    if (from === undefined) return
    const isWhole = async () => {
      const truth = await judgeBlock({ ...deps, receipts }, from, (pool) => pools.get(pool)?.createdBlock)
      const rows = await listLines(store.read, { fromBlock: from, toBlock: from })
      return truth !== undefined && truth !== 'tied' && truth.backing.isProven && isSameLines(truth.lines, rows)
    }
    await confirmation.see({ block: block.number, pools: pools.size, agreed, isWhole })
  }

  /** Why the index is not known to be right, and the doubt that goes with it. */
  const describeUnsure = (): Pick<Verification, 'unsure' | 'doubts'> => {
    const waiting = second.waiting()
    const undecided = waiting?.isUndecided ? describeUndecided(waiting.block) : undefined
    const why = waiting && (claims.why(waiting.block) ?? undecided)
    const again = confirmation.pending()
    if (waiting && why) return { unsure: why, doubts: [...state.doubts, toDoubt(waiting.block)] }
    const other = isFaulty ? faultyText : (branches.doubt() ?? tokens.doubt())
    return { unsure: again === undefined ? other : describeUnconfirmed(again), doubts: state.doubts }
  }

  const toDoubt = (block: number): Doubt => {
    if (unsure?.block !== block) unsure = { block, sinceSeconds: nowSeconds() }
    return { pool: deps.factory, blockNumber: block, what: 'unproven', sinceSeconds: unsure.sinceSeconds }
  }

  const isIndexed = async (pool: Address) => (await findCreatedBlock(store.read, pool)) !== undefined

  const search = async (pool: Address, toBlock: number, since: number): Promise<number | undefined> => {
    await load()
    const created = (await findCreatedBlock(store.read, pool)) ?? 0
    const doubt = state.doubts.find((each) => each.pool === pool)
    const good = doubt ? undefined : checks.get(pool)?.blockNumber
    const span: Span = { pool, fromBlock: good !== undefined && good < toBlock ? good + 1 : created, toBlock }
    // What a doubted event did not fit lies before it.
    const before =
      doubt && doubt.blockNumber < toBlock ? await findHole(hole, { ...span, toBlock: doubt.blockNumber }) : undefined
    return find(before ?? (await findHole(hole, span)), since, toBlock)
  }

  const rewound = (to: number) => {
    epoch += 1
    found = undefined
    forgetChecks(checks, to)
    second.rewound(to)
    claims.rewound(to)
    confirmation.rewound(to)
    balances.rewound(to)
  }

  return {
    async open() {
      await tokens.open()
      state = { ...state, doubts: await listDoubts(store.read, doubtsShown) }
    },
    guard: createGuard(nowSeconds),
    blooms,
    meet: strangers.meet,
    status: () => ({
      ...state,
      ...describeUnsure(),
      wrongBlock: found ?? second.waiting()?.block,
      repairs: repairs.count(),
      quirks: [blooms.quirk(), ticks.quirk()].filter((quirk) => quirk !== undefined),
    }),
    look(standing) {
      // Taken back or not, as after a commit whose answer was lost: it is judged again, and stays known until then.
      const wrong = found
      if (wrong !== undefined) {
        second.leave(wrong)
        found = undefined
        epoch += 1
      }
      if (wrong === undefined && !hasStopped) branches.look(standing.block.number)
      const isDue = !running && nowMs() >= nextLookMs && standing.head - standing.block.number <= behindMax
      if (wrong !== undefined || !isDue || hasStopped) return wrong
      nextLookMs = nowMs() + lookEveryMs
      running = run({ ...standing, pools: new Map(standing.pools) })
        .then(() => {
          isFaulty = false
        })
        .catch((error: unknown) => {
          isFaulty = !(error instanceof Failure)
          if (isFaulty) log.warn({ err: error }, 'The index could not be compared with its contracts')
          state = { ...state, trouble: error instanceof Failure ? error.message : faultyText }
        })
        .finally(() => {
          running = undefined
        })
      return undefined
    },
    compareNodes: (end) => void (hasStopped || branches.look(end)),
    search: (pool, toBlock) => search(pool, toBlock, epoch),
    rewound,
    mayBeginAnew: repairs.mayBeginAnew,
    unrepaired(block) {
      log.warn({ block }, 'The first block of the index is wrong again: set another node in RPC_URL and restart the server')
      repairs.failed(block)
      second.leave(block)
      found = undefined
    },
    caught: second.caught,
    repaired(block) {
      log.warn({ block }, 'The node had returned wrong data: the index is read again from here')
      repairs.repaired(block)
      confirmation.repaired(block)
      rewound(block - 1)
      second.caught(block)
      nextLookMs = 0
    },
    async stop() {
      hasStopped = true
      await branches.stop()
      await running
    },
  }
}
