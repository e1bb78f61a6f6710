import type { Address, Hex } from '@chainboard/core'
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
    contract: row.contract as Address,
    startBlock: row.start_block,
    chain: row.chain ?? undefined,
    block: block_number === null || block_hash === null ? undefined : { number: block_number, hash: block_hash as Hex },
    decimals: new Map(Object.entries(JSON.parse(row.decimals) as Record<Address, number>) as [Address, number][]),
  }
}

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
