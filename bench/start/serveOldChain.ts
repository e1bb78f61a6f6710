// A public node of a chain with a long history, in a process of its own: argument 1 is its facts as JSON. Prints its URL.
import { setTimeout as sleep } from 'node:timers/promises'
import { fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'
import { parseJson } from '../checkShape.ts'
import { oldChain } from './oldChain.ts'

const { chain: options, limits, tellsTransactions } = parseJson(oldChain, process.argv[2] ?? '', 'the facts')
const sender = `0x${'5e'.repeat(20)}`
const chain = fabricateChain(options)
const node = createPublicNode(chain, limits, { nowMs: () => performance.now(), pause: (ms) => sleep(ms) })
const { url } = await serveNode({
  request: async (method, params) => {
    grow()
    const answer = await node.request(method, params)
    const wantsTransactions = method.startsWith('eth_getBlockBy') && Array.isArray(params) && params[1] === true
    return tellsTransactions && wantsTransactions ? addTransactions(answer) : answer
  },
})
console.log(url)

/** What an index reads of them: the place of each, and a sender. */
function addTransactions(block: unknown): unknown {
  if (typeof block !== 'object' || block === null || !('hash' in block)) return block
  const logs = chain.find(String(block.hash))?.logs ?? []
  const byHash = new Map(logs.map((log) => [log.transactionHash, log]))
  const transactions = [...byHash].map(([hash, { transactionIndex, blockNumber, blockHash }]) => ({
    ...{ hash, transactionIndex, blockNumber, blockHash, from: sender },
  }))
  return { ...block, transactions }
}

/** The head is as old as the chain's blocks make it, at every node the same. */
function grow(): void {
  const due = options.blocks + Math.floor((Date.now() / 1_000 - options.headSeconds) / options.periodSeconds)
  const behind = due - chain.head().number
  if (behind > 0) chain.grow(behind)
}
