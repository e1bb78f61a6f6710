import type { Chain } from '../chain/chain.ts'
import type { Store } from '../store/store.ts'
import type { Backing } from './judgeRepair.ts'
import { pickEvidence } from './pickEvidence.ts'
import type { ReceiptTraits } from './proof/receiptTraits.ts'
import { readEvidence } from './readEvidence.ts'
import { type CreatedBlockOf, type Keeping, type Lines, toLines } from './spanEvents.ts'

export type JudgeDeps = Keeping & { readonly nodes: readonly Chain[]; readonly store: Store; readonly receipts: ReceiptTraits }

/** What an index has to have of a block, and what says so. */
export type Truth = { readonly lines: Lines; readonly backing: Backing }

/**
 * What an index has to have of a block, by the receipts that nodes give of the very block that the index holds: by those that prove
 * themselves, or else by more than half of them.
 * @returns undefined when no node gives them, or the nodes have another block of that number; `tied` when they contradict each other
 */
export async function judgeBlock(deps: JudgeDeps, block: number, created: CreatedBlockOf): Promise<Truth | 'tied' | undefined> {
  const asked = { read: deps.store.read, receipts: deps.receipts }
  const answers = await readEvidence(asked, deps.nodes, block)
  const voices = answers.map(({ logs, isProven }) => ({ items: [...toLines(deps, logs, created)], isProven }))
  const verdict = pickEvidence(voices, ([text]) => text)
  if (!verdict || verdict === 'tied') return verdict
  const { items, ...weight } = verdict
  return { lines: new Map(items), backing: { ...weight, claim: items.map(([text]) => text).join('\n') } }
}
