import type { Hex } from '@chainboard/core'
import { keccak256, toRlp } from 'viem'
import { toNumber } from './encodeReceipt.ts'

/** A block as a node gives it. */
export type RawBlock = Readonly<Record<string, unknown>>

/** What is hashed, in order: bytes as they are, and numbers. From `baseFeePerGas` on each was added by a fork, and is there with all before it. */
const bytes = ['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'] as const
const numbers = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'] as const
const ends = ['extraData', 'mixHash', 'nonce'] as const
const added = [
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const
const addedNumbers: readonly string[] = ['baseFeePerGas', 'blobGasUsed', 'excessBlobGas']
/** What an answer has besides. */
const beside = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']
const known = new Set<string>([...bytes, ...numbers, ...ends, ...added, ...beside])

/**
 * The hash that a block's fields make (yellow paper, 4.3, and the forks since).
 * @returns undefined when a field is missing, or there is one that may belong to it: chains and forks add some
 */
export function toHeaderHash(block: RawBlock): Hex | undefined {
  const has = (name: string) => block[name] !== undefined && block[name] !== null
  if (Object.keys(block).some((name) => !known.has(name))) return undefined
  const count = added.findLastIndex(has) + 1
  const fields = [
    ...bytes.map((name) => block[name]),
    ...numbers.map((name) => toNumber(block[name])),
    ...ends.map((name) => block[name]),
    ...added.slice(0, count).map((name) => (addedNumbers.includes(name) ? toNumber(block[name]) : block[name])),
  ]
  return fields.every(isBytes) ? keccak256(toRlp(fields)) : undefined
}

function isBytes(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)
}
