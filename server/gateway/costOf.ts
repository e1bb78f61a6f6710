import { fieldsOf, isFields } from '@chainboard/core'

// What calls of strangers cost, in units of a call that a node answers from memory.

/** `code`: runs a contract's code, which a stranger may have written. `logs`: looks through many blocks. `light`: all else. */
export type CallKind = 'light' | 'logs' | 'code'
const kinds: Readonly<Record<string, CallKind>> = { eth_call: 'code', eth_estimateGas: 'code', eth_getLogs: 'logs' }
const units: Readonly<Record<string, number>> = {
  eth_call: 2,
  eth_estimateGas: 3,
  eth_getLogs: 2,
  eth_feeHistory: 2,
  eth_sendRawTransaction: 2,
}
const blocksPerUnit = 500
/** State so far behind the head is in archives alone, which providers charge for. */
const recentBlocks = 128
const archiveUnits = 8
const newestNames: ReadonlySet<unknown> = new Set(['latest', 'pending', 'safe', 'finalized'])
/** Where the method has its block among its params. */
const blockPlaces: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
}
/** A full block has all its transactions in it. */
const fullBlockUnits = 3

/** What kind of call a method makes. */
export const kindOf = (method: string): CallKind => (Object.hasOwn(kinds, method) ? kinds[method] : undefined) ?? 'light'

/**
 * What a call costs before it is made. Pure.
 * @param head the newest block; undefined when it is not known: then no state is old
 */
export function costOf(method: string, params: unknown, head: number | undefined): number {
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  const base = (Object.hasOwn(units, method) ? units[method] : undefined) ?? 1
  if (method === 'eth_getLogs') return base + Math.floor(blocksOf(list[0]) / blocksPerUnit)
  if (/^eth_getBlockBy/.test(method)) return list[1] === true ? fullBlockUnits : base
  const place = Object.hasOwn(blockPlaces, method) ? blockPlaces[method] : undefined
  return place !== undefined && isOld(list[place], head) ? base + archiveUnits : base
}

/** A node's usual answer is free; what takes longer than twice that and this much is not. */
const freeMs = 50
const msPerUnit = 25
const charsPerUnit = 16_384

/** How long a call may take before its time counts. @param usualMs how long the node's cheap answers take now */
export const freeMsOf = (usualMs: number): number => 2 * usualMs + freeMs

/**
 * What a call turned out to cost beyond that: the time that it took the node, and the size of its answer. Pure.
 * @param usualMs how long the node's cheap answers take now
 */
export function costAfter({ nodeMs, usualMs, chars }: { nodeMs: number; usualMs: number; chars: number }): number {
  const extraMs = Math.max(0, nodeMs - freeMsOf(usualMs))
  return Math.floor(extraMs / msPerUnit) + Math.floor(chars / charsPerUnit)
}

/**
 * After a call that kept the node busy its place stays empty for so many times as long: however many processors the node has, strangers have
 * less than one of them for code that burns all its gas. A loop of that much gas takes about 20 ms: what is charged only as time would be
 * free, and two of them fill two processors. A long answer costs this server's own processor.
 */
const slowRestTimes = 2
/** What a call takes beyond twice a usual answer and this keeps the node busy. */
const busyMs = 5
const restMsPerChar = 1 / 4_096
const restMsMax = 10_000

/** How long a place stays empty after a call, in milliseconds: for everybody, and for who has used little lately. */
export type Rest = { readonly ms: number; readonly modestMs: number }

/**
 * How long a call's place at the node stays empty after it. For who has used little: no longer than its answer costs this server, and its time
 * beyond what is free. Pure.
 */
export function restAfter(kind: CallKind, { nodeMs, usualMs, chars }: { nodeMs: number; usualMs: number; chars: number }): Rest {
  const answerMs = Math.min(restMsMax, Math.floor(chars * restMsPerChar))
  const restMs = (freeOfRestMs: number) => {
    const slowMs = kind === 'code' ? slowRestTimes * Math.max(0, nodeMs - freeOfRestMs) : 0
    return Math.min(restMsMax, Math.floor(slowMs) + answerMs)
  }
  return { ms: restMs(2 * usualMs + busyMs), modestMs: restMs(freeMsOf(usualMs)) }
}

function blocksOf(filter: unknown): number {
  const { fromBlock, toBlock } = fieldsOf(filter)
  const [from, to] = [toNumber(fromBlock), toNumber(toBlock)]
  return from === undefined || to === undefined ? 0 : to - from + 1
}

/** A block that is named by its hash may be any one. */
function isOld(block: unknown, head: number | undefined): boolean {
  if (block === undefined || block === null || newestNames.has(block)) return false
  const number = toNumber(isFields(block) ? block['blockNumber'] : block)
  return number === undefined || (head !== undefined && number < head - recentBlocks)
}

/** A quantity as a number; undefined for what is none. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined
}
