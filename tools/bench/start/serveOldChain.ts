// A public node of an old chain, in a process of its own: argument 1 is its facts as JSON. Prints its URL.
import { setTimeout as sleep } from 'node:timers/promises'
import { type FabricatedOptions, fabricateChain } from '../../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode, type PublicNodeLimits } from '../../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../../server/testing/fabricated/serveNode.ts'

export type OldChain = { readonly chain: FabricatedOptions; readonly limits: PublicNodeLimits }

const { chain: options, limits } = JSON.parse(process.argv[2] ?? '') as OldChain
const chain = fabricateChain(options)
const node = createPublicNode(chain, limits, { nowMs: () => performance.now(), pause: (ms) => sleep(ms) })
const { url } = await serveNode({
  request: (method, params) => {
    grow()
    return node.request(method, params)
  },
})
console.log(url)

/** The head is as old as the chain's blocks make it, at every node the same. */
function grow(): void {
  const due = options.blocks + Math.floor((Date.now() / 1_000 - options.headSeconds) / options.periodSeconds)
  const behind = due - chain.head().number
  if (behind > 0) chain.grow(behind)
}
