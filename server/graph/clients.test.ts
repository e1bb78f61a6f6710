import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type { Devnet } from '@chainboard/devnet'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subgraphRoute } from '../api/subgraphRoute.ts'
import { createTransactionReader } from '../chain/readTransactions.ts'
import { createViemChain } from '../chain/viemChain.ts'
import { readConfig } from '../config.ts'
import { toValuation } from '../networkFile.ts'
import { type Server, startServer } from '../startServer.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createGraphServer, type GraphServer } from './graphServer.ts'
import { createSenderReader } from './readSenders.ts'

const clients = resolve(import.meta.dirname, '../../tools/clients/package.json')
const isInstalled = existsSync(resolve(clients, '../node_modules/@uniswap/smart-order-router'))

type RouterPool = {
  id: string
  feeTier: string
  liquidity: string
  token0: { id: string }
  token1: { id: string }
  tvlETH: number
  tvlUSD: number
}
type Router = {
  V3SubgraphProvider: new (
    chainId: number,
    retries: number,
    timeoutMs: number,
    rollback: boolean,
    trackedEthThreshold: number,
    untrackedUsdThreshold: number,
    url: string,
  ) => { getPools(tokenIn?: unknown, tokenOut?: unknown, config?: { blockNumber: number }): Promise<RouterPool[]> }
}
type Request = { request: <T>(url: string, query: string, variables?: object) => Promise<T> }

describe.skipIf(!isInstalled)("other people's clients on the devnet (skipped until `npm ci` in tools/clients)", () => {
  const stores = createTempStores()
  const load = createRequire(clients)
  let devnet: Devnet
  let server: Server
  let graph: GraphServer
  let app: FastifyInstance
  let url: string

  beforeAll(async () => {
    devnet = await startShortDevnet()
    const config = readConfig({ RPC_URL: devnet.rpcUrl, DATA_DIR: stores.dir, PORT: '0', LOG_LEVEL: 'silent' })
    server = await startServer(config)
    await server.full
    graph = createGraphServer({
      store: config.store,
      facts: {
        factory: config.network.dex.factory.toLowerCase(),
        valuation: toValuation(config.network),
      },
      readTransactions: createSenderReader(createTransactionReader(createViemChain(config.rpcUrls))),
      onBug: (error) => console.error(error),
    })
    app = fastify()
    await app.register(subgraphRoute({ answerGraph: graph.answer }))
    url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/subgraph`
  }, 240_000)
  afterAll(async () => {
    await app.close()
    await graph.close()
    await server.close()
    await devnet.stop()
  })

  const wanted = () => devnet.pools.map(({ address }) => address.toLowerCase()).sort()

  it('the smart order router reads the pools that it would route through', async () => {
    const { V3SubgraphProvider } = load('@uniswap/smart-order-router') as Router
    const provider = new V3SubgraphProvider(devnet.chainId, 0, 30_000, false, 0.01, Number.MAX_VALUE, url)
    const pools = await provider.getPools()
    expect(pools.map(({ id }) => id).sort()).toEqual(wanted())
    for (const { address, token0, token1, feeTier } of devnet.pools) {
      const pool = pools.find(({ id }) => id === address.toLowerCase())
      expect(pool).toMatchObject({
        feeTier: String(feeTier),
        token0: { id: token0.toLowerCase() },
        token1: { id: token1.toLowerCase() },
      })
      expect(BigInt(pool?.liquidity ?? 0)).toBeGreaterThan(0n)
      expect(pool?.tvlUSD).toBeGreaterThan(0)
      expect(pool?.tvlETH).toBeGreaterThan(0)
    }
  })

  it('the smart order router reads them at a block, too', async () => {
    const { V3SubgraphProvider } = load('@uniswap/smart-order-router') as Router
    const provider = new V3SubgraphProvider(devnet.chainId, 0, 30_000, false, 0.01, Number.MAX_VALUE, url)
    const { number } = await devnet.rpc<{ number: string }>('eth_getBlockByNumber', ['latest', false])
    const pools = await provider.getPools(undefined, undefined, { blockNumber: Number(number) })
    expect(pools.map(({ id }) => id).sort()).toEqual(wanted())
  })

  it('graphql-request reads pools, and who swapped in them', async () => {
    const { request } = load('graphql-request') as Request
    const { pools, _meta } = await request<{
      pools: { id: string; swaps: { origin: string; transaction: { id: string } }[] }[]
      _meta: { block: { number: number } }
    }>(
      url,
      `query ($first: Int!) {
        pools(first: $first, where: { liquidity_gt: 0 }) { id swaps(first: 2, orderBy: timestamp, orderDirection: desc) { origin transaction { id } } }
        _meta { block { number } }
      }`,
      { first: 1_000 },
    )
    expect(pools.map(({ id }) => id).sort()).toEqual(wanted())
    expect(_meta.block.number).toBe(Number(await devnet.rpc('eth_blockNumber')))
    const [swap] = pools.flatMap(({ swaps }) => swaps)
    const { from } = await devnet.rpc<{ from: string }>('eth_getTransactionByHash', [swap?.transaction.id])
    expect(swap?.origin).toBe(from.toLowerCase())
  })

  it('graphql-request throws our errors as it throws those of The Graph', async () => {
    const { request } = load('graphql-request') as Request
    await expect(request(url, '{ pools(first: 1001) { id } }')).rejects.toMatchObject({
      response: { status: 200, errors: [{ message: 'The `first` argument must be between 0 and 1000, but is 1001' }] },
    })
  })
})
