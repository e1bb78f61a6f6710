import { encodeReceipt, listRawLogs, type RawReceipt, toHexBloom } from './encodeReceipt.ts'
import { hasItsHash, type RawBlock } from './hasItsHash.ts'
import { toTrieRoot } from './toTrieRoot.ts'

/** How a block's receipts fit its header. Undefined: that cannot be told. */
export type Weight = {
  /** At least one receipt for each transaction of the block. */
  readonly isComplete: boolean
  /** They make the header's receipts root. */
  readonly root: boolean | undefined
  /** Their logs make the header's bloom. */
  readonly bloom: boolean | undefined
  /** The header's fields make its hash. */
  readonly header: boolean | undefined
  /** Whether there is a receipt, and a log, to tell from: of an empty block every chain says the same. */
  readonly hasReceipts: boolean
  readonly hasLogs: boolean
}

/** @returns the weight, and the receipts that it is of: where they make the root or the bloom, no others count */
export function weighReceipts(
  block: RawBlock,
  receipts: readonly RawReceipt[],
): { readonly weight: Weight; readonly receipts: readonly RawReceipt[] } {
  const { transactions } = block
  const hashes = new Set(Array.isArray(transactions) ? transactions.map(String) : [])
  const listed = sort(receipts.filter(({ transactionHash }) => hashes.has(String(transactionHash))))
  const isComplete =
    Array.isArray(transactions) && new Set(listed.map(({ transactionHash }) => transactionHash)).size === hashes.size
  // What a chain does by itself at a block's end may be listed and be in no root, as Polygon's state sync: it costs no gas.
  const paid = listed.filter(({ gasUsed }) => gasUsed !== '0x0')
  const sets = paid.length === listed.length ? [listed] : [listed, paid]
  const [roots, blooms] = [sets.map((set) => makesRoot(block, set)), sets.map((set) => makesBloom(block, set))]
  const [rooted, bloomed] = [roots.indexOf(true), blooms.indexOf(true)]
  return {
    weight: {
      isComplete,
      root: rooted >= 0 || roots[0],
      bloom: bloomed >= 0 || blooms[0],
      header: hasItsHash(block),
      hasReceipts: receipts.length > 0,
      hasLogs: receipts.some(({ logs }) => Array.isArray(logs) && logs.length > 0),
    },
    receipts: sets[rooted] ?? sets[bloomed] ?? receipts,
  }
}

function sort(receipts: readonly RawReceipt[]): RawReceipt[] {
  return receipts.toSorted((a, b) => Number(a['transactionIndex'] ?? 0) - Number(b['transactionIndex'] ?? 0))
}

function makesRoot({ receiptsRoot }: RawBlock, receipts: readonly RawReceipt[]): boolean | undefined {
  const encoded = receipts.map(encodeReceipt)
  if (typeof receiptsRoot !== 'string' || !encoded.every((each) => each !== undefined)) return undefined
  return toTrieRoot(encoded) === receiptsRoot.toLowerCase()
}

function makesBloom({ logsBloom }: RawBlock, receipts: readonly RawReceipt[]): boolean | undefined {
  const logs = receipts.map(listRawLogs)
  if (typeof logsBloom !== 'string' || logs.includes(undefined)) return undefined
  return toHexBloom(logs.flatMap((each) => each ?? [])) === logsBloom.toLowerCase()
}
