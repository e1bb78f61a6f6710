import { type Address, type Hex, numberToHex } from 'viem'
import { DevnetFault } from './devnetFault.ts'
import type { Rpc } from './rpc.ts'

/** Of an unlocked account; without `to` it creates a contract. */
export type Transaction = { readonly from: Address; readonly to?: Address; readonly data: Hex; readonly value?: bigint }

const gas = numberToHex(30_000_000)

/**
 * Mines the transactions as one block, each sender's in the given order.
 * @param seconds time of the block; absent: now
 * @throws DevnetFault naming the first that failed
 */
export async function mineAll(rpc: Rpc, transactions: readonly Transaction[], seconds?: number): Promise<void> {
  const nonces = new Map<Address, number>()
  for (const { from } of transactions) {
    if (!nonces.has(from)) nonces.set(from, Number(await rpc.call<string>('eth_getTransactionCount', [from, 'latest'])))
  }
  const calls = transactions.map(({ from, to, data, value }) => {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const call = {
      from,
      data,
      gas,
      nonce: numberToHex(nonce),
      ...(to ? { to } : {}),
      ...(value ? { value: numberToHex(value) } : {}),
    }
    return ['eth_sendTransaction', [call]] as const
  })
  const hashes = await rpc.batch<Hex>(calls)
  await rpc.call('evm_mine', seconds === undefined ? [] : [{ timestamp: seconds }])
  const receipts = await rpc.batch<{ status: string } | null>(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]))
  const failed = receipts.findIndex((receipt) => receipt?.status !== '0x1')
  if (failed < 0) return
  throw new DevnetFault(`transaction ${failed} of ${receipts.length} to ${transactions[failed]?.to ?? 'a new contract'} failed`)
}
