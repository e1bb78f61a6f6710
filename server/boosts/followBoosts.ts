import { type Address, Failure } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { listBoostPayments, listBoostTokens } from '../store/boostPayments.ts'
import type { Store } from '../store/store.ts'
import { BoostLedger, type Progress } from './boostLedger.ts'
import { type Boosts, noExpirations } from './boosts.ts'
import { readBoostStatus } from './readBoostStatus.ts'
import { type Sighting, toLeadSeconds } from './toLeadSeconds.ts'

/** Tokens that are asked for their boost: those that were paid for last. */
const tokensMax = 5_000
/** How long the contract's last answer is told while it does not answer, on top of one pause between two looks. */
const keptMs = 30_000
const backoffFirstMs = 250
/** What was paid for stands again soon after the node does. */
const backoffMaxMs = 5_000
/** A node may be behind the others for a moment; a chain that stays shorter was cut. */
const shortLooksMax = 10

export type FollowBoostsDeps = {
  readonly chain: Chain
  readonly store: Store
  readonly chainId: number
  readonly contract: Address
  /** The contract's first block, or one before. */
  readonly startBlock: number
  readonly confirmations: number
  readonly pollMs: number
  readonly spanMax: number
  readonly usdc: { readonly address: Address; readonly decimals: number }
  readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void }
  readonly nowMs: () => number
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export type BoostFollower = Boosts & { /** Resolves when the running look has ended. */ stop(): Promise<void> }

/**
 * Follows the boost contract until stopped: its payments into the store, its word on who is boosted into memory. Tells what is
 * stored from the first moment on. Failures of the node are retried for ever; anything else ends in `onBug`.
 */
export async function followBoosts(deps: FollowBoostsDeps, onBug: (error: unknown) => void): Promise<BoostFollower> {
  const { store, nowMs } = deps
  const kept: Kept = { expirations: noExpirations, answeredAtMs: undefined, leadSeconds: 0, pausedAtSeconds: undefined }
  const ledger = await BoostLedger.open({
    ...deps,
    decimals: new Map([[deps.usdc.address, deps.usdc.decimals]]),
    onStartOver: (reason) => deps.log.warn({ contract: deps.contract }, reason),
  })
  const stopping = new AbortController()
  const done = run(
    deps,
    { ledger, kept, seen: undefined, sighted: undefined, shortLooks: 0, chain: undefined },
    stopping.signal,
  ).catch(onBug)
  const isKnown = () => nowMs() - (kept.answeredAtMs ?? Number.NEGATIVE_INFINITY) <= keptMs + deps.pollMs
  return {
    expirations: () => (isKnown() ? kept.expirations : noExpirations),
    isKnown,
    listPayments: (query) => listBoostPayments(store.read, query),
    answeredAtMs: () => kept.answeredAtMs,
    leadSeconds: () => kept.leadSeconds,
    pausedAtSeconds: () => kept.pausedAtSeconds,
    stop: () => {
      stopping.abort()
      return done
    },
  }
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
    follow.chain = await identify(deps)
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

async function identify({ chain, chainId }: FollowBoostsDeps): Promise<string> {
  const [found, genesis] = [await chain.readChainId(), await chain.readHeader(0)]
  if (found === chainId) return `${found}:${genesis?.hash ?? 'no-genesis'}`
  throw new Failure('rpc-unavailable', `The node is on chain ${found}, the network file wants ${chainId}`, { retryable: true })
}

function isSame(a: ReadonlyMap<Address, number>, b: ReadonlyMap<Address, number>): boolean {
  return a.size === b.size && [...a].every(([token, until]) => b.get(token) === until)
}
