import type { Address } from '@chainboard/core'
import { findCreatedBlock, type Pool } from '../store/pools.ts'
import { type BalancesDeps, createBalances } from './createBalances.ts'
import type { Confirmation } from './createConfirmation.ts'
import type { Doubts, Look } from './createDoubts.ts'
import type { Findings } from './createFindings.ts'
import type { Compared, PoolChecks } from './createPoolChecks.ts'
import type { SecondReading } from './createSecondReading.ts'
import type { Strangers } from './createStrangers.ts'
import type { TokenReading } from './createTokenReading.ts'
import { findHole, type Hole, type HoleDeps } from './findHole.ts'
import { judgeBlock } from './judgeBlock.ts'
import { createSampler, type SampleDeps } from './readEvidence.ts'
import { type CreatedBlockOf, isSameLines, type Keeping, listLines } from './spanEvents.ts'
import type { Standing, Verification } from './witness.ts'

/** What the last whole comparison has found. */
type Outcome = Pick<Verification, 'verifiedBlock' | 'checkedAtMs' | 'unverifiable'>

/** Compares the index with its contracts and its blocks with what nodes say of them later, a part of it at a time. */
export type Comparison = {
  /**
   * Compares the next part.
   * @returns whether it was all done: not when the index was taken back or the server stopped meanwhile
   * @throws Failure of the store, or `rpc-…` when the node whose turn it is does not answer
   */
  run(standing: Standing): Promise<boolean>
  outcome(): Outcome
  /** The index ends here now. */
  rolledBack(to: number): void
}

type Deps = HoleDeps &
  Keeping &
  BalancesDeps &
  SampleDeps & {
    readonly second: Pick<SecondReading, 'step'>
    readonly findings: Findings
    readonly checks: PoolChecks
    readonly doubts: Doubts
    readonly tokens: Pick<TokenReading, 'step'>
    readonly strangers: Pick<Strangers, 'findCreation'>
    readonly confirmation: Confirmation
  }

/** Nothing of an outcome is kept over a start; which pools were compared when is, in the store. */
export function createComparison(deps: Deps): Comparison {
  const { nowMs, findings, checks, doubts } = deps
  const sample = createSampler(deps)
  const balances = createBalances(deps)
  let turn = 0
  let outcome: Outcome = { verifiedBlock: undefined, checkedAtMs: undefined, unverifiable: 0 }

  /** Balances only say where receipts have to be read: gifts move them, too. */
  const followBalances = async (pools: readonly Pool[], { block, turn, search }: Look) => {
    if (search.isOver() || findings.found() !== undefined) return
    const movement = await balances.step(pools, { block, turn })
    if (!movement || search.isOver()) return
    const wrong = await findHole(deps, movement)
    if (wrong) await findings.find(search, block.number, async () => wrong)
    else if (!search.isVoid()) balances.accept(movement)
  }

  const examine = async ({ agreeing, differ }: Compared, settled: readonly Address[], look: Look) => {
    for (const [pool, what] of differ) await doubts.examine({ pool, what }, look)
    for (const pool of checks.ticks.listOpen()) if (!differ.has(pool)) await doubts.examine({ pool, what: 'ticks' }, look)
    await followBalances(agreeing, look)
    const open = doubts.list().filter(({ pool }) => !differ.has(pool) && !settled.includes(pool))
    for (const doubt of open) await doubts.examine({ ...doubt, isStored: true }, look)
  }

  return {
    async run({ block, pools }) {
      await checks.load()
      const search = findings.begin()
      turn += 1
      const look: Look = { block, pools, turn, search }
      const createdBlockOf = (pool: Address) => pools.get(pool)?.createdBlock
      await sample(block)
      await findings.find(search, block.number, () => deps.second.step({ end: block.number, createdBlockOf }))
      if (search.isOver()) return false
      const compared = await checks.compare(look)
      await deps.tokens.step(block)
      if (search.isOver()) return false
      const settled = await checks.note(compared, look)
      doubts.settle(settled)
      await examine(compared, settled, look)
      if (!search.isVoid()) await findings.find(search, block.number, () => findCreation(deps, look.turn, createdBlockOf))
      if (!search.isVoid()) await confirm(deps, look, compared.agreeing.length)
      const opened = [...pools.values()].filter(({ tick }) => tick !== undefined)
      const verifiedBlock = checks.verifiedBlock(opened, block.number)
      const unverifiable = opened.filter(({ feeGrowth0 }) => feeGrowth0 === undefined).length
      const checkedAtMs = nowMs()
      await doubts.read()
      outcome = { verifiedBlock, checkedAtMs, unverifiable }
      return true
    },
    outcome: () => outcome,
    rolledBack(to) {
      checks.rolledBack(to)
      deps.confirmation.rolledBack(to)
      balances.rolledBack(to)
    },
  }
}

/** A pool whose creation was left out is none of the index, so nothing of it can differ: its own events lead to it. */
async function findCreation(deps: Deps, turn: number, createdBlockOf: CreatedBlockOf): Promise<Hole | undefined> {
  const isIndexed = async (pool: Address) => (await findCreatedBlock(deps.store.read, pool)) !== undefined
  const creation = await deps.strangers.findCreation(turn, isIndexed)
  return creation && prove(deps, creation, createdBlockOf)
}

/** A creation that the index lacks, with what its block's receipts say of it. @returns undefined when they prove that there is none */
async function prove(deps: Deps, creation: Hole, createdBlockOf: CreatedBlockOf): Promise<Hole | undefined> {
  const truth = await judgeBlock(deps, creation.block, createdBlockOf)
  if (!truth || truth === 'tied') return creation
  const begins = `${creation.block} ${creation.backing.claim} `
  if ([...truth.lines.keys()].some((text) => text.startsWith(begins))) return { ...creation, backing: truth.backing }
  return truth.backing.isProven ? undefined : creation
}

/** Lets a comparison confirm what was read again; the block's receipts, where no pool is left that could. */
async function confirm(deps: Deps, { block, pools }: Look, agreed: number): Promise<void> {
  const from = deps.confirmation.pending()
  if (from === undefined) return
  const isWhole = async () => {
    const truth = await judgeBlock(deps, from, (pool) => pools.get(pool)?.createdBlock)
    const rows = await listLines(deps.store.read, { fromBlock: from, toBlock: from })
    return truth !== undefined && truth !== 'tied' && truth.backing.isProven && isSameLines(truth.lines, rows)
  }
  await deps.confirmation.see({ block: block.number, pools: pools.size, agreed, isWhole })
}
