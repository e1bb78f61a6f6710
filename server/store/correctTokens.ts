import { deleteConfirmedTokens } from './confirmedTokens.ts'
import { askAgain } from './oldDollars.ts'
import { findFirstPoolOf } from './pools.ts'
import type { Tx } from './store.ts'
import { findCursor, lockCursor } from './syncCursor.ts'
import { type TokenFactsRow, updateNames } from './tokens.ts'

/** `isNewlyCounted`: its decimals are other ones than were stored. `isWrong`: so dollars that the server vouches for were wrong. */
export type CorrectedToken = Omit<TokenFactsRow, 'totalSupplyRaw'> & {
  readonly isNewlyCounted: boolean
  readonly isWrong: boolean
}

/**
 * Stores what tokens are called in place of what was stored; it has to be read a second time. New decimals change dollars: all blocks
 * since the token's first pool are valued again.
 */
export async function correctTokens(tx: Tx, tokens: readonly CorrectedToken[]): Promise<void> {
  // From here on no block comes and none goes.
  await lockCursor(tx)
  await updateNames(tx, tokens)
  await deleteConfirmedTokens(
    tx,
    tokens.map(({ address }) => address),
  )
  const counted = tokens.filter(({ isNewlyCounted }) => isNewlyCounted).map(({ address }) => address)
  const [first, last] = [await findFirstPoolOf(tx, counted), (await findCursor(tx))?.block]
  if (first !== undefined && last && first <= last.number)
    await askAgain(
      tx,
      first,
      last.number,
      tokens.some(({ isWrong }) => isWrong),
    )
}
