import type { Address } from '@chainboard/core'
import { formatTransaction, keccak256, recoverTransactionAddress, serializeTransaction, type TransactionSerializable } from 'viem'

/** The types that Ethereum's wallets sign, but for blobs, which no trade carries. Chains have types of their own besides. */
const signedTypes: readonly string[] = ['legacy', 'eip2930', 'eip1559', 'eip7702']
/** A test chain that sends for anybody writes small numbers where a signature would be. */
const signatureMin = 2n ** 128n

/** `unfit`: the fields do not make the hash. `none`: the type is another one, or the transaction has no signature. */
export type SenderProof =
  | { readonly kind: 'signed'; readonly type: string; readonly by: Address }
  | { readonly kind: 'unfit'; readonly type: string }
  | { readonly kind: 'none' }

/** Who signed a transaction, by its signature and not by the node's word. */
export async function proveSender(answer: object): Promise<SenderProof> {
  try {
    const transaction = formatTransaction(answer)
    const { type, hash, r, s, v, yParity } = transaction
    if (!signedTypes.includes(type) || BigInt(r) < signatureMin || BigInt(s) < signatureMin) return { kind: 'none' }
    // viem's fields of a mined transaction and of one to be signed have the same names.
    const { chainId, input: data, ...fields } = transaction
    const unsigned = { ...fields, data, ...(chainId === undefined ? {} : { chainId }) } as unknown as TransactionSerializable
    const serialized = serializeTransaction(unsigned, { r, s, v, ...(yParity === undefined ? {} : { yParity }) })
    if (keccak256(serialized) !== hash.toLowerCase()) return { kind: 'unfit', type }
    const signer = await recoverTransactionAddress({ serializedTransaction: serialized })
    return { kind: 'signed', type, by: `0x${signer.slice(2).toLowerCase()}` }
  } catch {
    // Whatever form it has, it is none that is known.
    return { kind: 'none' }
  }
}
