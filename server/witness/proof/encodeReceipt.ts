import type { Hex } from '@chainboard/core'
import { toRlp } from 'viem'
import { bitsOf } from '../bloom.ts'

/** A receipt as a node gives it. */
export type RawReceipt = Readonly<Record<string, unknown>>
type RawLog = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

const bloomBytes = 256
/** Addresses and topics of a block come again and again. */
const bitsMax = 20_000
const bitsOfItem = new Map<string, readonly number[]>()
const hex = /^0x([0-9a-f]{2})*$/i
const isHex = (value: unknown): value is Hex => typeof value === 'string' && hex.test(value)
const quantity = /^0x[0-9a-f]+$/i
/** Ethereum's own (EIP-2718, 2930, 1559, 4844, 7702), and the deposits of the OP stack. */
const [plainTypes, depositType] = [[0, 1, 2, 3, 4], 0x7e]

/**
 * A receipt in the bytes that a block's receipts root is made of. A deposit of the OP stack has its nonce there since Canyon, which
 * its version tells.
 * @returns undefined for a type that has rules of its own, or for what is no receipt
 */
export function encodeReceipt(receipt: RawReceipt): Hex | undefined {
  const type = receipt['type'] === undefined ? 0 : Number(receipt['type'])
  const logs = listRawLogs(receipt)
  const outcome = toOutcome(receipt)
  const gas = toNumber(receipt['cumulativeGasUsed'])
  if (!logs || outcome === undefined || gas === undefined) return undefined
  if (!plainTypes.includes(type) && type !== depositType) return undefined
  const version = type === depositType ? receipt['depositReceiptVersion'] : undefined
  const deposit = version === undefined || version === null ? [] : [toNumber(receipt['depositNonce']), toNumber(version)]
  const depositItems = deposit.filter((item) => item !== undefined)
  if (depositItems.length < deposit.length) return undefined
  const body = toRlp([
    outcome,
    gas,
    toHexBloom(logs),
    logs.map(({ address, topics, data }) => [address, topics, data]),
    ...depositItems,
  ])
  return type === 0 ? body : `0x${type.toString(16).padStart(2, '0')}${body.slice(2)}`
}

/** The bloom of these logs, worked out: the one that a node states is not looked at. */
export function toHexBloom(logs: readonly RawLog[]): Hex {
  const bloom = Buffer.alloc(bloomBytes)
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      for (const bit of bitsFor(item)) {
        const at = bloomBytes - 1 - (bit >> 3)
        bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
      }
    }
  }
  return `0x${bloom.toString('hex')}`
}

function bitsFor(item: Hex): readonly number[] {
  const known = bitsOfItem.get(item)
  if (known) return known
  if (bitsOfItem.size >= bitsMax) bitsOfItem.clear()
  const bits = bitsOf(item)
  bitsOfItem.set(item, bits)
  return bits
}

/** The receipt's logs; undefined when one of them is none. */
export function listRawLogs({ logs }: RawReceipt): readonly RawLog[] | undefined {
  const isLog = (log: Partial<RawLog> | null) =>
    isHex(log?.address) && isHex(log?.data) && Array.isArray(log?.topics) && log.topics.every(isHex)
  return Array.isArray(logs) && logs.every(isLog) ? logs : undefined
}

/** Whether it succeeded, or before Byzantium the state after it. */
function toOutcome({ status, root }: RawReceipt): Hex | undefined {
  return isHex(root) && root.length === 66 ? root : toNumber(status)
}

/** A quantity in whole bytes, zero as none. */
export function toNumber(value: unknown): Hex | undefined {
  if (typeof value !== 'string' || !quantity.test(value)) return undefined
  const digits = value.slice(2).replace(/^0+/, '').toLowerCase()
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}
