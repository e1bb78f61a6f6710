import type { Address } from '@chainboard/core'
import type { Doubt } from '../store/poolChecks.ts'
import type { Confirmation } from './createConfirmation.ts'
import type { SecondReading } from './createSecondReading.ts'
import { describeUnconfirmed, describeUndecided } from './doubtTexts.ts'
import type { Claims } from './judgeRepair.ts'
import type { Verification } from './witness.ts'

type Deps = {
  readonly factory: Address
  readonly nowSeconds: () => number
  readonly second: Pick<SecondReading, 'waiting'>
  readonly claims: Pick<Claims, 'why'>
  readonly confirmation: Pick<Confirmation, 'pending'>
  /** Any other reason, in words; undefined: none. It counts least. */
  readonly why: () => string | undefined
}

/**
 * Why the index is not known to be right, and the doubts that go with it: a block that waits for its repair is one beside those that are
 * stored.
 */
export function createUncertainty({ factory, nowSeconds, second, claims, confirmation, why }: Deps) {
  /** The block that is in doubt as a whole, and since when. */
  let unsure: { readonly block: number; readonly sinceSeconds: number } | undefined

  const toDoubt = (block: number): Doubt => {
    if (unsure?.block !== block) unsure = { block, sinceSeconds: nowSeconds() }
    return { pool: factory, blockNumber: block, what: 'unproven', sinceSeconds: unsure.sinceSeconds }
  }

  return (doubts: readonly Doubt[]): Pick<Verification, 'unsure' | 'doubts'> => {
    const waiting = second.waiting()
    const undecided = waiting?.isUndecided ? describeUndecided(waiting.block) : undefined
    const reason = waiting && (claims.why(waiting.block) ?? undecided)
    if (waiting && reason) return { unsure: reason, doubts: [...doubts, toDoubt(waiting.block)] }
    const again = confirmation.pending()
    return { unsure: again === undefined ? why() : describeUnconfirmed(again), doubts }
  }
}
