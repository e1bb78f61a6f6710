import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { WireStatus, WireToken } from '@chainboard/contract'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import { makeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine, type Machine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { toTable } from '../table.ts'
import { poll } from '../waiting.ts'
import { type OldSite, openOldSite, readFrom, readMemoryMb } from './oldSite.ts'
import type { OldChain } from './serveOldChain.ts'

export const usage = `npm run bench -- start [--urls n] [--minutes n] [--blocks n] [--pools n] [--swaps n] [--latency ms] [--per-second n] [--range n] [--out file]
  --urls        public nodes of the chain (default 1)
  --minutes     that the server is watched for after its 31 days are there (default 2)
  --blocks      of the chain (default 10,000,000, one every 5 s)
  --pools       of the exchange (default 2,000), with a token each
  --swaps       in all blocks (default 5,000,000)
  --latency     of each answer, in milliseconds (default 200)
  --per-second  calls that a node takes (default 15)
  --range       blocks that a node takes in one call (default 1,000)
  --out         the document whose section "Start" is written (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const periodSeconds = 5
const lookMs = 500
const msMax = 3_600_000
/** A price counts as one of now up to this age: confirmations, and the poll. */
const nowSecondsMax = 150

/** Measures how soon a server on a chain that it does not know is of use, and writes the section. @throws Error when it never is */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { urls, minutes, chain: options, limits, out } = parseOptions(args)
  const facts: OldChain = { chain: options, limits }
  const machine = describeMachine()
  const site = await openOldSite({ facts, nodes: urls, folder: makeFolder('start'), signal })
  const found = await watch(site, minutes)
  const section = toSection({ args, machine, facts, urls, ...found })
  console.log(`\n${section}`)
  writeSection(out, 'start', section)
  await site.stop()
}

type Milestone = 'listens' | 'prices of now' | '24 hours' | '31 days'
type Found = {
  readonly seconds: ReadonlyMap<Milestone, number>
  readonly peakMb: number
  readonly history: WireStatus['progress']
  /** Time left as it was told, beside what it then took, of the reading of 31 days. */
  readonly estimates: readonly { readonly atSeconds: number; readonly leftSeconds: number }[]
}

async function watch(site: OldSite, minutes: number): Promise<Found> {
  const seconds = new Map<Milestone, number>()
  const estimates: { atSeconds: number; leftSeconds: number }[] = []
  const reach = (milestone: Milestone, isReached: boolean) => {
    if (!isReached || seconds.has(milestone)) return
    seconds.set(milestone, (performance.now() - site.startMs) / 1_000)
    console.log(`${milestone}: ${seconds.get(milestone)?.toFixed(1)} s`)
  }
  let status: WireStatus | undefined
  const look = async () => {
    status = await readFrom<WireStatus>(site, '/api/status')
    if (!status) return undefined
    reach('listens', true)
    const since = status.completeSince
    const { progress } = status
    if (progress?.phase === 'month')
      estimates.push({ atSeconds: (performance.now() - site.startMs) / 1_000, leftSeconds: progress.secondsLeft })
    if (since === null) return undefined
    const days = (Date.now() / 1_000 - since) / 86_400
    const tokens = await readFrom<WireToken[]>(site, '/assets.json')
    const priced = tokens?.filter(({ priceStatus, priceAsOf }) => priceStatus === 'priced' && isOfNow(priceAsOf)) ?? []
    const isMost = priced.length > (tokens?.length ?? 0) * 0.9
    reach('prices of now', isMost)
    reach(
      '24 hours',
      isMost && days > 1 && priced.every(({ volume24h, priceChange24h }) => volume24h !== null && priceChange24h !== null),
    )
    if (days < 31 || seconds.has('31 days')) return undefined
    const chart = await readFrom<{ points: unknown[] }>(site, `/api/tokens/${priced[1]?.address}/chart?range=1m`)
    reach('31 days', (chart?.points.length ?? 0) >= 30)
    return seconds.has('31 days') || undefined
  }
  await poll(look, { what: '31 days', everyMs: lookMs, msMax, signal: site.signal, gone: site.gone })
  for (let i = 0; i < minutes; i += 1) {
    await sleep(60_000, undefined, { signal: site.signal })
    status = await readFrom<WireStatus>(site, '/api/status')
    console.log(JSON.stringify(status?.progress))
  }
  return { seconds, estimates, history: status?.progress ?? null, peakMb: readMemoryMb(site.server.pid, 'VmHWM') }
}

const isOfNow = (atSeconds: number | null) => atSeconds !== null && Date.now() / 1_000 - atSeconds <= nowSecondsMax

type Facts = Found & {
  readonly machine: Machine
  readonly args: readonly string[]
  readonly facts: OldChain
  readonly urls: number
}

function toSection({ args, machine, facts, urls, seconds, peakMb, history, estimates }: Facts): string {
  const { chain, limits } = facts
  const end = seconds.get('31 days') ?? 0
  const errors = estimates
    .filter(({ atSeconds, leftSeconds }) => leftSeconds > 0 && end - atSeconds > 30)
    .map(({ atSeconds, leftSeconds }) => Math.abs(leftSeconds / (end - atSeconds) - 1))
    .sort((a, b) => a - b)
  const count = (value: number) => value.toLocaleString('en-US')
  const rows = [...seconds].map(([what, at]) => [what, `${at.toFixed(1)} s`])
  return [
    '## Start\n',
    `How soon a server is of use on a chain that it does not know: ${count(chain.blocks)} blocks, ${count(chain.pools)} pools, ${count(chain.swaps)} swaps; ` +
      `${urls} ${urls === 1 ? 'node' : 'nodes'} of ${limits.latencyMs} ms, ${limits.perSecond} calls a second and ${limits.blocksMax} blocks a call, ` +
      'without times in logs, that reads logs of named contracts only.\n',
    `Made by \`npm run bench -- start${args.map((arg) => ` ${arg}`).join('')}\`:\n`,
    `${machine.words.map((word) => `- ${word}`).join('\n')}\n`,
    toTable(['', 'after'], rows),
    `\nMost memory: ${peakMb.toFixed(0)} MB. ` +
      (history ? `The history then at ${count(history.blocksPerSecond)} blocks a second. ` : '') +
      (errors.length > 0
        ? `The time left that was told for the 31 days was off by ${(100 * (errors[Math.floor(errors.length / 2)] as number)).toFixed(0)} % at the median.`
        : ''),
  ].join('\n')
}

function parseOptions(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      ...{ urls: { ...text, default: '1' }, minutes: { ...text, default: '2' }, blocks: { ...text, default: '10000000' } },
      ...{ pools: { ...text, default: '2000' }, swaps: { ...text, default: '5000000' }, latency: { ...text, default: '200' } },
      ...{ 'per-second': { ...text, default: '15' }, range: { ...text, default: '1000' } },
      out: { ...text, default: join(root, 'docs/benchmarks.md') },
    },
  })
  const count = (option: Exclude<keyof typeof values, 'out'>, max: number, min = 1) =>
    parseCount({ option, text: values[option], min, max, usage })
  const chain: FabricatedOptions = {
    ...{ seed: 'an old chain', chainId: 31_337, periodSeconds, headSeconds: Math.floor(Date.now() / 1_000) },
    ...{ blocks: count('blocks', 1_000_000_000), pools: count('pools', 8_000), swaps: count('swaps', 1_000_000_000) },
  }
  const limits = {
    ...{ latencyMs: count('latency', 60_000, 0), perSecond: count('per-second', 100_000), blocksMax: count('range', 1_000_000) },
    ...{ wantsAddress: true, tellsTimes: false, addressesMax: 500 },
  }
  return { urls: count('urls', 9), minutes: count('minutes', 600, 0), chain, limits, out: values.out }
}
