import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { WireStatus } from '@chainboard/contract'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine, type Machine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { type OldSite, openOldSite, readFrom, readMemoryMb } from '../start/oldSite.ts'
import { toTable } from '../table.ts'
import { poll } from '../waiting.ts'
import { type Beside, describeBeside, measureBeside } from './measureBeside.ts'

export const usage = `npm run bench -- backfill [--blocks n] [--pools n] [--swaps n] [--first n] [--out file]
  --blocks   of the chain (default 10,000,000, one every 5 s)
  --pools    of the exchange (default 2,000), with a token each
  --swaps    in all blocks (default 5,000,000)
  --first    blocks that Ponder reads, too, both alone (default 200,000; 0 leaves it out)
  --out      the document whose section "Backfill" is written (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const periodSeconds = 5
const lookMs = 2_000
const msMax = 4 * 3_600_000
const partsOfReading = 10
/** A node that limits nothing that the server asks for. */
const limits = { blocksMax: 100_000, tellsTimes: true }
/** By proc(5): ticks of the clock of processes. */
const ticksPerSecond = 100

/** Measures how fast a whole chain is stored, in how much memory and on how much disk, and writes the section. @throws Error when it does not end */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { chain, first, out } = parseOptions(args)
  const machine = describeMachine()
  const folder = makeFolder('backfill')
  const site = await openOldSite({ facts: { chain, limits }, nodes: 1, folder, signal })
  const samples = await watch(site, folder, chain)
  await site.stop()
  const closedBytes = sizeOf(join(folder, 'data'))
  removeFolder(folder)
  const beside = first === 0 ? undefined : await measureBeside(chain, first, signal)
  const section = toSection({ args, machine, chain, samples, closedBytes, beside })
  console.log(`\n${section}`)
  writeSection(out, 'backfill', section)
}

/** As of one look. Swaps are those of the blocks that were read. */
type Sample = {
  readonly seconds: number
  readonly swaps: number
  readonly memoryMb: number
  readonly peakMb: number
  readonly bytes: number
  readonly processorSeconds: number
}

/** Looks until all is read. @returns a sample for each part of the reading, then one of the end */
async function watch(site: OldSite, folder: string, chain: FabricatedOptions): Promise<Sample[]> {
  const samples: Sample[] = []
  const take = (swaps: number) => {
    const { pid } = site.server
    const seconds = (performance.now() - site.startMs) / 1_000
    const memory = { memoryMb: readMemoryMb(pid, 'VmRSS'), peakMb: readMemoryMb(pid, 'VmHWM') }
    samples.push({ seconds, swaps, ...memory, bytes: sizeOf(join(folder, 'data')), processorSeconds: readProcessor(pid) })
    console.log(`${seconds.toFixed(0)} s: ${swaps} swaps, ${memory.memoryMb.toFixed(0)} MB`)
  }
  const look = async () => {
    const status = await readFrom<WireStatus>(site, '/api/status')
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

type Facts = {
  readonly args: readonly string[]
  readonly machine: Machine
  readonly chain: FabricatedOptions
  readonly samples: readonly Sample[]
  readonly closedBytes: number
  readonly beside: Beside | undefined
}

function toSection({ args, machine, chain, samples, closedBytes, beside }: Facts): string {
  const count = (value: number) => Math.round(value).toLocaleString('en-US')
  const end = samples.at(-1) as Sample
  const rows = samples.map((sample, i) => {
    const before = samples[i - 1] ?? { seconds: 0, swaps: 0, processorSeconds: 0 }
    const swaps = sample.swaps - before.swaps
    return [
      ...[count(sample.swaps), sample.seconds.toFixed(0), count(swaps / (sample.seconds - before.seconds))],
      ...[count((1e6 * (sample.processorSeconds - before.processorSeconds)) / swaps), count(sample.memoryMb)],
      ...[count(sample.peakMb), count(sample.bytes / sample.swaps)],
    ]
  })
  return [
    '## Backfill\n',
    `How fast a server stores a whole chain, in how much memory and on how much disk: ${count(chain.blocks)} blocks, ${count(chain.pools)} pools, ` +
      `${count(chain.swaps)} swaps, of one node without latency or limits of its own, which needs a processor, too. SQLite.\n`,
    `\`npm run bench -- backfill${args.map((arg) => ` ${arg}`).join('')}\`\n`,
    `${machine.words.map((word) => `- ${word}`).join('\n')}\n`,
    `From the start of the process to the last swap: ${end.seconds.toFixed(0)} s, **${count(chain.swaps / end.seconds)} swaps/s**; ` +
      `most memory ${count(end.peakMb)} MB; ${count(closedBytes / chain.swaps)} bytes a swap on disk after the end.\n`,
    '_Swaps/s_ and _processor_ (microseconds of the server a swap) since the line before; _disk_ with what SQLite keeps beside its file.\n',
    toTable(['Swaps', 'After s', 'Swaps/s', 'Processor', 'Memory MB', 'Most MB', 'Disk, bytes a swap'], rows),
    ...(beside ? [`\n${describeBeside(beside)}`] : []),
  ].join('\n')
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
      out: { ...text, default: join(root, 'docs/benchmarks.md') },
    },
  })
  const count = (option: 'blocks' | 'pools' | 'swaps', max: number) => parseCount({ option, text: values[option], max, usage })
  const chain: FabricatedOptions = {
    ...{ seed: 'an old chain', chainId: 31_337, periodSeconds, headSeconds: Math.floor(Date.now() / 1_000) },
    ...{ blocks: count('blocks', 1_000_000_000), pools: count('pools', 8_000), swaps: count('swaps', 1_000_000_000) },
  }
  const first = parseCount({ option: 'first', text: values.first, min: 0, max: chain.blocks, usage })
  return { chain, first, out: values.out }
}
