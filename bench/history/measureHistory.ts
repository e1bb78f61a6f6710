import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { at } from '../../devnet/at.ts'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import type { FabricatedOptions } from '../../server/testing/fabricated/fabricatedChain.ts'
import { forkServer } from '../../tools/serverProcess.ts'
import { adopt, type Child, forkChild } from '../children.ts'
import { createHttpClient } from '../httpClient.ts'
import { serverEnv } from '../inheritedEnv.ts'
import { NotMeasured } from '../notMeasured.ts'
import { receive } from '../receive.ts'
import { poll } from '../waiting.ts'
import type { ChainOrder } from './serveChain.ts'
import { watchWrites } from './watchWrites.ts'

const listeningMessage = Type.Object({ listening: Type.String() })
const headMessage = Type.Object({ head: Type.Object({ number: Type.Integer(), hash: Type.String() }) })
const startMsMax = 600_000
const reorgMsMax = 120_000
const blockEveryMs = 1_000
const warmUpCalls = 50
/** Between two calls. Without a pause one client keeps the event loop busy, and the limits of admission would be measured. */
const restMs = 20
/** Blocks that arrive one by one without readers. */
const blocks = 20
const reorgs = 5
const reorgDepth = 4
const starts = 3

/** Milliseconds throughout. */
export type HistoryTimes = {
  /** From the start of the process until it listens, and until its index has caught up. */
  readonly starts: readonly { readonly listening: number; readonly full: number }[]
  readonly chart: readonly number[]
  readonly swaps: readonly number[]
  /** The longest that another writer would have waited, for each reorg, and while blocks came one by one. */
  readonly heldByReorgs: readonly number[]
  readonly heldByBlocks: number
}

/** A filled store, and the chain that continues it. */
export type Room = {
  readonly location: StoreLocation
  readonly options: FabricatedOptions
  readonly settings: Readonly<Record<string, string>>
  readonly tokens: readonly string[]
  readonly calls: number
  readonly signal: AbortSignal
}

/** Starts the server on a filled store several times, reads from it, and replaces blocks. @throws NotMeasured for an answer other than 200 */
export async function measureHistory(room: Room): Promise<HistoryTimes> {
  const chain = await startChain(room)
  try {
    // It reads what the filling left to it.
    await (await startServer(room, chain.url)).server.stop()
    const times: { listening: number; full: number }[] = []
    for (let i = 1; i < starts; i += 1) {
      const started = await startServer(room, chain.url)
      times.push(started.times)
      await started.server.stop()
    }
    const { server, times: last, url } = await startServer(room, chain.url)
    try {
      return {
        starts: [...times, last],
        ...(await measureReads(room, chain, url)),
        ...(await measureBlocks(room, chain)),
        ...(await measureReorgs(room, chain)),
      }
    } finally {
      await server.stop()
    }
  } finally {
    await chain.stop()
  }
}

async function startChain({ options, signal }: Room) {
  const child = forkChild('the chain', resolve(import.meta.dirname, 'serveChain.ts'), [JSON.stringify(options)])
  const patience = { what: 'the chain', msMax: startMsMax, signal }
  const { listening } = await receive(child, listeningMessage, patience)
  const order = async (wish: ChainOrder) => {
    const answer = receive(child, headMessage, patience)
    child.process.send(wish)
    return (await answer).head
  }
  return { url: listening, order, stop: child.stop }
}

type ServedChain = Awaited<ReturnType<typeof startChain>>

/** Starts the server, and waits until its index has caught up. Times are in milliseconds from its start. */
export async function startServer({ settings, signal }: Pick<Room, 'settings' | 'signal'>, rpcUrl: string) {
  const from = performance.now()
  const server: Child = adopt('the server', forkServer(serverEnv({ ...settings, RPC_URL: rpcUrl })))
  const patience = { what: 'the server', msMax: startMsMax, signal }
  const time = async <T>(message: Promise<T>) => ({ message: await message, at: performance.now() - from })
  const [listening, full] = await Promise.all([
    time(receive(server, listeningMessage, patience)),
    time(receive(server, Type.Object({ full: Type.String() }), patience)),
  ])
  return { server, url: full.message.full, times: { listening: listening.at, full: full.at } }
}

/** Charts and swaps of always other tokens by one client, while blocks arrive: few answers are in memory. */
async function measureReads({ tokens, calls }: Room, chain: ServedChain, url: string) {
  const client = createHttpClient(url)
  const growing = setInterval(() => void chain.order({ grow: 1 }), blockEveryMs)
  const time = async (path: (token: string) => string) => {
    const times: number[] = []
    for (let i = -warmUpCalls; i < calls; i += 1) {
      // Neighbours in the list trade alike.
      const token = at(tokens, (Math.abs(i) * 71) % tokens.length)
      await sleep(restMs)
      const from = performance.now()
      const { status, body } = await client.get(path(token))
      if (i >= 0) times.push(performance.now() - from)
      if (status !== 200) throw new NotMeasured(`${path(token)} answered ${status}: ${body.slice(0, 200)}`)
    }
    return times
  }
  try {
    const chart = await time((token) => `/api/tokens/${token}/chart?range=1m`)
    const swaps = await time((token) => `/api/tokens/${token}/swaps?limit=20`)
    return { chart, swaps }
  } finally {
    clearInterval(growing)
    client.close()
  }
}

/** Not together with reads: the watch asks hundreds of times a second, which would delay them. */
async function measureBlocks({ location }: Room, chain: ServedChain) {
  const watch = await watchWrites(location)
  try {
    for (let i = 0; i < blocks; i += 1) {
      await chain.order({ grow: 1 })
      await sleep(blockEveryMs)
    }
    return { heldByBlocks: watch.takeLongest() }
  } finally {
    await watch.stop()
  }
}

/** Takes the newest blocks back and puts others there. */
async function measureReorgs({ location, signal }: Room, chain: ServedChain) {
  const watch = await watchWrites(location)
  const heldByReorgs: number[] = []
  const settle = async (wish: ChainOrder) => {
    const { hash } = await chain.order(wish)
    const isThere = async () => ((await watch.readCursor()) === hash ? true : undefined)
    await poll(isThere, { what: 'the reorg', msMax: reorgMsMax, everyMs: 20, signal })
  }
  try {
    await settle({ grow: 1 })
    for (let i = 0; i < reorgs; i += 1) {
      watch.takeLongest()
      await settle({ reorg: reorgDepth, grow: 1 })
      heldByReorgs.push(watch.takeLongest())
    }
    return { heldByReorgs }
  } finally {
    await watch.stop()
  }
}
