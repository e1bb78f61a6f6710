import type { Address } from '@chainboard/core'
import { RpcRequestError } from 'viem'
import type { RpcNode } from '../../chain/rpcNode.ts'
import { createNodeChain } from '../../chain/viemChain.ts'
import { followChain } from '../../indexer/followChain.ts'
import { dumpIndex } from '../dumpIndex.ts'
import { settle } from './clients.ts'
import { openFaultyStore, type StoreFolder } from './faultyStore.ts'
import { answerTruly, RpcRefusal } from './modelNode.ts'
import type { Stage } from './runStory.ts'
import { openWitness, reorgDepthMaxOf, toScope } from './site.ts'

type Dump = Awaited<ReturnType<typeof dumpIndex>>

/** The story's index beside one that the same parts make from scratch of the truth, row for row, and beside the model's own state. */
export async function compareIndex(stage: Stage, folder: StoreFolder): Promise<void> {
  const file = folder.newFile()
  const mine = await settle(stage, dumpOf(stage, stage.file))
  await syncFromScratch(stage, file)
  const scratch = await settle(stage, dumpOf(stage, file))
  const detail = differ(mine, scratch) ?? differFromModel(stage, mine)
  if (detail) stage.fail({ property: 'the index is the truth', detail })
}

async function dumpOf({ clock }: Stage, file: string): Promise<Dump> {
  const faulty = openQuietStore(clock, file)
  try {
    return await dumpIndex(faulty.store)
  } finally {
    faulty.cut()
  }
}

function openQuietStore(clock: Stage['clock'], file: string) {
  return openFaultyStore({ clock, file, fate: () => undefined, writeMs: () => 0, isGone: () => false, onCommit: () => undefined })
}

async function syncFromScratch({ clock, chain, story, fail, failed }: Stage, file: string): Promise<void> {
  const faulty = openQuietStore(clock, file)
  const node = honestNode(chain)
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: ({ err }: { err?: unknown }) => fail({ property: 'a sync from scratch works', detail: String(err) }),
  }
  const nodeChain = createNodeChain([node], { clock })
  const deps = {
    chain: nodeChain,
    store: faulty.store,
    limits: {
      startBlock: 0,
      confirmations: story.confirmations,
      pollMs: 1_000,
      spanMax: 2_000,
      reorgDepthMax: reorgDepthMaxOf(story),
      mayRestart: false,
    },
    scope: toScope(chain.factory),
    chainId: chain.chainId,
    log,
    witness: openWitness({
      nodes: [node],
      store: faulty.store,
      log,
      clock,
      factory: chain.factory as Address,
      forward: nodeChain.forward,
      reorgDepthMax: reorgDepthMaxOf(story),
    }),
    pause: clock.pause,
    nowMs: clock.nowMs,
    onChange: () => undefined,
  }
  const follower = followChain(deps)
  await clock.runTo(clock.nowMs() + 60_000, () => failed() || follower.status().cursor?.hash === chain.head().hash)
  await settle({ clock }, follower.stop())
  faulty.cut()
}

function honestNode(chain: Stage['chain']): RpcNode {
  return {
    request: async (method, params) => {
      try {
        return answerTruly(chain, chain.head(), method, params)
      } catch (error) {
        if (!(error instanceof RpcRefusal)) throw error
        throw new RpcRequestError({ body: {}, error: { code: error.code, message: error.message }, url: 'http://truth.invalid' })
      }
    },
  }
}

/** Events first: what is folded from them differs with them. */
const tables = ['swaps', 'events', 'ticks', 'pools', 'tokens', 'hours', 'days'] as const

function differ(mine: Dump, scratch: Dump): string | undefined {
  const rest = Object.keys(scratch).filter((table) => !tables.includes(table as never)) as (keyof Dump)[]
  for (const table of [...tables, ...rest]) {
    const [a, b] = [mine[table].map((row) => JSON.stringify(row)), scratch[table].map((row) => JSON.stringify(row))]
    const at = b.findIndex((row, i) => a[i] !== row)
    if (at < 0 && a.length === b.length) continue
    const place = at < 0 ? b.length : at
    return `${table}: ${a.length} rows, expected ${b.length}; row ${place} is ${a[place]}, expected ${b[place]}`
  }
  return undefined
}

/** The pools' prices and the number of events by the model, which shares no code with the index. */
function differFromModel({ chain }: Stage, { pools, swaps, events }: Dump): string | undefined {
  const head = chain.head()
  for (const pool of head.pools.values()) {
    const row = pools.find(({ address }) => address === pool.address)
    const found = `${row?.sqrt_price_x96} ${row?.tick} ${row?.liquidity}`
    const wanted = `${pool.sqrtPriceX96} ${pool.tick} ${pool.liquidity}`
    if (found !== wanted) return `pool ${pool.address} is at ${found}, by the model at ${wanted}`
  }
  const count = swaps.length + events.length
  return count === head.eventsSoFar ? undefined : `${count} events, by the model ${head.eventsSoFar}`
}
