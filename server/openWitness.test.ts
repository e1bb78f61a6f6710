import { afterEach, expect, it, vi } from 'vitest'
import { createViemChain } from './chain/viemChain.ts'
import { openWitness } from './openWitness.ts'
import { insertBlocks } from './store/blocks.ts'
import type { BlockRef } from './store/syncCursor.ts'
import { fabricateChain } from './testing/fabricated/fabricatedChain.ts'
import { createPublicNode } from './testing/fabricated/publicNode.ts'
import { serveNode } from './testing/fabricated/serveNode.ts'
import { strictLog } from './testing/following.ts'
import { networkFile } from './testing/market.ts'
import { createTempStores } from './testing/tempStores.ts'
import { testConfig } from './testing/testConfig.ts'

const stores = createTempStores()
afterEach(() => vi.restoreAllMocks())

it('compares the nodes on time after the clock was set back by hours', async () => {
  const chain = fabricateChain({
    ...{ seed: 'two nodes', chainId: 31_337, blocks: 50, pools: 1, swaps: 10, periodSeconds: 2 },
    headSeconds: Math.floor(Date.now() / 1_000),
  })
  const clock = { nowMs: () => performance.now(), pause: async () => undefined }
  const nodes = [createPublicNode(chain, {}, clock), createPublicNode(chain, {}, clock)]
  const served = await Promise.all(nodes.map(serveNode))
  const rpcUrls = served.map(({ url }) => url)
  const store = await stores.openNew('sqlite')
  const [below, block] = [37, 40].map((number) => chain.under(chain.head(), number)) as unknown as [BlockRef, BlockRef]
  await store.write((tx) => insertBlocks(tx, [below]))
  const config = testConfig({ network: networkFile, rpcUrls, store: await stores.locate('sqlite') })
  const all = createViemChain(rpcUrls)
  const witness = openWitness(config, { chain: all, store, log: strictLog, wants: () => true, isListed: () => false })
  // So far behind the head that only the branches are compared.
  const look = () => witness.look({ block, head: 1_000_000, pools: new Map() })
  const answered = () => nodes.map(({ seen }) => seen.answered)
  look()
  await expect.poll(answered).toEqual([3, 3])
  const [date, elapsed] = [Date.now.bind(Date), performance.now.bind(performance)]
  vi.spyOn(Date, 'now').mockImplementation(() => date() - 7_200_000)
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + 10_000)
  // What was under way ends first.
  await expect
    .poll(() => {
      look()
      return answered()
    })
    .toEqual([6, 6])
  await witness.stop()
  for (const { stop } of served) await stop()
})
