import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { routes, type WireStatus } from '@chainboard/contract'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import { makeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { readMemory } from '../readMemory.ts'
import { poll } from '../waiting.ts'
import type { OldChain } from './oldChain.ts'
import { type OldSite, openOldSite, readFrom, readStatus } from './oldSite.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- start [--urls n] [--minutes n] [--blocks n] [--pools n] [--swaps n] [--latency ms] [--per-second n] [--range n] [--out file]
  --urls        public nodes of the chain (default 1)
  --minutes     to watch the server after its 31 days are there (default 2)
  --blocks      in the chain (default 10,000,000, one every 5 s)
  --pools       of the exchange (default 2,000), with a token each
  --swaps       in all blocks (default 5,000,000)
  --latency     of each answer, in milliseconds (default 200)
  --per-second  calls that a node takes (default 15)
  --range       blocks that a node takes per call (default 1,000)
  --out         the document with the section "Start" (default docs/benchmarks.md)`

const periodSeconds = 5
const lookMs = 500
const msMax = 3_600_000
/** A price counts as current up to this age: confirmations, and the poll. */
const nowSecondsMax = 150

/** Measures how soon a new server on a chain with a long history is useful. @throws NotMeasured when it is not within an hour */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { urls, minutes, chain: options, limits, out } = parseOptions(args)
  const facts: OldChain = { chain: options, limits }
  await measureSection({ name: 'start', args, out }, async (measuring) => {
    const site = await openOldSite({ facts, nodes: urls, folder: makeFolder('start'), signal })
    const found = await watch(site, minutes)
    await site.stop()
    return toSection({ ...measuring, facts, urls, ...found })
  })
}

type Milestone = 'listens' | 'prices of now' | '24 hours' | '31 days'
/** What was seen of the server. */
export type Found = {
  readonly seconds: ReadonlyMap<Milestone, number>
  readonly peakMb: number
  readonly history: WireStatus['progress']
  /** The time left that the server stated while it read 31 days, and when. */
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
    status = await readStatus(site)
    if (!status) return undefined
    reach('listens', true)
    const since = status.completeSince
    const { progress } = status
    if (progress?.phase === 'month')
      estimates.push({ atSeconds: (performance.now() - site.startMs) / 1_000, leftSeconds: progress.secondsLeft })
    if (since === null) return undefined
    const days = (Date.now() / 1_000 - since) / 86_400
    const tokens = await readFrom(site, '/assets.json', routes.listTokens.schema.response[200])
    const priced = tokens?.filter(({ priceStatus, priceAsOf }) => priceStatus === 'priced' && isOfNow(priceAsOf)) ?? []
    const isMost = priced.length > (tokens?.length ?? 0) * 0.9
    reach('prices of now', isMost)
    reach(
      '24 hours',
      isMost && days > 1 && priced.every(({ volume24h, priceChange24h }) => volume24h !== null && priceChange24h !== null),
    )
    if (days < 31 || seconds.has('31 days')) return undefined
    const chart = await readFrom(site, `/api/tokens/${priced[1]?.address}/chart?range=1m`, routes.getChart.schema.response[200])
    reach('31 days', (chart?.points.length ?? 0) >= 30)
    return seconds.has('31 days') || undefined
  }
  await poll(look, { what: '31 days', everyMs: lookMs, msMax, signal: site.signal, gone: site.gone })
  for (let i = 0; i < minutes; i += 1) {
    await sleep(60_000, undefined, { signal: site.signal })
    status = await readStatus(site)
    console.log(JSON.stringify(status?.progress))
  }
  return { seconds, estimates, history: status?.progress ?? null, peakMb: readMemory(site.server.pid).peakBytes / 2 ** 20 }
}

const isOfNow = (atSeconds: number | null) => atSeconds !== null && Date.now() / 1_000 - atSeconds <= nowSecondsMax

function parseOptions(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      ...{ urls: { ...text, default: '1' }, minutes: { ...text, default: '2' }, blocks: { ...text, default: '10000000' } },
      ...{ pools: { ...text, default: '2000' }, swaps: { ...text, default: '5000000' }, latency: { ...text, default: '200' } },
      ...{ 'per-second': { ...text, default: '15' }, range: { ...text, default: '1000' } },
      out: outOption,
    },
  })
  const count = (option: Exclude<keyof typeof values, 'out'>, max: number, min = 1) =>
    parseCount({ option, text: values[option], min, max })
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
