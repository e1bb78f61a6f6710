import { Failure, fieldsOf, type Hex } from '@chainboard/core'
import type { Chain, ChainLog, Header } from '../chain/chain.ts'
import { invalid, parseHeader, parseLog, readAnswer } from '../chain/parseAnswer.ts'
import { judgeWeight } from './proof/receiptTraits.ts'
import { type Weight, weighReceipts } from './proof/weighReceipts.ts'

/** Transactions whose receipts are asked for one by one, of a node that knows no `eth_getBlockReceipts`. */
const transactionsMax = 2_000

/** Logs of a block by its receipts, and how these fit its header. */
export type BlockReceipts = { readonly header: Header; readonly logs: readonly ChainLog[]; readonly weight: Weight }

/**
 * All logs of a block out of its receipts: the way that does not go through a node's index of logs. Times are 0, they are in no
 * receipt.
 * @throws Failure of the codes `rpc-…`
 */
export async function readReceipts({ forward }: Pick<Chain, 'forward'>, block: number): Promise<BlockReceipts> {
  const number: Hex = `0x${block.toString(16)}`
  const asked = forward('eth_getBlockByNumber', [number, false])
  const [raw, answer] = await Promise.all([
    asked,
    forward('eth_getBlockReceipts', [number]).catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === 'rpc-refused') return readOneByOne({ forward }, number, await asked)
      throw error
    }),
  ])
  return readAnswer(`receipts of block ${block}`, () => toBlockReceipts(block, raw, answer))
}

function toBlockReceipts(block: number, raw: unknown, answer: unknown): BlockReceipts {
  const header = parseHeader(raw, block)
  if (!Array.isArray(answer)) throw invalid(`The node returned no receipts of block ${block}`, { block })
  const given = answer.map((receipt: unknown) => {
    const fields = fieldsOf(receipt)
    if (!Array.isArray(fields['logs'])) throw invalid(`The node returned a receipt without logs in block ${block}`, { block })
    return fields
  })
  const { weight, receipts } = weighReceipts(fieldsOf(raw), given)
  const logs: unknown[] = receipts.flatMap(({ logs: own }) => (Array.isArray(own) ? own : []))
  return { header, weight, logs: logs.map((log) => ({ ...parseLog(log), timestampSeconds: 0 })) }
}

/** The logs, and whether their receipts make the root of their header, by whatever is known of the chain. @throws Failure of the codes `rpc-…` */
export async function readWeighedLogs(node: Pick<Chain, 'forward'>, block: number) {
  const { logs, weight } = await readReceipts(node, block)
  return { logs, isProven: judgeWeight(weight, nothingKnown) === 'proven' }
}

const nothingKnown = { roots: undefined, blooms: undefined, headers: undefined }

async function readOneByOne({ forward }: Pick<Chain, 'forward'>, number: Hex, block: unknown): Promise<unknown[]> {
  const hashes = fieldsOf(block)['transactions']
  if (!Array.isArray(hashes) || hashes.length > transactionsMax)
    throw invalid(`The node returned no transactions of block ${number}`)
  return Promise.all(hashes.map((hash) => forward('eth_getTransactionReceipt', [hash])))
}
