import { type Address, Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { createBloomAlarm } from './createBloomAlarm.ts'
import { createBranchWatch } from './createBranchWatch.ts'
import { type Comparison, createComparison } from './createComparison.ts'
import { createConfirmation } from './createConfirmation.ts'
import { createDoubts } from './createDoubts.ts'
import { createFindings } from './createFindings.ts'
import { createGuard } from './createGuard.ts'
import { createPoolChecks } from './createPoolChecks.ts'
import { createRepairs } from './createRepairs.ts'
import { createRounds } from './createRounds.ts'
import { createSecondReading, type SecondReadingDeps } from './createSecondReading.ts'
import { createStrangers, type StrangerDeps } from './createStrangers.ts'
import { createTokenReading } from './createTokenReading.ts'
import { createUncertainty } from './createUncertainty.ts'
import { faultyText } from './doubtTexts.ts'
import { createClaims } from './judgeRepair.ts'
import { createReceiptTraits } from './proof/receiptTraits.ts'
import { toSeconds } from './toSeconds.ts'
import type { Standing, Witness } from './witness.ts'

const lookEveryMs = 10_000
/** Blocks the index may be behind the chain when it looks: ordinary nodes keep the state of about 128. */
const behindMax = 32

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

/** Checks the index against its nodes. Failures of nodes are no doubts: the next look asks another one. */
export function createWitness(deps: WitnessDeps): Witness {
  const stopping = new AbortController()
  const parts = openParts(deps, stopping.signal)
  const { second, findings, blooms, checks, doubts, tokens, comparison } = parts
  const branches = createBranchWatch(deps)
  const looks = createLooks(deps, comparison)
  const describeUnsure = createUncertainty({
    ...parts,
    factory: deps.factory,
    why: () => (looks.isFaulty() ? faultyText : (branches.doubt() ?? tokens.doubt())),
  })
  return {
    async open() {
      await tokens.open()
      await doubts.read()
    },
    guard: createGuard(parts.nowSeconds),
    blooms,
    meet: parts.strangers.meet,
    status: () => ({
      ...comparison.outcome(),
      trouble: looks.trouble(),
      suspects: checks.suspects(),
      ...describeUnsure(doubts.list()),
      wrongBlock: findings.found() ?? second.waiting()?.block,
      repairs: parts.repairs.count(),
      quirks: [blooms.quirk(), checks.ticks.quirk()].filter((quirk) => quirk !== undefined),
    }),
    look(standing) {
      const wrong = findings.take()
      if (wrong !== undefined || stopping.signal.aborted) return wrong
      branches.look(standing.block.number)
      looks.begin(standing)
      return undefined
    },
    compareNodes: (end) => void (stopping.signal.aborted || branches.look(end)),
    async search(pool, toBlock) {
      const search = findings.begin()
      await checks.load()
      return findings.judge(search, await doubts.findHole(pool, toBlock), toBlock)
    },
    ...followRepairs(deps, parts, looks),
    async stop() {
      stopping.abort()
      await branches.stop()
      await looks.stop()
    },
  }
}

type Parts = ReturnType<typeof openParts>

/** The parts of a witness that know the index. */
function openParts(deps: WitnessDeps, signal: AbortSignal) {
  const { store, nowMs, nowSeconds = toSeconds(nowMs) } = deps
  const receipts = createReceiptTraits()
  const hole = { ...deps, receipts, read: store.read }
  const repairs = createRepairs(nowMs)
  const claims = createClaims(nowMs, deps.reorgDepthMax)
  const second = createSecondReading({ ...deps, receipts, mayRepair: repairs.mayRepair })
  const findings = createFindings({ ...deps, repairs, claims, second, signal })
  const blooms = createBloomAlarm(deps.forward, deps.topics, receipts, second.doubt)
  const checks = createPoolChecks({ ...deps, nowSeconds })
  const doubts = createDoubts({ ...deps, nowSeconds, hole, checks, findings })
  const strangers = createStrangers(deps)
  const tokens = createTokenReading(deps)
  const confirmation = createConfirmation()
  const comparison = createComparison({ ...hole, second, findings, checks, doubts, tokens, strangers, confirmation })
  return { nowSeconds, repairs, claims, second, findings, blooms, checks, doubts, strangers, tokens, confirmation, comparison }
}

/** What changes in the parts when the index is taken back, or cannot be. */
function followRepairs({ log }: WitnessDeps, parts: Parts, looks: Looks) {
  const { repairs, claims, second, findings, confirmation, comparison } = parts
  const rolledBack: Witness['rolledBack'] = (to) => {
    findings.rolledBack()
    comparison.rolledBack(to)
    second.rolledBack(to)
    claims.rolledBack(to)
  }
  return {
    rolledBack,
    mayBeginAnew: repairs.mayBeginAnew,
    unrepaired(block) {
      log.warn({ block }, 'The first block of the index is wrong again: set another node in RPC_URL and restart the server')
      repairs.failed(block)
      second.leave(block)
      findings.drop()
    },
    caught: second.caught,
    repaired(block) {
      log.warn({ block }, 'The node had returned wrong data: the index is read again from here')
      repairs.repaired(block)
      confirmation.repaired(block)
      rolledBack(block - 1)
      second.caught(block)
      looks.hurry()
    },
  } satisfies Partial<Witness>
}

type Looks = ReturnType<typeof createLooks>

/** Comparisons in the background, at their own pace, and why the last one failed. */
function createLooks({ nowMs, log }: WitnessDeps, comparison: Pick<Comparison, 'run'>) {
  let trouble: string | undefined
  /** Whether the last look ended by an error of ours. */
  let isFaulty = false
  const rounds = createRounds(lookEveryMs, nowMs, (error) => {
    isFaulty = !(error instanceof Failure)
    if (isFaulty) log.warn({ err: error }, 'The index could not be compared with its contracts')
    trouble = error instanceof Failure ? error.message : faultyText
  })
  return {
    begin(standing: Standing) {
      if (!rounds.isDue() || standing.head - standing.block.number > behindMax) return
      // The follower changes its map meanwhile.
      const at = { ...standing, pools: new Map(standing.pools) }
      rounds.begin(async () => {
        if (await comparison.run(at)) trouble = undefined
        isFaulty = false
      })
    },
    trouble: () => trouble,
    isFaulty: () => isFaulty,
    hurry: rounds.hurry,
    stop: rounds.stop,
  }
}
