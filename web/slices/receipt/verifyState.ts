import type { Receipt } from '@chainboard/contract'
import { shortenAddress, toDisplayText } from '@chainboard/core'
import type { Verdict, VerifyStep } from '../../verify/verifyPrice.ts'

/** A line of the verification. `note` is what was read, or what differs. */
export type StepLine = {
  readonly key: string
  readonly text: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped'
  readonly note: string | undefined
}

type Planned = { readonly key: string; readonly text: string }

/** Every step that a receipt will go through, in its order. */
export function planSteps({ block, steps, symbol }: Receipt): Planned[] {
  const name = (text: string, address: string) => toDisplayText(text, shortenAddress(address), 12)
  const pools = steps.flatMap((step) => step.pools)
  return [
    { key: 'rules', text: 'The receipt follows the rules that the site publishes' },
    { key: 'block', text: `The node has block ${block?.number ?? 'none'} with the same hash` },
    ...pools.map((pool) => ({
      key: `pool ${pool.pool.toLowerCase()}`,
      text: `Pool ${name(pool.baseSymbol, pool.base)}/${name(pool.quoteSymbol, pool.quote)} ${shortenAddress(pool.pool)}: tokens, fee, price and median`,
    })),
    { key: 'price', text: `The price of ${toDisplayText(symbol, 'the token', 12)} follows from these medians` },
    { key: 'choice', text: 'No other pool of the exchange should count, and no other figure differs' },
  ]
}

const keyOf = (step: VerifyStep) => (step.kind === 'pool' ? `pool ${step.pool.toLowerCase()}` : step.kind)

function noteOf(step: VerifyStep): string | undefined {
  switch (step.kind) {
    case 'rules':
      return undefined
    case 'block':
      return shortenAddress(step.hash)
    case 'pool':
      return step.medianX96 === undefined ? 'no pool' : `median ${step.medianX96}`
    case 'price':
      return `$${step.computed}`
    case 'choice':
      return `${step.pools} pools weighed`
  }
}

/** What became of each step. @param verdict undefined while it runs */
export function toStepLines(receipt: Receipt, seen: readonly VerifyStep[], verdict: Verdict | undefined): StepLine[] {
  const done = new Map(seen.map((step) => [keyOf(step), noteOf(step)]))
  const plan = planSteps(receipt)
  const failedKey = verdict && findFailed(receipt, plan, done, verdict)
  const failedAt = failedKey === undefined ? plan.length : plan.findIndex(({ key }) => key === failedKey)
  const running = plan.find(({ key }) => !done.has(key))?.key
  return plan.map(({ key, text }, place) => {
    if (key === failedKey) return { key, text, state: 'failed', note: describeFailure(verdict) }
    if (place > failedAt) return { key, text, state: 'skipped', note: undefined }
    if (done.has(key) || verdict?.kind === 'equal') return { key, text, state: 'done', note: done.get(key) }
    return { key, text, state: !verdict && key === running ? 'running' : 'waiting', note: undefined }
  })
}

/** The step at which the site and the node part, or at which nothing more could be told. */
function findFailed(
  receipt: Receipt,
  plan: readonly Planned[],
  done: ReadonlyMap<string, unknown>,
  verdict: Verdict,
): string | undefined {
  if (verdict.kind === 'equal') return undefined
  if (verdict.kind === 'not-equal') {
    const pool = receipt.steps.flatMap((step) => step.pools)[verdict.pool - 1]
    if (pool) return `pool ${pool.pool.toLowerCase()}`
    if (verdict.differences[0]?.what.startsWith('hash of block')) return 'block'
    // The price is compared before the choice, with whatever the node said of all pools.
    if (!done.has('rules')) return 'rules'
    return done.has('price') ? 'choice' : 'price'
  }
  return plan.find(({ key }) => !done.has(key))?.key ?? 'choice'
}

const differencesMax = 3

function describeFailure(verdict: Verdict | undefined): string | undefined {
  if (verdict?.kind === 'cannot-tell') return verdict.why
  if (verdict?.kind !== 'not-equal') return undefined
  const told = verdict.differences
    .slice(0, differencesMax)
    .map(({ what, served, found, by = 'the node' }) => `${what}: the site says ${served}, ${by} ${found}`)
  const more = verdict.differences.length - told.length
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
