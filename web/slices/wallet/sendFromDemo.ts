import type { privateKeyToAccount } from 'viem/accounts'
import type { CallNode } from '../../lib/callNode.ts'

type Hex = `0x${string}`
type Account = ReturnType<typeof privateKeyToAccount>
/** `eth_sendTransaction`'s own: hexadecimal quantities. */
type Fields = Readonly<Record<string, string>>

const defaultTip = 1_000_000_000n
const gasLimitMax = 30_000_000n

/** Fills in what a transaction lacks, signs it and hands it to the node. One after the other, so that no two get the same number. */
export function createSender(account: Account, chainId: number, call: CallNode): (fields: Fields) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve()
  const readQuantity = async (method: string, params: readonly unknown[]) => BigInt((await call(method, params)) as string)

  async function readFees(fields: Fields) {
    const block = (await call('eth_getBlockByNumber', ['latest', false])) as { readonly baseFeePerGas?: string }
    const tip = await readQuantity('eth_maxPriorityFeePerGas', []).catch(() => defaultTip)
    const maxPriorityFeePerGas = fields['maxPriorityFeePerGas'] ? BigInt(fields['maxPriorityFeePerGas']) : tip
    const maxFeePerGas = fields['maxFeePerGas']
      ? BigInt(fields['maxFeePerGas'])
      : BigInt(block.baseFeePerGas ?? '0x0') * 2n + maxPriorityFeePerGas
    return { maxFeePerGas, maxPriorityFeePerGas }
  }

  async function send(fields: Fields): Promise<unknown> {
    const { to, data = fields['input'], value = '0x0' } = fields
    const from = account.address
    const call_ = { from, value, ...(to && { to }), ...(data && { data }) }
    const [nonce, estimated, fees] = await Promise.all([
      readQuantity('eth_getTransactionCount', [from, 'pending']),
      fields['gas'] ? BigInt(fields['gas']) : readQuantity('eth_estimateGas', [call_]),
      readFees(fields),
    ])
    // A quarter more than estimated: the market may move between now and the block.
    const wanted = fields['gas'] ? estimated : (estimated * 5n) / 4n
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: Number(nonce),
      gas: wanted < gasLimitMax ? wanted : gasLimitMax,
      value: BigInt(value),
      ...fees,
      ...(to && { to: to as Hex }),
      ...(data && { data: data as Hex }),
    })
    return call('eth_sendRawTransaction', [signed])
  }

  return (fields) => {
    const next = last.then(() => send(fields))
    last = next.catch(() => undefined)
    return next
  }
}
