// What the lab reads from and sends to its chain.

import { type Address, encodeDeployData, type Hex, numberToHex } from 'viem'
import { readOwnContract } from '../../devnet/artifacts.ts'
import type { Rpc } from '../../devnet/rpc.ts'
import { NotMeasured } from '../notMeasured.ts'

/** Of an unlocked account; without `to` it creates a contract. */
export type Transaction = { readonly from: Address; readonly to?: Address; readonly data: Hex }
/** An event, as the node has it. */
export type Log = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly logIndex: Hex
}
type Receipt = { readonly status: string; readonly transactionHash: Hex; readonly contractAddress: Address | null }

const gas = numberToHex(100_000_000)
/** Below the traders' 1 gwei, so that they come first in a block. */
const attackerTip = numberToHex(500_000_000)
const feeMax = numberToHex(2_000_000_000)

/** Sends without mining, behind what honest traders have sent. @returns hashes */
export async function sendLast(rpc: Rpc, transactions: readonly Transaction[]): Promise<Hex[]> {
  const nonces = new Map<Address, number>()
  for (const { from } of transactions)
    if (!nonces.has(from)) nonces.set(from, Number(await rpc.call<string>('eth_getTransactionCount', [from, 'latest'])))
  const calls = transactions.map(({ from, to, data }) => {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const fees = { gas, maxFeePerGas: feeMax, maxPriorityFeePerGas: attackerTip }
    return ['eth_sendTransaction', [{ from, ...(to ? { to } : {}), data, nonce: numberToHex(nonce), ...fees }]] as const
  })
  return rpc.batch<Hex>(calls)
}

/** Receipts of mined transactions. @throws NotMeasured naming the first that failed, with the node's trace of the reason */
export async function readReceipts(rpc: Rpc, hashes: readonly Hex[]): Promise<Receipt[]> {
  const receipts = await rpc.batch<Receipt | null>(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]))
  const mined = receipts.filter((receipt) => receipt?.status === '0x1').filter((receipt) => receipt !== null)
  if (mined.length === hashes.length) return mined
  const failed = receipts.findIndex((receipt) => receipt?.status !== '0x1')
  const trace = await rpc.call<{ output?: string; error?: string }>('debug_traceTransaction', [
    hashes[failed],
    { tracer: 'callTracer' },
  ])
  throw new NotMeasured(`transaction ${failed} of ${hashes.length} failed: ${trace.error} ${trace.output}`)
}

/** Events that fit, in the order of the chain. */
export function readLogs(rpc: Rpc, filter: object): Promise<Log[]> {
  return rpc.call<Log[]>('eth_getLogs', [filter])
}

/** Balances in the tokens' smallest units, in the order asked. */
export async function readBalances(
  rpc: Rpc,
  of: readonly { readonly token: Address; readonly account: Address }[],
): Promise<bigint[]> {
  const calls = of.map(({ token, account }) => {
    const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`
    return ['eth_call', [{ to: token, data }, 'latest']] as const
  })
  return (await rpc.batch<Hex>(calls)).map(BigInt)
}

/** The data of a transaction that creates a contract. */
export function deployData(name: Parameters<typeof readOwnContract>[0], args: readonly unknown[] = []): Hex {
  const { abi, bytecode } = readOwnContract(name)
  return encodeDeployData({ abi, bytecode, args })
}
