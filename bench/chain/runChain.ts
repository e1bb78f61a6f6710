import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Address } from '@chainboard/core'
import type { Chain } from '../../server/chain/chain.ts'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { indexedTopics } from '../../server/indexer/decodeLog.ts'
import { toWantedContracts } from '../../server/indexer/wantedContracts.ts'
import { type FabricatedChain, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode, type NodeClock, type PublicNodeLimits } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { toTable } from '../table.ts'

export const usage = `npm run bench -- chain [--blocks n] [--out file]
  --blocks   how much of a history is read (default 600000)
  --out      the document whose section "Chain" is written (default docs/benchmarks.md)`

/** What small operators begin with. */
const publicNode: PublicNodeLimits = { latencyMs: 200, perSecond: 15, blocksMax: 1_000, tellsTimes: false, wantsAddress: true }
const hung: PublicNodeLimits = { ...publicNode, hangs: true }
const spanMax = 10_000
const clock: NodeClock = { nowMs: () => performance.now(), pause: (ms) => sleep(ms) }

type Case = { readonly name: string; readonly nodes: readonly PublicNodeLimits[]; readonly ratioMin: number }

const cases: readonly Case[] = [
  { name: 'one URL', nodes: [publicNode], ratioMin: 1 },
  { name: 'three URLs', nodes: [publicNode, publicNode, publicNode], ratioMin: 2.5 },
  { name: 'three URLs, the first hangs', nodes: [hung, publicNode, publicNode], ratioMin: 1.7 },
]

type Measured = {
  readonly seconds: number
  readonly blocksPerSecond: number
  readonly answered: number
  readonly refused: number
}

/** Measures how fast a history is read of one public node and of several. @throws Error when several are not as much faster as they have to be */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      blocks: { type: 'string', default: '600000' },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const blocks = parseCount({ option: 'blocks', text: values.blocks, max: 100_000_000, usage })
  const machine = describeMachine()
  const chain = fabricateChain({
    ...{ seed: 'bench', chainId: 31_337, blocks, pools: 100, swaps: Math.floor(blocks / 4), periodSeconds: 2 },
    headSeconds: 1_790_000_000,
  })
  // Side by side: they wait more than they work, and what else the machine does hits all of them.
  const measured = await Promise.all(cases.map(({ nodes }) => measure(chain, nodes, signal)))
  const one = (measured[0] as Measured).blocksPerSecond
  const missed: string[] = []
  const rows = cases.map(({ name, ratioMin }, i) => {
    const { seconds, blocksPerSecond, answered, refused } = measured[i] as Measured
    const ratio = blocksPerSecond / one
    if (ratio < ratioMin) missed.push(`${name}: ${ratio.toFixed(2)} times as fast as one, ${ratioMin} wanted`)
    return [name, seconds.toFixed(1), blocksPerSecond.toFixed(0), ratio.toFixed(2), `${ratioMin}`, `${answered}`, `${refused}`]
  })
  const section = toSection(blocks, rows, machine.words)
  console.log(`\n${section}`)
  writeSection(values.out, 'chain', section)
  console.log(`Written to ${values.out}`)
  if (missed.length > 0) throw new Error(missed.join('\n'))
}

async function measure(chain: FabricatedChain, limits: readonly PublicNodeLimits[], signal: AbortSignal): Promise<Measured> {
  const nodes = limits.map((each) => createPublicNode(chain, each, clock))
  const served = await Promise.all(nodes.map(serveNode))
  try {
    const startedMs = performance.now()
    const logs = await readAll(
      createViemChain(
        served.map(({ url }) => url),
        { paced: true },
      ),
      chain,
      signal,
    )
    const seconds = (performance.now() - startedMs) / 1_000
    const expected = chain.swapsUntil(chain.head().number)
    if (logs !== expected) throw new Error(`${logs} swaps came, the chain has ${expected}: nothing was measured`)
    return {
      seconds,
      blocksPerSecond: chain.head().number / seconds,
      answered: nodes.reduce((sum, { seen }) => sum + seen.answered, 0),
      refused: nodes.reduce((sum, { seen }) => sum + seen.tooFast + seen.tooWide, 0),
    }
  } finally {
    await Promise.all(served.map(({ stop }) => stop()))
  }
}

/** Reads all of the chain. @returns how many swaps of its pools came @throws Error for a gap, or a range that does not continue the one before */
async function readAll(ours: Chain, chain: FabricatedChain, signal: AbortSignal): Promise<number> {
  const contracts = toWantedContracts({ factory: chain.factory as Address, onlyTokens: undefined }, async () => [])
  const to = chain.head().number
  let [logs, last] = [0, chain.under(chain.head(), 0)?.hash as string]
  const request = { from: 1, to, topics: indexedTopics, contracts, order: 'up', spanMax } as const
  for await (const range of ours.readHistory({ ...request, anchor: { number: 0, hash: last }, signal })) {
    if (range.headers[0]?.parentHash !== last)
      throw new Error(`The range from block ${range.headers[0]?.number} on does not follow`)
    last = range.headers.at(-1)?.hash as string
    logs += range.logs.filter(({ topics }) => topics[0] === swapTopic).length
  }
  signal.throwIfAborted()
  return logs
}

const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'

function toSection(blocks: number, rows: readonly string[][], machine: readonly string[]): string {
  const head = ['Nodes', 'Seconds', 'Blocks/s', 'As fast as one', 'Wanted', 'Calls answered', 'Calls refused']
  return `## Chain: history of public nodes

${blocks.toLocaleString('en-US')} blocks with a swap in every fourth, of fabricated nodes on this machine that answer after 200 ms, take 15 calls a second and 1,000 blocks a
call, tell no times, and want contracts named. Reading alone, to the last block, with nothing known of the nodes at the start; the three readings run side by side,
each with nodes of its own. A node that hangs takes every call and answers none.

\`npm run bench -- chain\`

${toTable(head, rows)}

${machine.map((line) => `- ${line}`).join('\n')}
`
}
