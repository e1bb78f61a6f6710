import { Failure, type Hex } from '@chainboard/core'
import type { Chain, ChainLog } from '../chain/chain.ts'
import { invalid, parseLog } from '../chain/parseAnswer.ts'

/** Transactions whose receipts are asked for one by one, of a node that knows no `eth_getBlockReceipts`. */
const transactionsMax = 2_000

/**
 * All logs of a block out of its receipts: the way that does not go through a node's index of logs. Times are 0, they are in no
 * receipt.
 * @throws Failure of the codes `rpc-…`
 */
export async function readReceipts({ forward }: Pick<Chain, 'forward'>, block: number): Promise<ChainLog[]> {
  const number: Hex = `0x${block.toString(16)}`
  const answer = await forward('eth_getBlockReceipts', [number]).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'rpc-refused') return readOneByOne({ forward }, number)
    throw error
  })
  if (!Array.isArray(answer)) throw invalid(`The node gave no receipts of block ${block}`, { block })
  return answer.flatMap((receipt: unknown) => {
    const logs = (receipt as { logs?: unknown } | null)?.logs
    if (!Array.isArray(logs)) throw invalid(`The node gave a receipt without logs in block ${block}`, { block })
    return logs.map((log) => ({ ...parseLog(log), timestampSeconds: 0 }))
  })
}

async function readOneByOne({ forward }: Pick<Chain, 'forward'>, number: Hex): Promise<unknown[]> {
  const block = (await forward('eth_getBlockByNumber', [number, false])) as { transactions?: unknown } | null
  const hashes = block?.transactions
  if (!Array.isArray(hashes) || hashes.length > transactionsMax) throw invalid(`The node gave no transactions of block ${number}`)
  return Promise.all(hashes.map((hash) => forward('eth_getTransactionReceipt', [hash])))
}
