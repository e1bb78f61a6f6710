import { resolve } from 'node:path'
import { type Address, parseAddress } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { createApp } from './api/createApp.ts'
import type { ApiDeps } from './api/deps.ts'
import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import { type Follower, followChain } from './indexer/followChain.ts'
import { createIndexHistory } from './market/indexHistory.ts'
import { keepSnapshot, type SnapshotKeeper } from './market/keepSnapshot.ts'
import { createMarketSource } from './market/marketSource.ts'
import { readChart } from './market/readChart.ts'
import { readSwaps } from './market/readSwaps.ts'
import { takeSnapshot } from './market/takeSnapshot.ts'
import { keepTokenBoard } from './market/tokenBoard.ts'
import { toValuation } from './networkFile.ts'
import { pause } from './pause.ts'
import { openStore } from './store/openStore.ts'
import type { Store } from './store/store.ts'

const webDir = resolve(import.meta.dirname, '../web/dist')
const defaultPollMs = 2_000
const defaultSpanMax = 10_000

export type Server = {
  readonly app: FastifyInstance
  /** Where it listens. */
  readonly url: string
  /** Resolves when the index has caught up with the chain for the first time and the market was taken from it. */
  readonly full: Promise<void>
  /** Ends every part in order; what was under way is finished first. */
  close(): Promise<void>
}

/**
 * The composition root: opens the store, follows the chain, keeps the market and listens. Up at once with what is stored,
 * whether the node answers or not.
 * @param onBug when following the chain ended by an error of ours
 */
export async function startServer(
  config: Config,
  onBug: (error: unknown) => void,
  chain: Chain = createViemChain(config.rpcUrls),
): Promise<Server> {
  const { network, tokenList } = config
  const store = await openStore(config.store)
  const source = createMarketSource(store, network)
  const keeper = await keepSnapshot(
    () => takeSnapshot(source, tokenList),
    (error) => app.log.error({ err: error }, 'The market could not be taken: the last one stays'),
  )
  const history = createIndexHistory(store)
  const deps: ApiDeps = {
    network,
    domain: config.domain,
    highlighted: tokenList.highlighted,
    snapshot: keeper.current,
    board: keepTokenBoard(keeper.current),
    readChart: (market, range) => readChart(history, keeper.current(), market, range),
    readSwaps: (pool, limit) => readSwaps(history, pool, limit),
    followStatus: () => follower.status(),
    forwardRpc: chain.forward,
    pingStore: async () => void (await sql`select 1`.execute(store.read)),
    nowSeconds: () => Date.now() / 1000,
  }
  const app = await createApp(deps, { ...config, webDir })
  const full = Promise.withResolvers<void>()
  const follower = follow({ config, chain, store, keeper, app, onFull: full.resolve }, onBug)
  const close = async () => {
    await app.close()
    await follower.stop()
    await keeper.stop()
    await store.close()
  }
  try {
    return { app, url: await app.listen({ host: config.host, port: config.port }), full: full.promise, close }
  } catch (error) {
    await close()
    throw error
  }
}

type FollowParts = {
  readonly config: Config
  readonly chain: Chain
  readonly store: Store
  readonly keeper: SnapshotKeeper
  readonly app: FastifyInstance
  readonly onFull: () => void
}

function follow({ config, chain, store, keeper, app, onFull }: FollowParts, onBug: (error: unknown) => void): Follower {
  const { network, tokenList } = config
  const { pollMs = defaultPollMs, logRangeMax = defaultSpanMax, confirmations } = network.chain
  return followChain(
    {
      chain,
      store,
      pause,
      log: app.log,
      chainId: network.chain.id,
      limits: { startBlock: network.dex.startBlock, confirmations, pollMs, spanMax: logRangeMax },
      scope: {
        factory: parseAddress(network.dex.factory) as Address,
        onlyTokens: network.index.pools === 'listed' ? new Set(tokenList.tokens.map(({ id }) => id)) : undefined,
        valuation: toValuation(network),
      },
      onChange: async ({ caughtUp }) => {
        await keeper.refresh({ urgent: caughtUp })
        if (caughtUp) onFull()
      },
    },
    onBug,
  )
}
