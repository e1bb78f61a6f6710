import { formatTokenBalance } from '@chainboard/core'
import { encodeFunctionData } from 'viem/utils'
import { describeDuration } from '../../lib/describeDuration.ts'
import type { ContractCall } from '../../lib/sendCall.ts'
import { boostAbi, paymentTokenAbi } from './boostAbi.ts'
import type { StepEvent } from './boostState.ts'
import { findObstacle, isCovered, noFactsText } from './judgeFacts.ts'
import { type BoostFacts, type BoostParties, readBoostedUntil } from './readFacts.ts'
import type { Transacted, TransactTold } from './transact.ts'

export type StepDeps = {
  /** Reads anew, and shows what was read. */
  readonly read: () => Promise<BoostFacts>
  /** Why the contract would refuse a call now. */
  readonly findRefusal: (call: ContractCall) => Promise<string | undefined>
  readonly transact: (call: ContractCall, otherwise: string, told: TransactTold) => Promise<Transacted>
  /** For a wallet that approves and pays together; absent for others. */
  readonly transactTogether?: (
    calls: readonly [ContractCall, ContractCall],
    otherwise: string,
    told: TransactTold,
  ) => Promise<Transacted>
  readonly wait: (ms: number) => Promise<void>
  /** The visitor still looks at it: nobody's wallet opens for a window that was closed. */
  readonly isOpen: () => boolean
  /** Another account or another chain since the visitor pressed. */
  readonly hasWalletChanged: () => boolean
  readonly tell: (event: StepEvent) => void
}

type Paying = 'approve' | 'boost'

const fallbacks: Readonly<Record<Paying, string>> = {
  approve: 'Approval transaction failed',
  boost: 'Boost transaction failed',
}

const walletChangedText = 'Your wallet has changed. Check it and try again.'

const readsMax = 5
const betweenReadsMs = 400

/**
 * Does one step of a boost. What it rests on is read again first: the visitor pays what was shown, or is told and asked again.
 * @param shown what the visitor has seen
 * @returns how the transaction ended; `undefined` when none was sent
 */
export async function runStep(
  step: Paying,
  shown: BoostFacts,
  parties: BoostParties,
  deps: StepDeps,
): Promise<Transacted | undefined> {
  const { tell, isOpen, hasWalletChanged } = deps
  const fail = (message: string) => tell({ kind: 'failed', message })
  const facts = await deps.read().catch(() => undefined)
  if (!isOpen()) return undefined
  if (!facts) return void fail(noFactsText)
  const together = step === 'boost' && !isCovered(facts) ? deps.transactTogether : undefined
  const surprise = findSurprise(step, shown, facts, { decimals: parties.usdc.decimals, isCoveredThen: together !== undefined })
  if (surprise) return void tell({ kind: 'stopped', ...surprise })
  const call = toCall(step, facts, parties)
  // An approval is never refused, and what is paid with one cannot be tried before; a wallet that is asked for what will be refused costs its owner the fee.
  const refusal = step === 'boost' && !together ? await deps.findRefusal(call) : undefined
  if (!isOpen()) return undefined
  if (hasWalletChanged()) return void tell({ kind: 'stopped', note: walletChangedText })
  if (refusal) return void fail(refusal)
  tell({ kind: 'walletAsked' })
  const told: TransactTold = {
    onSent: (hash) => tell({ kind: 'sent', hash }),
    onSpedUp: (hash) => tell({ kind: 'spedUp', hash }),
  }
  const done = together
    ? await together([toCall('approve', facts, parties), call], fallbacks.boost, told)
    : await deps.transact(call, fallbacks[step], told)
  if ('message' in done) fail(done.message)
  // A wallet that does calls together may mine a transaction in which they failed.
  else if (together && readBoostedUntil(done.receipt, parties) === undefined) fail(fallbacks.boost)
  else {
    const read = await readUntil(deps, step === 'approve' ? isCovered : () => true)
    if (step === 'approve' && isLowered(facts, read)) fail('Your wallet approved less than the price. Approve the full amount.')
    else tell({ kind: 'confirmed', hash: done.receipt.transactionHash })
  }
  return done
}

/** Nodes behind one address may be a block apart. @returns what was read last */
async function readUntil({ read, wait }: StepDeps, isSo: (facts: BoostFacts) => boolean): Promise<BoostFacts | undefined> {
  let facts: BoostFacts | undefined
  for (let reads = 0; reads < readsMax; reads += 1) {
    facts = await read().catch(() => undefined)
    if (facts && isSo(facts)) break
    await wait(betweenReadsMs)
  }
  return facts
}

/** A wallet lets its owner approve another amount than was asked for. An allowance as it was before is a node that is behind. */
function isLowered(before: BoostFacts, after: BoostFacts | undefined): boolean {
  if (!after?.wallet || isCovered(after)) return false
  return after.wallet.allowanceRaw !== before.wallet?.allowanceRaw
}

/** What keeps a step from being taken after a second look; what is in nobody's hands is said elsewhere. */
function findSurprise(
  step: Paying,
  shown: BoostFacts,
  facts: BoostFacts,
  { decimals, isCoveredThen }: { readonly decimals: number; readonly isCoveredThen: boolean },
): { readonly note?: string } | undefined {
  if (findObstacle(facts)) return {}
  const changed = describeChange(shown, facts, decimals)
  if (changed) return { note: `${changed}. Press again to pay.` }
  if (step === 'boost' && !isCoveredThen && !isCovered(facts))
    return { note: 'Your approval no longer covers the price. Approve USDC again.' }
  return undefined
}

function describeChange(shown: BoostFacts, facts: BoostFacts, decimals: number): string | undefined {
  const isSamePrice = facts.costRaw === shown.costRaw
  const price = `The price is now ${formatTokenBalance(facts.costRaw, decimals)} USDC`
  if (facts.durationSeconds === shown.durationSeconds) return isSamePrice ? undefined : price
  const duration = describeDuration(facts.durationSeconds)
  return isSamePrice ? `A boost now lasts ${duration}` : `${price}, and a boost now lasts ${duration}`
}

function toCall(step: Paying, { costRaw }: BoostFacts, { contract, usdc, token }: BoostParties): ContractCall {
  if (step === 'approve')
    return {
      to: usdc.address,
      data: encodeFunctionData({ abi: paymentTokenAbi, functionName: 'approve', args: [contract, costRaw] }),
    }
  return { to: contract, data: encodeFunctionData({ abi: boostAbi, functionName: 'boostToken', args: [token, usdc.address] }) }
}
