import { type FabricatedOptions, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { installPonder, ponderVersion } from '../index/ponder/install.ts'
import { startPonder } from '../index/ponder/ponder.ts'
import type { OldChain } from '../start/oldChain.ts'
import { openOldSite, readStatus, startNode } from '../start/oldSite.ts'
import { poll } from '../waiting.ts'

/** The first blocks of the chain, read by two programs, one after the other. */
export type Beside = {
  readonly blocks: number
  readonly swaps: number
  readonly ourSeconds: number
  readonly ponderSeconds: number
}

const msMax = 3_600_000
/** Under how many addresses Ponder gets the one node: its rate limit is per address. */
const addresses = 20

/** Measures how long this program and Ponder take for the first blocks, each from the start of its process until all is in its API. */
export async function measureBeside(chain: FabricatedOptions, blocks: number, signal: AbortSignal): Promise<Beside> {
  const swaps = fabricateChain(chain).swapsUntil(blocks)
  const facts: OldChain = { chain, limits: { tellsTimes: true, behind: chain.blocks - blocks }, tellsTransactions: true }
  const installedIn = await installPonder(signal)
  const ourSeconds = await measureOurs(facts, blocks, signal)
  console.log(`The first ${blocks} blocks: ${ourSeconds.toFixed(0)} s`)
  const { child, url } = await startNode(facts, signal)
  const folder = makeFolder('ponder')
  const { chainId, factory } = fabricateChain(chain)
  const running = await startPonder(
    { installedIn, store: 'PGlite', addresses },
    { signal, folder, postgres: undefined, runId: 'backfill', chainId, factory, rpcUrl: url, swaps },
  )
  const { completeAt } = await running.complete
  await running.stop()
  await child.stop()
  removeFolder(folder)
  const ponderSeconds = (completeAt - running.startedAt) / 1_000
  console.log(`Ponder: ${ponderSeconds.toFixed(0)} s`)
  return { blocks, swaps, ourSeconds, ponderSeconds }
}

async function measureOurs(facts: OldChain, blocks: number, signal: AbortSignal): Promise<number> {
  const folder = makeFolder('first-blocks')
  const site = await openOldSite({ facts, nodes: 1, folder, signal })
  const isComplete = async () => {
    const status = await readStatus(site)
    return (status?.block ?? 0) >= blocks && status?.completeSince === null && status.progress === null
  }
  await poll(async () => ((await isComplete()) ? true : undefined), {
    ...{ what: 'the first blocks', everyMs: 100, msMax, signal, gone: site.gone },
  })
  const seconds = (performance.now() - site.startMs) / 1_000
  await site.stop()
  removeFolder(folder)
  return seconds
}

/** Both times, and their ratio. */
export function describeBeside({ blocks, swaps, ourSeconds, ponderSeconds }: Beside): string {
  const count = (value: number) => value.toLocaleString('en-US')
  return (
    `The first ${count(blocks)} blocks with ${count(swaps)} swaps, from a node that ends there, from the start of the process until all is in the API: ` +
    `${ourSeconds.toFixed(1)} s; Ponder ${ponderVersion} with PGlite, with the node under ${addresses} addresses: ${ponderSeconds.toFixed(1)} s, ` +
    `**${(ponderSeconds / ourSeconds).toFixed(1)} times as long**.`
  )
}
