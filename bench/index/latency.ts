import { setTimeout as sleep } from 'node:timers/promises'
import { sqrtPriceX96AtTick } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { at } from '../../devnet/at.ts'
import { readTick } from '../readTick.ts'
import { poll } from '../waiting.ts'
import { type Bench, useIndexer } from './backfill.ts'
import { checkRows, readChainFacts } from './chainFacts.ts'
import { followHeads, type Heads } from './heads.ts'
import type { Indexer, RunningIndexer, Swapped } from './indexer.ts'

/** Of one swap, in milliseconds until its price was in an answer of the API. */
export type Sighting = {
  /** Since the node announced the swap's block. */
  readonly sinceAnnouncedMs: number
  /** Since before the swap was sent to the node: nothing can have been seen earlier. */
  readonly sinceSentMs: number
  /** From the last request that was too early to the answer with the price. */
  readonly questionStepMs: number
}

/** All swaps that one indexer was watched for. */
export type LatencyRun = { readonly indexer: Indexer; readonly sightings: readonly Sighting[] }

/** Pause between two requests to the API. */
const askEveryMs = 10
const seenMsMax = 20_000
const runMsMax = 300_000
const pauseMsMin = 50
/** The pause before a swap goes on for up to so many of the indexer's intervals: whole ones, so that swaps hit every moment of it. */
const pauseIntervals = 2

/** Swaps one after the other, each until the indexer's API has its price. @throws NotMeasured when one is not found */
export async function runLatency(
  bench: Bench,
  indexer: Indexer,
  { swaps, runId }: { swaps: number; runId: string },
): Promise<LatencyRun> {
  const { devnet, signal } = bench
  const room = { ...bench, facts: await readChainFacts(devnet), runId }
  return useIndexer(indexer, room, async (running) => {
    await running.complete
    const heads = await followHeads(devnet.rpcUrl, signal)
    try {
      const sightings = await takeSightings(
        { devnet, heads, running, signal },
        { swaps, pauseMs: pauseIntervals * indexer.pollMs },
      )
      checkRows(`${indexer.name} on ${indexer.store}`, await running.countRows(), await readChainFacts(devnet))
      return { indexer, sightings }
    } finally {
      heads.close()
    }
  })
}

type Watched = { readonly devnet: Devnet; readonly heads: Heads; readonly running: RunningIndexer; readonly signal: AbortSignal }

async function takeSightings(watched: Watched, { swaps, pauseMs }: { swaps: number; pauseMs: number }): Promise<Sighting[]> {
  const { devnet, signal } = watched
  const pool = at(devnet.pools, 0)
  const firstTick = await readTick(devnet, pool.address)
  const endMs = performance.now() + runMsMax
  const sightings: Sighting[] = []
  for (let i = 0; i < swaps && performance.now() < endMs; i += 1) {
    await sleep(pauseMsMin + Math.random() * pauseMs, undefined, { signal })
    // To and fro around the first price, never to where the pool stands already.
    const toTick = firstTick + (i % 2 === 0 ? 1 : -1) * (3 + (i % 5))
    sightings.push(await takeSighting(watched, pool, toTick))
  }
  return sightings
}

async function takeSighting(watched: Watched, pool: Devnet['pools'][number], toTick: number): Promise<Sighting> {
  const { devnet, heads, running, signal } = watched
  // As the devnet promises: a trade ends a millionth above its tick's price.
  const swapped: Swapped = { pool, sqrtPriceX96: sqrtPriceX96AtTick(toTick) + 1n }
  const sentAt = performance.now()
  let askedAt = sentAt
  let lastAskedAt = sentAt
  const look = async () => {
    lastAskedAt = askedAt
    askedAt = performance.now()
    return (await running.shows(swapped)) ? performance.now() : undefined
  }
  const [{ block }, seenAt] = await Promise.all([
    devnet.trade([{ pool: pool.address, toTick }]),
    poll(look, { what: `the swap to tick ${toTick}`, everyMs: askEveryMs, msMax: seenMsMax, signal }),
  ])
  const announcedAt = await heads.announcedAt(block)
  return { sinceAnnouncedMs: seenAt - announcedAt, sinceSentMs: seenAt - sentAt, questionStepMs: seenAt - lastAskedAt }
}
