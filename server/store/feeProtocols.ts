import type { Address } from '@chainboard/core'
import { inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** The share of a pool's fees that goes to the protocol from an event on. `feeProtocol` as in `slot0`. */
export type FeeProtocolChange = {
  readonly kind: 'setFeeProtocol'
  readonly blockNumber: number
  readonly logIndex: number
  readonly timestampSeconds: number
  readonly pool: Address
  readonly feeProtocol: number
}

/** One of a block and log that is there already fails the transaction: that is a bug of the writer. */
export async function insertFeeProtocols(tx: Tx, changes: readonly FeeProtocolChange[]): Promise<void> {
  const rows = changes.map((change) => ({
    block_number: change.blockNumber,
    log_index: change.logIndex,
    timestamp: change.timestampSeconds,
    pool: change.pool,
    fee_protocol: change.feeProtocol,
  }))
  await inSlices(rows, (slice) => tx.insertInto('fee_protocols').values(slice).execute())
}

/** Changes of all pools until a block, in the order of the chain: few, governance makes them. */
export async function listFeeProtocols(db: Db | Tx, toBlock: number): Promise<FeeProtocolChange[]> {
  const rows = await db
    .selectFrom('fee_protocols')
    .selectAll()
    .where('block_number', '<=', toBlock)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return rows.map((row) => ({
    kind: 'setFeeProtocol',
    blockNumber: row.block_number,
    logIndex: row.log_index,
    timestampSeconds: row.timestamp,
    pool: row.pool,
    feeProtocol: row.fee_protocol,
  }))
}

/** The block of a pool's first change; undefined: the protocol never had a share of its fees. */
export async function findFirstFeeProtocol(db: Db | Tx, pool: Address): Promise<number | undefined> {
  const rows = db.selectFrom('fee_protocols').select('block_number').where('pool', '=', pool)
  return (await rows.orderBy('block_number').limit(1).executeTakeFirst())?.block_number
}

/** After a rollback: deletes the changes of the blocks above a height. */
export async function deleteFeeProtocolsAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('fee_protocols').where('block_number', '>', blockNumber).execute()
}
