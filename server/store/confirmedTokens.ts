import type { Address } from '@chainboard/core'
import { inSlices } from './rows.ts'
import type { Tx } from './store.ts'

/** Notes that tokens were read a second time, and are as stored. */
export async function insertConfirmedTokens(tx: Tx, tokens: readonly Address[]): Promise<void> {
  const rows = tokens.map((token) => ({ token }))
  await inSlices(rows, (slice) =>
    tx
      .insertInto('confirmed_tokens')
      .values(slice)
      .onConflict((c) => c.doNothing())
      .execute(),
  )
}

/** What is stored of these is new, and has to be read a second time. */
export async function deleteConfirmedTokens(tx: Tx, tokens: readonly Address[]): Promise<void> {
  await inSlices(tokens, (slice) => tx.deleteFrom('confirmed_tokens').where('token', 'in', slice).execute())
}

/** After a rollback: a token that comes again is a new one. */
export async function deleteConfirmedWithoutToken(tx: Tx): Promise<void> {
  await tx.deleteFrom('confirmed_tokens').where('token', 'not in', tx.selectFrom('tokens').select('address')).execute()
}
