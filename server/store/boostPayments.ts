import type { Address, Hex } from '@chainboard/core'
import type { Selectable } from 'kysely'
import type { BoostPaymentsTable } from './boostSchema.ts'
import { inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** One payment for a boost. `amountRaw` is in the payment token's smallest unit, which has `decimals`. */
export type BoostPayment = {
  readonly blockNumber: number
  readonly logIndex: number
  readonly token: Address
  readonly payer: Address
  readonly paymentToken: Address
  readonly amountRaw: bigint
  readonly decimals: number
  /** Until when the token was boosted then; pauses and removals move that afterwards. */
  readonly expiresAtSeconds: number
  readonly txHash: Hex
  readonly timestampSeconds: number
}

/** Puts these in the place of all payments of the blocks `from` to `to`; without `to`, from `from` on. */
export async function replaceBoostPayments(
  tx: Tx,
  { from, to }: { readonly from: number; readonly to?: number },
  payments: readonly BoostPayment[],
): Promise<void> {
  const old = tx.deleteFrom('boost_payments').where('block_number', '>=', from)
  await (to === undefined ? old : old.where('block_number', '<=', to)).execute()
  await inSlices(payments.map(toRow), (slice) => tx.insertInto('boost_payments').values(slice).execute())
}

/** Payments newest first, of all tokens or of one, and how many there are on all pages. */
export async function listBoostPayments(
  db: Db | Tx,
  { token, offset, limit }: { readonly token?: Address | undefined; readonly offset: number; readonly limit: number },
): Promise<{ readonly payments: BoostPayment[]; readonly total: number }> {
  const all = db.selectFrom('boost_payments')
  const ours = token === undefined ? all : all.where('token', '=', token)
  const [rows, counted] = await Promise.all([
    ours.selectAll().orderBy('block_number', 'desc').orderBy('log_index', 'desc').limit(limit).offset(offset).execute(),
    ours.select((e) => e.fn.countAll().as('count')).executeTakeFirstOrThrow(),
  ])
  return { payments: rows.map(fromRow), total: Number(counted.count) }
}

/** Payments of the blocks `from` to `to`, in the order of the chain. */
export async function listBoostPaymentsIn(
  db: Db | Tx,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<BoostPayment[]> {
  const rows = await db
    .selectFrom('boost_payments')
    .selectAll()
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return rows.map(fromRow)
}

/** Tokens that were paid for, those with the newest payment first. */
export async function listBoostTokens(db: Db | Tx, limit: number): Promise<Address[]> {
  const rows = await db
    .selectFrom('boost_payments')
    .select('token')
    .groupBy('token')
    .orderBy((e) => e.fn.max('block_number'), 'desc')
    .orderBy('token')
    .limit(limit)
    .execute()
  return rows.map(({ token }) => token)
}

function toRow(payment: BoostPayment): Selectable<BoostPaymentsTable> {
  return {
    block_number: payment.blockNumber,
    log_index: payment.logIndex,
    token: payment.token,
    payer: payment.payer,
    payment_token: payment.paymentToken,
    amount: payment.amountRaw.toString(),
    decimals: payment.decimals,
    expires_at: payment.expiresAtSeconds,
    tx_hash: payment.txHash,
    timestamp: payment.timestampSeconds,
  }
}

function fromRow(row: Selectable<BoostPaymentsTable>): BoostPayment {
  return {
    blockNumber: row.block_number,
    logIndex: row.log_index,
    token: row.token,
    payer: row.payer,
    paymentToken: row.payment_token,
    amountRaw: BigInt(row.amount),
    decimals: row.decimals,
    expiresAtSeconds: row.expires_at,
    txHash: row.tx_hash,
    timestampSeconds: row.timestamp,
  }
}
