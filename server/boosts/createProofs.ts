import type { ChainLog } from '../chain/chain.ts'
import { type Decimals, decodeBoostLogs, saysDecimals } from './decodeBoostLogs.ts'

/** Blocks that receipts have decided about and that are remembered; the oldest go first. */
const provenMax = 20_000

/** What receipts have decided. */
export type Proofs = {
  has(block: number): boolean
  add(block: number, logs: readonly ChainLog[]): void
  clear(): void
  /** Decimals of payment tokens as the contract took them before a block. */
  decimalsBefore(block: number): Decimals
}

/** Of no block yet. */
export function createProofs(): Proofs {
  const proven = new Set<number>()
  /** Logs of decimals, in the order of the chain. */
  let decimalLogs: readonly ChainLog[] = []
  return {
    has: (block) => proven.has(block),
    add(block, logs) {
      proven.add(block)
      for (const oldest of proven) {
        if (proven.size <= provenMax) break
        proven.delete(oldest)
      }
      const others = decimalLogs.filter(({ blockNumber }) => blockNumber !== block)
      decimalLogs = [...others, ...logs.filter(saysDecimals)].sort(byPlace)
    },
    clear() {
      proven.clear()
      decimalLogs = []
    },
    decimalsBefore(block) {
      const before = decimalLogs.filter(({ blockNumber }) => blockNumber < block)
      return decodeBoostLogs(before, new Map()).decimals
    },
  }
}

function byPlace(a: ChainLog, b: ChainLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}
