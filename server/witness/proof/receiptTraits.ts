import type { Weight } from './weighReceipts.ts'

/** Blocks whose receipts have to make no root, or no bloom, before this chain's are taken for something else. */
const strangeMin = 3

/** What a chain's roots, blooms and header hashes mean: true as by Ethereum's rules, false something else, undefined not known yet. */
export type Traits = {
  readonly roots: boolean | undefined
  readonly blooms: boolean | undefined
  readonly headers: boolean | undefined
}

export type ReceiptTraits = {
  /** Once something held, it holds: a check that fails on every node of every block is the chain's own way, any other failure is a node's. */
  see(block: number, weight: Weight): void
  traits(): Traits
}

/** Learns a chain's ways from receipts of its newest blocks, which every node still has. */
export function createReceiptTraits(): ReceiptTraits {
  const failed = { roots: new Set<number>(), blooms: new Set<number>() }
  let [roots, blooms, headers]: (true | undefined)[] = []
  const told = (known: true | undefined, blocks: ReadonlySet<number>) => known ?? (blocks.size >= strangeMin ? false : undefined)
  return {
    see(block, { isComplete, hasReceipts, hasLogs, root, bloom, header }) {
      if (header) headers = true
      if (!isComplete || !hasReceipts) return
      if (root) roots = true
      else if (root === false && failed.roots.size < strangeMin) failed.roots.add(block)
      if (bloom && hasLogs) blooms = true
      else if (bloom === false && failed.blooms.size < strangeMin) failed.blooms.add(block)
    },
    traits: () => ({ roots: told(roots, failed.roots), blooms: told(blooms, failed.blooms), headers }),
  }
}

/** Whether receipts prove themselves (`proven`), at least do not contradict their header (`plausible`), or are no answer. Pure. */
export function judgeWeight(weight: Weight, { roots, blooms, headers }: Traits): 'proven' | 'plausible' | undefined {
  const { isComplete, root, bloom, header, hasReceipts } = weight
  if (!isComplete || (header === false && headers)) return undefined
  // Some chains give every header the root of an empty list, and a header that cannot be checked may be made up for its receipts.
  if (root && (hasReceipts || roots) && (header || !headers)) return 'proven'
  if (root === false && roots !== false) return undefined
  return bloom === false && blooms !== false ? undefined : 'plausible'
}
