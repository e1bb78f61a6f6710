import type { Address, Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpNode } from '../chain/httpNode.ts'
import type { RpcNode } from '../chain/rpcNode.ts'
import { createNodeChain } from '../chain/viemChain.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { follow, untilSynced } from '../testing/fakeExchange.ts'
import { type Listed, newFolder, runIndex, untilWhole } from '../testing/growingScope.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createWitness } from '../witness/createWitness.ts'
import { decodeCreation, decodePoolEvent, indexedTopics } from './decodeLog.ts'
import type { IndexScope } from './indexScope.ts'
import { wantsPool } from './settleScope.ts'

// A node that leaves logs of an added token's pools out, and answers all else as it is.

const stores = createTempStores()
let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
})
afterAll(() => devnet.stop())

const tokenOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address.toLowerCase() as Address
const quiet = { info: () => undefined, warn: () => undefined }

it.each([true, false])(
  'is found out before its pools are in the index (checked: %s)',
  { timeout: 120_000 },
  async (isChecked) => {
    const [usdc, weth] = [tokenOf('USDC'), tokenOf('WETH')]
    const scope = (tokens: ReadonlySet<Address> | undefined): IndexScope => ({
      factory: devnet.contracts.factory.toLowerCase() as Address,
      onlyTokens: tokens,
      valuation: { stables: [usdc], wrappedNative: weth, depthFloorUsdE18: 0n, quotes: [], windowSeconds: 600 },
    })
    const honest = createNodeChain([createHttpNode(devnet.rpcUrl)])
    const others = devnet.tokens.map(({ address }) => address.toLowerCase() as Address).filter((token) => token !== usdc)
    const running = {
      ...{ store: await stores.openNew('sqlite'), folder: newFolder(stores.dir) },
      listed: { tokens: new Set([others[0] as Address]) } as Listed,
      scope: scope(new Set([others[0] as Address])),
    }
    const first = runIndex(honest, running)
    await untilWhole(honest, first, running)
    await first.stop()
    running.listed.tokens = new Set([...others, usdc])

    const real = createHttpNode(devnet.rpcUrl)
    let answers = 0
    let omitted = 0
    const lying: RpcNode = {
      request: async (method, params) => {
        const result = await real.request(method, params)
        if (method !== 'eth_getLogs') return result
        answers += 1
        const logs = result as { topics: Hex[] }[]
        // The first answers lack every second event of the pools.
        const kept = answers > 12 ? logs : logs.filter(({ topics }, i) => topics.length === 4 || i % 2 === 0)
        omitted += logs.length - kept.length
        return kept
      },
    }
    const sideChain = createNodeChain([lying])
    const next = runIndex(
      honest,
      {
        ...running,
        log: { ...quiet, error: ({ err }: { err?: unknown }) => expect.fail(String(err)) },
        openWitness: isChecked
          ? (store, side) =>
              createWitness({
                reorgDepthMax: 64,
                ...{ nodes: [sideChain], store, topics: indexedTopics, decode: decodePoolEvent, decodeCreation, startBlock: 0 },
                ...{
                  factory: side.factory,
                  isListed: () => true,
                  wants: (a, b) => wantsPool(side, a, b),
                  multicall: devnet.contracts.multicall3.toLowerCase() as Address,
                },
                ...{ log: quiet, forward: honest.forward, nowMs: Date.now },
              })
          : undefined,
      },
      sideChain,
    )
    await untilWhole(honest, next, running)
    await next.stop()
    expect(omitted).toBeGreaterThan(0)
    const store = await stores.openNew('sqlite')
    const follower = follow(honest, store, {
      factory: scope(undefined).factory,
      confirmations: 6,
      spanMax: 500,
      scope: scope(running.listed.tokens),
    })
    await untilSynced(honest, follower)
    await follower.stop()
    const [mine, wanted] = [await dumpIndex(running.store), await dumpIndex(store)]
    if (isChecked) expect(mine).toEqual(wanted)
    else expect(mine).not.toEqual(wanted)
  },
)
