import type { Address } from '@chainboard/core'
import { collectSlices, inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** What the chain says of a token. `decimals` is undefined when its contract does not answer: such a token has no price. */
export type TokenRow = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number | undefined
}

export async function insertTokens(tx: Tx, tokens: readonly TokenRow[]): Promise<void> {
  const rows = tokens.map((token) => ({ ...token, decimals: token.decimals ?? null }))
  await inSlices(rows, (slice) =>
    tx
      .insertInto('tokens')
      .values(slice)
      .onConflict((c) => c.column('address').doNothing())
      .execute(),
  )
}

export async function listTokens(db: Db | Tx, addresses: readonly Address[]): Promise<TokenRow[]> {
  const rows = await collectSlices(addresses, (slice) =>
    db.selectFrom('tokens').selectAll().where('address', 'in', slice).execute(),
  )
  return rows.map((row) => ({ ...row, address: row.address as Address, decimals: row.decimals ?? undefined }))
}

/** Tokens that no pool has any more, after a rollback. */
export async function deleteTokensWithoutPool(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('tokens')
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('pools')
            .select('pools.address')
            .where((p) =>
              p.or([p('pools.token0', '=', p.ref('tokens.address')), p('pools.token1', '=', p.ref('tokens.address'))]),
            ),
        ),
      ),
    )
    .execute()
}
