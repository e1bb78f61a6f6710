import { join } from 'node:path'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { readConfig } from '../../server/config.ts'
import { followChain } from '../../server/indexer/followChain.ts'
import { toFollowing, toValuation } from '../../server/networkFile.ts'
import { pause } from '../../server/pause.ts'
import { openBackupReader, openStore } from '../../server/store/openStore.ts'
import type { Store } from '../../server/store/store.ts'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import { dumpIndex } from '../../server/testing/dumpIndex.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { toAddress } from '../hex.ts'
import { poll } from '../waiting.ts'

export type Dump = Awaited<ReturnType<typeof dumpIndex>>
type Truth = { readonly rpcUrl: string; readonly networksDir: string; readonly signal: AbortSignal }

const syncMsMax = 300_000

/** An index made from the honest node alone, up to its newest block. */
export function indexFromScratch(truth: Truth): Promise<Dump> {
  return useScratchIndex(truth, dumpIndex)
}

/** Makes an index from a node, up to its newest block, and removes it after its use. */
export async function useScratchIndex<T>({ rpcUrl, networksDir, signal }: Truth, use: (store: Store) => Promise<T>): Promise<T> {
  const folder = makeFolder('scratch')
  const { network } = readConfig({ NETWORK: 'devnet', RPC_URL: rpcUrl, DATA_DIR: folder }, networksDir)
  const chain = createViemChain([rpcUrl])
  const head = (await chain.readHead()).number
  const store = await openStore({ file: join(folder, 'scratch.db') })
  const silent = () => undefined
  const follower = followChain({
    chain,
    store,
    pause,
    nowMs: Date.now,
    log: { info: silent, warn: silent, error: silent },
    chainId: network.chain.id,
    limits: { startBlock: network.dex.startBlock, ...toFollowing(network) },
    scope: {
      factory: toAddress(network.dex.factory),
      onlyTokens: undefined,
      valuation: toValuation(network),
    },
    onChange: silent,
  })
  try {
    const isWhole = async () => (follower.status().cursor?.number === head ? true : undefined)
    await poll(isWhole, { what: 'the sync from scratch', everyMs: 20, msMax: syncMsMax, signal })
    await follower.stop()
    return await use(store)
  } finally {
    await follower.stop()
    await store.close()
    removeFolder(folder)
  }
}

/** The index of a server that may be running. */
export async function readIndexOf(location: StoreLocation): Promise<Dump> {
  const store = await openBackupReader(location)
  try {
    return await dumpIndex(store)
  } finally {
    await store.close()
  }
}

/** @returns the first difference, in words; undefined where there is none */
export function describeDifference(mine: Dump, scratch: Dump): string | undefined {
  const own = new Map<string, readonly unknown[]>(Object.entries(mine))
  for (const [table, rows] of Object.entries(scratch)) {
    const [a, b] = [own.get(table) ?? [], rows].map((each) => each.map((row) => JSON.stringify(row)))
    if (!a || !b) continue
    const at = Math.max(a.length, b.length) === 0 ? -1 : [...(a.length > b.length ? a : b)].findIndex((_, i) => a[i] !== b[i])
    if (at >= 0) return `${table}: ${a.length} rows, from scratch ${b.length}; row ${at} is ${a[at]}, from scratch ${b[at]}`
  }
  return undefined
}
