import { setTimeout as sleep } from 'node:timers/promises'
import { routes, type WireStatus } from '@chainboard/contract'
import { messageOf } from '@chainboard/core'
import { checkShape, fetchJson } from '../checkShape.ts'
import { NotMeasured } from '../notMeasured.ts'
import { poll } from '../waiting.ts'
import { describeDifference, indexFromScratch, readIndexOf } from './compareWithScratch.ts'
import { listDataReads, type ReadTally, watchReads } from './dataReads.ts'
import type { Lab, Trial } from './kind.ts'
import type { Market } from './market.ts'
import { type Seen, watchSite } from './watchSite.ts'

/** What one fault did to a server. */
export type Row = {
  readonly seen: Seen
  /** Reads of data during the fault. Empty where none were asked for. */
  readonly reads: readonly ReadTally[]
  /** How often the server ended by itself. */
  readonly ends: number
  /**
   * Seconds from the fault's end until the status was `live` with the newest block of that moment in an index that is equal; undefined:
   * not within the limit.
   */
  readonly recoverySeconds: number | undefined
  /** The first difference from an index from scratch. */
  readonly difference: string | undefined
  /** What those programs wrote that ended, or refused to start. */
  readonly words: readonly string[]
  /** The server's log. */
  readonly log: string
}

type Parts = {
  readonly lab: Lab
  readonly market: Market
  readonly faultMs: number
  readonly reorgs: boolean
  /** Ask for charts, lists and the like during the fault, too; each was asked for once before it. */
  readonly asksData: boolean
}

const startMsMax = 60_000
const recoveryMsMax = 60_000
const caughtUpMsMax = 10_000
const compareEveryMs = 2_000
const reorgDepth = 3

/** Begins a fault, watches the site during it, ends it, and waits until the index is right. */
export async function runTrial(trial: Trial, { lab, market, faultMs, reorgs, asksData }: Parts): Promise<Row> {
  const { site } = trial
  try {
    if (!trial.atStart) {
      await site.start()
      await waitUntilLive(site.url, { signal: lab.signal, msMax: startMsMax })
    }
    const early = trial.atStart ? undefined : watchSite(site.url)
    const reads = asksData && early ? watchReads(site.url, listDataReads(await findToken(site.url))) : undefined
    await reads?.once
    await trial.begin()
    reads?.begin()
    const watch = early ?? watchSite(site.url)
    await sleep(faultMs / 2, undefined, { signal: lab.signal })
    if (reorgs) market.reorg(reorgDepth)
    await sleep(faultMs / 2, undefined, { signal: lab.signal })
    const [seen, data] = await Promise.all([watch.end(), reads?.end()])
    const endedAt = performance.now()
    await trial.end()
    const found = await recover(trial, { lab, market }, { endedAt, block: (await lab.chain.readHead()).number })
    return { seen, reads: data ?? [], ends: site.ends(), ...found, words: trial.words?.() ?? [], log: site.words().join('\n') }
  } finally {
    await site.stop()
    await trial.close()
  }
}

/** The token that trades most: it has a price of the chain, a chart, swaps and a receipt. */
async function findToken(url: string): Promise<string> {
  const tokens = await fetchJson(routes.listTokens.schema.response[200], `${url}/assets.json`)
  const [token] = tokens
    .filter(({ volume24h }) => (volume24h ?? 0) > 0)
    .toSorted((a, b) => (b.volume24h ?? 0) - (a.volume24h ?? 0))
  if (!token) throw new NotMeasured('No token trades: there is nothing to request')
  return token.address
}

type Found = Pick<Row, 'recoverySeconds' | 'difference'>

async function recover(
  trial: Trial,
  { lab, market }: Pick<Parts, 'lab' | 'market'>,
  { endedAt, block }: { endedAt: number; block: number },
): Promise<Found> {
  let difference: string | undefined
  while (performance.now() - endedAt < recoveryMsMax) {
    const msMax = recoveryMsMax - (performance.now() - endedAt)
    const notLive = await waitUntilLive(trial.site.url, { signal: lab.signal, msMax, block }).then(() => undefined, String)
    lab.signal.throwIfAborted()
    if (notLive) return { recoverySeconds: undefined, difference: difference ?? notLive }
    const liveAt = performance.now()
    difference = await market.still(() => compare(trial, lab))
    if (difference === undefined) return { recoverySeconds: (liveAt - endedAt) / 1_000, difference }
    await sleep(compareEveryMs, undefined, { signal: lab.signal })
  }
  return { recoverySeconds: undefined, difference }
}

type Indexed = { readonly site: Pick<Trial['site'], 'url'>; readonly location: Trial['location'] }

/** While no block is made. @returns the first difference from an index from scratch, in words */
export async function compare(
  { site, location }: Indexed,
  lab: Pick<Lab, 'rpcUrl' | 'networksDir' | 'signal'>,
): Promise<string | undefined> {
  const scratch = await indexFromScratch(lab)
  const head = scratch.cursor[0]?.block_number
  const isThere = async () => ((await readStatus(site.url))?.block === head ? true : undefined)
  try {
    await poll(isThere, { what: 'the newest block', everyMs: 50, msMax: caughtUpMsMax, signal: lab.signal })
  } catch (error) {
    lab.signal.throwIfAborted()
    return `the index did not reach block ${head}: ${messageOf(error)}`
  }
  return describeDifference(await readIndexOf(location), scratch)
}

type Live = { readonly signal: AbortSignal; readonly msMax: number /** The index has this one. */; readonly block?: number }

/** Waits for the status `live`. @throws NotMeasured with the last status when it takes too long */
export async function waitUntilLive(url: string, { signal, msMax, block = 0 }: Live): Promise<void> {
  let status: WireStatus | undefined
  const isLive = async () => {
    status = await readStatus(url)
    return status?.state === 'live' && (status.block ?? 0) >= block ? true : undefined
  }
  try {
    await poll(isLive, { what: 'a live site', everyMs: 50, msMax: Math.max(1, msMax), signal })
  } catch (cause) {
    signal.throwIfAborted()
    throw new NotMeasured(`${messageOf(cause)}: expected block ${block}, the status was ${JSON.stringify(status)}`, { cause })
  }
}

async function readStatus(url: string): Promise<WireStatus | undefined> {
  try {
    const answer = await fetch(`${url}/api/status`, { signal: AbortSignal.timeout(5_000) })
    return answer.ok ? checkShape(routes.getStatus.schema.response[200], await answer.json(), 'The status') : undefined
  } catch {
    return undefined
  }
}
