import { type Address, Failure, type Hex, parseAddress } from '@chainboard/core'
import type { Db, Tx } from './store.ts'

/** How far the events of a boost contract are read, and what is known at that block. */
export type BoostCursor = {
  readonly contract: Address
  readonly startBlock: number
  /** Chain id and genesis; undefined before a node has said them. */
  readonly chain: string | undefined
  /** The last block whose payments will not change any more; undefined before the first. */
  readonly block: { readonly number: number; readonly hash: Hex } | undefined
  /** Decimals of each payment token. */
  readonly decimals: ReadonlyMap<Address, number>
}

const theOnlyRow = 1

/** `undefined` for a store that has never read a boost contract. */
export async function findBoostCursor(db: Db | Tx): Promise<BoostCursor | undefined> {
  const row = await db.selectFrom('boost_cursor').selectAll().where('id', '=', theOnlyRow).executeTakeFirst()
  if (!row) return undefined
  const { block_number, block_hash } = row
  return {
    contract: row.contract,
    startBlock: row.start_block,
    chain: row.chain ?? undefined,
    block: block_number === null || block_hash === null ? undefined : { number: block_number, hash: block_hash },
    decimals: parseDecimals(row.decimals),
  }
}

/** Replaces the cursor, whichever contract it was of. */
export async function setBoostCursor(tx: Tx, { contract, startBlock, chain, block, decimals }: BoostCursor): Promise<void> {
  const row = {
    contract,
    start_block: startBlock,
    chain: chain ?? null,
    block_number: block?.number ?? null,
    block_hash: block?.hash ?? null,
    decimals: JSON.stringify(Object.fromEntries(decimals)),
  }
  await tx
    .insertInto('boost_cursor')
    .values({ id: theOnlyRow, ...row })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute()
}

/** @throws Failure `store-damaged` for a text that `setBoostCursor` did not write */
function parseDecimals(text: string): ReadonlyMap<Address, number> {
  const entries = Object.entries<unknown>(JSON.parse(text)).map(([token, decimals]) => [parseAddress(token), decimals] as const)
  return new Map(
    entries.map(([token, decimals]) => {
      if (token !== undefined && typeof decimals === 'number') return [token, decimals]
      throw new Failure('store-damaged', 'The decimals of the payment tokens cannot be read', { detail: { decimals: text } })
    }),
  )
}
