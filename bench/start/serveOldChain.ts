// A public node of an old chain, in a process of its own: argument 1 is its facts as JSON. Prints its URL.
import { setTimeout as sleep } from 'node:timers/promises'
import { type FabricatedOptions, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode, type PublicNodeLimits } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'

export type OldChain = {
  readonly chain: FabricatedOptions
  readonly limits: PublicNodeLimits
  /** Whether it gives the transactions of a block to who asks for them, and not their hashes alone. */
  readonly tellsTransactions?: boolean
}

const { chain: options, limits, tellsTransactions } = JSON.parse(process.argv[2] ?? '') as OldChain
const sender = `0x${'5e'.repeat(20)}`
const chain = fabricateChain(options)
const node = createPublicNode(chain, limits, { nowMs: () => performance.now(), pause: (ms) => sleep(ms) })
const { url } = await serveNode({
  request: async (method, params) => {
    grow()
    const answer = await node.request(method, params)
    const wantsTransactions = method.startsWith('eth_getBlockBy') && Array.isArray(params) && params[1] === true
    return tellsTransactions && wantsTransactions ? addTransactions(answer as { hash: string } | null) : answer
  },
})
console.log(url)

/** As far as an index looks at them: where each stands, and a sender. */
function addTransactions(block: { readonly hash: string } | null) {
  const logs = block ? (chain.find(block.hash)?.logs ?? []) : []
  const byHash = new Map(logs.map((log) => [log.transactionHash, log]))
  const transactions = [...byHash].map(([hash, { transactionIndex, blockNumber, blockHash }]) => ({
    ...{ hash, transactionIndex, blockNumber, blockHash, from: sender },
  }))
  return block && { ...block, transactions }
}

/** The head is as old as the chain's blocks make it, at every node the same. */
function grow(): void {
  const due = options.blocks + Math.floor((Date.now() / 1_000 - options.headSeconds) / options.periodSeconds)
  const behind = due - chain.head().number
  if (behind > 0) chain.grow(behind)
}
