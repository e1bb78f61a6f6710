import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { at } from '../../devnet/at.ts'
import type { Chain } from '../../server/chain/chain.ts'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { indexedTopics } from '../../server/indexer/decodeLog.ts'
import { toWantedContracts } from '../../server/indexer/wantedContracts.ts'
import { type FabricatedChain, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { createPublicNode, type NodeClock, type PublicNodeLimits } from '../../server/testing/fabricated/publicNode.ts'
import { serveNode } from '../../server/testing/fabricated/serveNode.ts'
import { CheckFailed } from '../checkFailed.ts'
import { toAddress } from '../hex.ts'
import { type Measuring, measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'

export const usage = `npm run bench -- chain [--blocks n] [--out file]
  --blocks   of history to read (default 600000)
  --out      the document with the section "Chain" (default docs/benchmarks.md)`

/** A free public node. */
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

/** Reads a history from one public node and from several. @throws CheckFailed when several are not as much faster as they should be */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options: { blocks: { type: 'string', default: '600000' }, out: outOption } })
  const blocks = parseCount({ option: 'blocks', text: values.blocks, max: 100_000_000 })
  const compared: Compared[] = []
  await measureSection({ name: 'chain', args, out: values.out }, async (measuring) => {
    const chain = fabricateChain({
      ...{ seed: 'bench', chainId: 31_337, blocks, pools: 100, swaps: Math.floor(blocks / 4), periodSeconds: 2 },
      headSeconds: 1_790_000_000,
    })
    // At the same time: they wait more than they work, and other work on the machine affects all of them.
    const measured = await Promise.all(cases.map(({ nodes }) => measure(chain, nodes, signal)))
    compared.push(...compare(measured))
    return toSection({ ...measuring, blocks, compared })
  })
  const missed = compared.filter(({ ratio, ratioMin }) => ratio < ratioMin)
  if (missed.length > 0)
    throw new CheckFailed(
      missed
        .map(({ name, ratio, ratioMin }) => `${name}: ${ratio.toFixed(2)} times as fast as one, expected at least ${ratioMin}`)
        .join('\n'),
    )
}

/** A case with its speed, as a multiple of the first one's. */
export type Compared = Case & Measured & { readonly ratio: number }

/** Compares with the first case. @param measured in the order of the cases @throws RangeError when one is missing */
export function compare(measured: readonly Measured[]): Compared[] {
  const { blocksPerSecond } = at(measured, 0)
  return cases.map((each, i) => {
    const own = at(measured, i)
    return { ...each, ...own, ratio: own.blocksPerSecond / blocksPerSecond }
  })
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
    if (logs !== expected) throw new CheckFailed(`Read ${logs} swaps, the chain has ${expected}`)
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

/** Reads all of the chain. @returns how many swaps of its pools there were @throws CheckFailed for a range that does not continue the one before */
async function readAll(ours: Chain, chain: FabricatedChain, signal: AbortSignal): Promise<number> {
  const contracts = toWantedContracts({ factory: toAddress(chain.factory), onlyTokens: undefined }, async () => [])
  const to = chain.head().number
  let [logs, last] = [0, chain.under(chain.head(), 0)?.hash ?? '']
  const request = { from: 1, to, topics: indexedTopics, contracts, order: 'up', spanMax } as const
  for await (const range of ours.readHistory({ ...request, anchor: { number: 0, hash: last }, signal })) {
    if (range.headers[0]?.parentHash !== last)
      throw new CheckFailed(`The range from block ${range.headers[0]?.number} on does not follow`)
    last = range.headers.at(-1)?.hash ?? ''
    logs += range.logs.filter(({ topics }) => topics[0] === swapTopic).length
  }
  signal.throwIfAborted()
  return logs
}

const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'

/** The section "Chain" of the document. */
export function toSection({
  blocks,
  compared,
  ...measuring
}: Measuring & { blocks: number; compared: readonly Compared[] }): string {
  return [
    ...toHead({
      ...measuring,
      title: 'Chain: history of public nodes',
      about: `${blocks.toLocaleString('en-US')} blocks with a swap in every fourth, from simulated nodes on this machine that answer after 200 ms, take 15 calls per second and
1,000 blocks per call, state no block times, and require contract addresses. Only reading is measured, to the last block, without prior knowledge of the nodes. The three cases run at the same time, each with its own nodes. A node that hangs accepts every call and answers none.`,
    }),
    toTable(
      ['Nodes', 'Seconds', 'Blocks/s', 'Times one URL', 'Goal', 'Calls answered', 'Calls refused'],
      compared.map(({ name, seconds, blocksPerSecond, ratio, ratioMin, answered, refused }) => [
        ...[name, seconds.toFixed(1), blocksPerSecond.toFixed(0), ratio.toFixed(2)],
        ...[ratioMin, answered, refused].map(String),
      ]),
    ),
  ].join('\n\n')
}
