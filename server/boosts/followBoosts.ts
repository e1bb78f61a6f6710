import { type Address, Failure, supervise } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { noGenesis, otherChain, readIdentity, withoutGenesis } from '../chain/chainIdentity.ts'
import { type Dispute, judgeByNodes } from '../chain/judgeReorg.ts'
import { listBoostPayments, listBoostTokens } from '../store/boostPayments.ts'
import type { Store } from '../store/store.ts'
import { BoostLedger, type LedgerDeps, type Progress } from './boostLedger.ts'
import { type Boosts, noExpirations } from './boosts.ts'
import { createLedgerCheck, type LedgerCheck } from './createLedgerCheck.ts'
import type { ReadReceipts } from './judgePayments.ts'
import { readBoostStatus } from './readBoostStatus.ts'
import { type Sighting, toLeadSeconds } from './toLeadSeconds.ts'

/** Tokens that are asked for their boost: those that were paid for last. */
const tokensMax = 5_000
/** How long the contract's last answer is told while it does not answer, on top of one pause between two looks. */
const keptMs = 30_000
const backoffFirstMs = 250
/** What was paid for stands again soon after the node does. */
const backoffMaxMs = 5_000
/** How often the check of the ledger looks whether anything is due. */
const checkLookMs = 10_000
/** A node may be behind the others for a moment; a chain that stays shorter was cut. */
const shortLooksMax = 10

export type FollowBoostsDeps = {
  readonly chain: Chain
  /** Every node of the configuration by itself, by which the ledger is checked. */
  readonly nodes: readonly Chain[]
  readonly readReceipts: ReadReceipts
  readonly store: Store
  readonly chainId: number
  readonly contract: Address
  /** The contract's first block, or one before. */
  readonly startBlock: number
  readonly confirmations: number
  readonly pollMs: number
  readonly spanMax: number
  /** Blocks of a reorg that one node's word is enough for. */
  readonly reorgDepthMax: number
  /** A test chain that may lose blocks or start over. */
  readonly mayRestart: boolean
  readonly usdc: { readonly address: Address; readonly decimals: number }
  readonly log: {
    info(facts: object, text: string): void
    warn(facts: object, text: string): void
    error(facts: object, text: string): void
  }
  readonly nowMs: () => number
  /** A clock for waits, which nobody sets; absent: `nowMs` is one. */
  readonly steadyMs?: (() => number) | undefined
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export type BoostFollower = Boosts & { /** Resolves when the running look has ended. */ stop(): Promise<void> }

/**
 * Follows the boost contract until stopped: its payments into the store, its word on who is boosted into memory. Tells what is
 * stored from the first moment on. Failures of the node and the store are retried; after an error of ours following starts again.
 */
export async function followBoosts(deps: FollowBoostsDeps): Promise<BoostFollower> {
  const { store, nowMs, steadyMs = nowMs } = deps
  const kept: Kept = { expirations: noExpirations, answeredAtMs: undefined, leadSeconds: 0, pausedAtSeconds: undefined }
  const openLedger = () =>
    BoostLedger.open({
      ...deps,
      decimals: new Map([[deps.usdc.address, deps.usdc.decimals]]),
      confirmLeft: createReorgCheck({ ...deps, nowMs: steadyMs }),
      onStartOver: (reason) => {
        check?.reset()
        deps.log.warn({ contract: deps.contract }, reason)
      },
    })
  let check: LedgerCheck | undefined
  let ledger: BoostLedger | undefined = await openLedger()
  check = createLedgerCheck({ ...deps, nowMs: steadyMs, distrust: deps.chain.distrust }, ledger.end)
  const stopping = new AbortController()
  const { signal } = stopping
  const start = async () => {
    ledger ??= await openLedger()
    await run(deps, { ledger, kept, seen: undefined, sighted: undefined, shortLooks: 0, chain: undefined }, signal)
  }
  const done = supervise(start, {
    ...deps,
    signal,
    onFault: (error, retryInMs) => {
      // What it had read may be wrong: the store has what is right.
      ledger = undefined
      deps.log.error({ err: error, retryInMs }, 'Following the boosts failed because of a bug and restarts')
    },
  })
  const checked = keepChecking(deps, { check, ledger: () => ledger, signal })
  const isKnown = () => nowMs() - (kept.answeredAtMs ?? Number.NEGATIVE_INFINITY) <= keptMs + deps.pollMs
  return {
    expirations: () => (isKnown() ? kept.expirations : noExpirations),
    isKnown,
    listPayments: (query) => listBoostPayments(store.read, query),
    answeredAtMs: () => kept.answeredAtMs,
    leadSeconds: () => kept.leadSeconds,
    pausedAtSeconds: () => kept.pausedAtSeconds,
    doubts: check.doubts,
    repairs: check.repairs,
    stop: async () => {
      stopping.abort()
      await Promise.all([done, checked])
    },
  }
}

type Checking = {
  readonly check: LedgerCheck
  readonly ledger: () => BoostLedger | undefined
  readonly signal: AbortSignal
}

/** Beside the looks, which no second reading may delay. */
function keepChecking(deps: FollowBoostsDeps, { check, ledger, signal }: Checking): Promise<void> {
  const run = async () => {
    while (!signal.aborted) {
      const own = ledger()
      try {
        if (own) await check.turn(own)
      } catch (error) {
        // The store's own part tells of it.
        if (!(error instanceof Failure)) throw error
      }
      await deps.pause(checkLookMs, signal)
    }
  }
  return supervise(run, {
    ...deps,
    signal,
    onFault: (error, retryInMs) =>
      deps.log.error({ err: error, retryInMs }, 'Checking the boosts failed because of a bug and restarts'),
  })
}

type Kept = {
  expirations: ReadonlyMap<Address, number>
  answeredAtMs: number | undefined
  leadSeconds: number
  pausedAtSeconds: number | undefined
}

type Follow = {
  readonly ledger: BoostLedger
  readonly kept: Kept
  /** The block that ledger and status are of. */
  seen: Header | undefined
  /** The newest block that a node told of, read or not. */
  sighted: (Sighting & { readonly hash: string }) | undefined
  shortLooks: number
  chain: string | undefined
}

async function run(deps: FollowBoostsDeps, follow: Follow, signal: AbortSignal): Promise<void> {
  let failures = 0
  let trouble: string | undefined
  while (!signal.aborted) {
    try {
      await look(deps, follow, signal)
      if (trouble !== undefined) deps.log.info({ block: follow.seen?.number }, 'Boosts can be read again')
      ;[failures, trouble] = [0, undefined]
      await deps.pause(deps.pollMs, signal)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.message !== trouble) deps.log.warn({ block: follow.seen?.number }, `Boosts cannot be read: ${error.message}`)
      trouble = error.message
      const asked = Number(error.detail['retryAfterMs'] ?? 0)
      await deps.pause(Math.max(asked, Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.min(failures, 16))), signal)
      failures += 1
    }
  }
}

/** One look at the chain: reads what a new block changed. */
async function look(deps: FollowBoostsDeps, follow: Follow, signal: AbortSignal): Promise<void> {
  const { chain, store, contract } = deps
  const { ledger, kept } = follow
  if (follow.chain === undefined) {
    follow.chain = await identify(deps, ledger.chain)
    await ledger.adopt(follow.chain)
  }
  const head = await chain.readHead()
  if (head.hash !== follow.sighted?.hash)
    follow.sighted = { hash: head.hash, blockSeconds: head.timestampSeconds, seenAtMs: deps.nowMs() }
  if (head.hash !== follow.seen?.hash) {
    if (isShort(follow, head)) return
    let progress: Progress
    do progress = await ledger.readOn(head)
    while (progress === 'further' && !signal.aborted)
    // A head that the chain has left is no way to go on: the next look has another.
    if (progress !== 'there') return
    const tokens = await listBoostTokens(store.read, tokensMax)
    const { expirations, paused } = await readBoostStatus(chain, { contract, tokens, block: head.number })
    if (!isSame(kept.expirations, expirations)) kept.expirations = expirations
    kept.leadSeconds = toLeadSeconds(follow.sighted)
    kept.pausedAtSeconds = paused ? head.timestampSeconds : undefined
    follow.seen = head
  }
  kept.answeredAtMs = deps.nowMs()
}

/** Whether the chain ends before what was read of it: not believed at once, a node may be behind. */
function isShort(follow: Follow, head: Header): boolean {
  const isBehind = head.number < (follow.seen?.number ?? follow.ledger.settled)
  follow.shortLooks = isBehind ? follow.shortLooks + 1 : 0
  if (follow.shortLooks > shortLooksMax) follow.shortLooks = 0
  return follow.shortLooks > 0
}

/** Which chain this is, with what is stored of it in mind: a node's word alone throws nothing away. */
async function identify({ chain, chainId, mayRestart }: FollowBoostsDeps, stored: string | undefined): Promise<string> {
  const { genesis } = await readIdentity(chain, chainId)
  const found = `${chainId}:${genesis}`
  const isKnown = stored?.startsWith(`${chainId}:`) && !stored.endsWith(noGenesis)
  if (isKnown && genesis === noGenesis) throw withoutGenesis()
  if (!mayRestart && stored?.startsWith(`${chainId}:`) && stored !== found)
    throw otherChain(`The node's chain begins with block ${genesis}, the stored boosts are of chain ${stored}`)
  return found
}

/** Lets payments go that a reorg took back, if the reorg may be believed. */
function createReorgCheck({ chain, chainId, reorgDepthMax, mayRestart, nowMs }: FollowBoostsDeps): LedgerDeps['confirmLeft'] {
  let dispute: Dispute | undefined
  return async ({ number, hash }) => {
    await readIdentity(chain, chainId)
    if (mayRestart) return
    const [head, header] = [await chain.readHead(), await chain.readHeader(number)]
    if (!header) throw new Failure('rpc-behind', `The node does not have block ${number}`, { retryable: true })
    if (header.hash === hash)
      throw new Failure('rpc-invalid', 'The node contradicts itself about its blocks', { retryable: true })
    const depth = head.number - number + 1
    const verdict = await judgeByNodes(chain, {
      number,
      branch: header.hash,
      depth,
      depthMax: reorgDepthMax,
      nowMs: nowMs(),
      dispute,
    })
    dispute = verdict.go ? undefined : verdict.dispute
    if (!verdict.go) throw new Failure('rpc-disputed', verdict.why, { retryable: true })
  }
}

function isSame(a: ReadonlyMap<Address, number>, b: ReadonlyMap<Address, number>): boolean {
  return a.size === b.size && [...a].every(([token, until]) => b.get(token) === until)
}
