import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { readMemory } from '../readMemory.ts'
import { type OldSite, openOldSite, readStatus } from '../start/oldSite.ts'
import { poll } from '../waiting.ts'
import { measureBeside } from './measureBeside.ts'
import { type Sample, toSection } from './report.ts'

export const usage = `npm run bench -- backfill [--blocks n] [--pools n] [--swaps n] [--first n] [--out file]
  --blocks   in the chain (default 10,000,000, one every 5 s)
  --pools    of the exchange (default 2,000), with a token each
  --swaps    in all blocks (default 5,000,000)
  --first    blocks that Ponder reads too, each alone (default 200,000; 0: without Ponder)
  --out      the document with the section "Backfill" (default docs/benchmarks.md)`

const periodSeconds = 5
const lookMs = 2_000
const msMax = 4 * 3_600_000
const partsOfReading = 10
/** A node without limits. */
const limits = { blocksMax: 100_000, tellsTimes: true }
/** See proc(5): unit of the CPU time of processes. */
const ticksPerSecond = 100

/** Measures how fast a whole chain is stored, in how much memory and on how much disk. @throws NotMeasured when it is not within four hours */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { chain, first, out } = parseOptions(args)
  await measureSection({ name: 'backfill', args, out }, async (measuring) => {
    const folder = makeFolder('backfill')
    const site = await openOldSite({ facts: { chain, limits }, nodes: 1, folder, signal })
    const samples = await watch(site, folder, chain)
    await site.stop()
    const closedBytes = sizeOf(join(folder, 'data'))
    removeFolder(folder)
    const beside = first === 0 ? undefined : await measureBeside(chain, first, signal)
    return toSection({ ...measuring, chain, samples, closedBytes, beside })
  })
}

/** Watches until all is read. @returns a sample for each part of the reading, then one of the end */
async function watch(site: OldSite, folder: string, chain: FabricatedOptions): Promise<Sample[]> {
  const samples: Sample[] = []
  const take = (swaps: number) => {
    const { pid } = site.server
    const seconds = (performance.now() - site.startMs) / 1_000
    const { nowBytes, peakBytes } = readMemory(pid)
    const memory = { memoryMb: nowBytes / 2 ** 20, peakMb: peakBytes / 2 ** 20 }
    samples.push({ seconds, swaps, ...memory, bytes: sizeOf(join(folder, 'data')), processorSeconds: readProcessor(pid) })
    console.log(`${seconds.toFixed(0)} s: ${swaps} swaps, ${memory.memoryMb.toFixed(0)} MB`)
  }
  const look = async () => {
    const status = await readStatus(site)
    if (!status || status.block === null) return undefined
    if (status.completeSince === null && status.progress === null) {
      take(chain.swaps)
      return true
    }
    const swaps = status.progress?.phase === 'history' ? (chain.swaps * status.progress.percent) / 100 : 0
    if (swaps * partsOfReading >= chain.swaps * (samples.length + 1)) take(swaps)
    return undefined
  }
  await poll(look, { what: 'the whole chain', everyMs: lookMs, msMax, signal: site.signal, gone: site.gone })
  return samples
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** User and system time of a process so far, in seconds. */
function readProcessor(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

function parseOptions(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      ...{
        blocks: { ...text, default: '10000000' },
        pools: { ...text, default: '2000' },
        swaps: { ...text, default: '5000000' },
      },
      first: { ...text, default: '200000' },
      out: outOption,
    },
  })
  const count = (option: 'blocks' | 'pools' | 'swaps', max: number) => parseCount({ option, text: values[option], max })
  const chain: FabricatedOptions = {
    ...{ seed: 'an old chain', chainId: 31_337, periodSeconds, headSeconds: Math.floor(Date.now() / 1_000) },
    ...{ blocks: count('blocks', 1_000_000_000), pools: count('pools', 8_000), swaps: count('swaps', 1_000_000_000) },
  }
  const first = parseCount({ option: 'first', text: values.first, min: 0, max: chain.blocks })
  return { chain, first, out: values.out }
}
