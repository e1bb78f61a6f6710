import { readConfig } from '../../server/config.ts'
import { openMarketSources } from '../../server/openMarket.ts'
import { openStore } from '../../server/store/openStore.ts'

/** Milliseconds of each taking: reading the index, and making the market of all tokens from that. */
export type SnapshotTimes = { readonly reading: readonly number[]; readonly merging: readonly number[] }

const warmUps = 5
const takings = 40

/** Takes the market as the server does after every block, in this process, from the index that a server has left behind. */
export async function measureSnapshot(env: Readonly<Record<string, string>>, networksDir: string): Promise<SnapshotTimes> {
  const config = readConfig(env, networksDir)
  const store = await openStore(config.store)
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const sources = await openMarketSources(config, store, { log: quiet, onChange: () => undefined })
  const reading: number[] = []
  const merging: number[] = []
  try {
    for (let i = -warmUps; i < takings; i += 1) {
      const from = performance.now()
      await sources.keeper.readChain()
      const read = performance.now()
      sources.keeper.merge()
      const merged = performance.now()
      if (i < 0) continue
      reading.push(read - from)
      merging.push(merged - read)
    }
    return { reading, merging }
  } finally {
    await sources.stop()
    await store.close()
  }
}
