import { Failure, fieldsOf } from '@chainboard/core'

/** Nodes agree on no words, and some run them together: `EVM error InvalidFEOpcode`. */
const revertTexts =
  /revert|invalid ?\w* ?opcode|bad ?instruction|invalid ?jump|out ?of ?gas|stack ?(underflow|overflow|limit)|write protection|return data out of bounds|gas uint64 overflow|opcode ?not ?found|OOG\b/i

/**
 * Whether the node ran a call and the contract said no; anything else is the node's own trouble, and worth another try.
 * @param error a Failure, or what viem throws
 */
export function isRevert(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'rpc-refused' && saysRevert(error.detail['code'], error.message)
  const { code, details, message } = fieldsOf(error)
  return saysRevert(code, `${details ?? ''} ${message ?? ''}`)
}

/** @param code of a JSON-RPC error: 3 is a revert, as far as providers agree */
export function saysRevert(code: unknown, text: string): boolean {
  return code === 3 || revertTexts.test(text)
}
