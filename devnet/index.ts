import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqrtPriceX96AtTick } from '@chainboard/core'
import type { Address } from 'viem'
import { accounts, type DevAccount, getDevAddress, multicall3, poolAddresses, sortPair } from './addresses.ts'
import { at } from './at.ts'
import { DevnetFault } from './devnetFault.ts'
import { openChain } from './openChain.ts'
import { pools } from './pools.ts'
import type { Rpc } from './rpc.ts'
import { listedTokens } from './tokens.ts'
import { startLiveMarket } from './trade.ts'
import type { ChainWriter } from './writer.ts'

export { createRandom } from './random.ts'
export type { DevAccount }

export type DevnetOptions = {
  /** Where the chain is kept between runs, in its folder `devnet`. Absent: nothing is kept. */
  readonly dataDir?: string
  /** Absent: any free one. */
  readonly port?: number
  /** `full` is 31 days and 2 hours, `short` is 3 hours; `full` when absent. */
  readonly history?: 'full' | 'short'
  /** Recorded minutes of a USDC pool (.csv or .csv.gz, see README) to be traded again in the main pool. */
  readonly replayCsv?: string
  /** False: no blocks but those asked for and those of users' transactions. */
  readonly live?: boolean
  /** Another seed gives another market. */
  readonly seed?: string
  /** How long a node that hangs is waited for when it is to end; 20 s when absent. */
  readonly keepMsMax?: number
  readonly onProgress?: (text: string) => void
  /** Ends the start cleanly: nothing is left running. */
  readonly signal?: AbortSignal
}

export type DevnetPool = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  /** Symbols; `base` is priced in `quote`. */
  readonly base: string
  readonly quote: string
  readonly feeTier: number
}

export type Devnet = {
  readonly rpcUrl: string
  readonly chainId: number
  /** What the recorded rows were moved by, in whole minutes, and how many there are. */
  readonly replay?: { readonly shiftSeconds: number; readonly rows: number }
  /** In the order of the market contract; the first one prices the native coin. */
  readonly pools: readonly DevnetPool[]
  readonly accounts: readonly DevAccount[]
  readonly tokens: readonly {
    readonly symbol: string
    readonly address: Address
    readonly decimals: number
    readonly stakingContract?: Address
  }[]
  readonly contracts: Readonly<
    Record<'factory' | 'positionManager' | 'swapRouter' | 'quoter' | 'boost' | 'market' | 'multicall3', Address>
  >
  /** @throws RpcError for the node's refusals */
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>
  /**
   * Mines one block with these trades, each its own transaction: for tests. Each ends a millionth above its tick's price.
   * @param timestampSeconds of the block; later blocks go on from there
   * @throws Error when a pool already stands at the price, or is no pool of the devnet
   */
  trade(trades: readonly { pool: Address; toTick: number }[], timestampSeconds?: number): Promise<{ block: number }>
  /** Mines empty blocks. */
  mine(blocks?: number): Promise<void>
  /** Replaces the last `depth` blocks (1 to 100) by as many empty ones: their transactions are undone. */
  reorg(depth: number): Promise<void>
  /** Settles when the node has ended: with its last words if nobody stopped it. */
  readonly gone: Promise<string>
  /** Keeps the chain (with a `dataDir`) and ends it. May be called twice. */
  stop(): Promise<void>
}

const keepMsMaxDefault = 20_000

/** As in networks/devnet.json. */
export const devnetChainId = 31_337

/**
 * Starts the local chain: a real node with real Uniswap contracts, tokens, a month of trades and a market that goes on.
 * @throws DevnetFault or RpcError saying what failed; nothing is left running then
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const onProgress = options.onProgress ?? (() => {})
  const signal = options.signal ?? new AbortController().signal
  const chain = await openChain({
    chainId: devnetChainId,
    port: options.port,
    folder: options.dataDir === undefined ? undefined : join(options.dataDir, 'devnet'),
    home: options.dataDir === undefined ? join(tmpdir(), 'chainboard-devnet-home') : join(options.dataDir, 'devnet', 'home'),
    history: options.history ?? 'full',
    seed: options.seed ?? 'ember',
    nowSeconds: () => Math.floor(Date.now() / 1_000),
    replayCsv: options.replayCsv,
    onProgress,
    signal,
  })
  const live = options.live === false ? undefined : startLiveMarket({ ...chain, onProblem: onProgress })
  let stopped: Promise<void> | undefined
  const keep = async () => {
    await live?.stop()
    await chain.keep()
  }
  const stop = async () => {
    const kept = new AbortController()
    const late = sleep(options.keepMsMax ?? keepMsMaxDefault, undefined, { signal: kept.signal }).then(
      () => onProgress('the node is not responding: it is stopped, and the chain is as last saved'),
      () => undefined,
    )
    await Promise.race([keep(), late])
    kept.abort()
    await chain.close()
  }
  chain.gone.then((words) => {
    if (stopped) return
    onProgress(`the local chain has stopped: ${words}`)
    live?.stop()
  })
  return {
    rpcUrl: chain.rpcUrl,
    chainId: devnetChainId,
    ...(chain.replay ? { replay: chain.replay } : {}),
    ...describe(),
    rpc: (method, params = []) => chain.rpc.call(method, params),
    ...actions(chain.rpc, chain.writer),
    gone: chain.gone,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

function describe(): Pick<Devnet, 'pools' | 'accounts' | 'tokens' | 'contracts'> {
  return {
    pools: pools.map((pool, index) => {
      const { token0, token1 } = sortPair(pool)
      const { base, quote, feeTier } = pool
      return {
        address: at(poolAddresses, index),
        token0: getDevAddress(token0),
        token1: getDevAddress(token1),
        base,
        quote,
        feeTier,
      }
    }),
    accounts,
    tokens: listedTokens.map(({ symbol, decimals, staking }) => ({
      symbol,
      address: getDevAddress(symbol),
      decimals,
      ...(staking ? { stakingContract: getDevAddress(`staking:${symbol}`) } : {}),
    })),
    contracts: {
      factory: getDevAddress('factory'),
      positionManager: getDevAddress('positionManager'),
      swapRouter: getDevAddress('swapRouter'),
      quoter: getDevAddress('quoter'),
      boost: getDevAddress('boost'),
      market: getDevAddress('market'),
      multicall3,
    },
  }
}

function actions(rpc: Rpc, writer: ChainWriter): Pick<Devnet, 'trade' | 'mine' | 'reorg'> {
  return {
    async trade(trades, timestampSeconds) {
      const words = trades.map(({ pool, toTick }) => {
        const index = poolAddresses.findIndex((address) => address.toLowerCase() === pool.toLowerCase())
        if (index < 0) throw new DevnetFault(`${pool} is no pool of the devnet`)
        return { kind: 'to' as const, pool: index, trader: 0, sqrtPriceX96: sqrtPriceX96AtTick(toTick) + 1n }
      })
      return { block: await writer.mineNow(words, timestampSeconds) }
    },
    mine: (blocks = 1) => writer.alone(() => rpc.call('anvil_mine', [blocks])),
    reorg: (depth) => writer.alone(() => rpc.call('anvil_reorg', [depth, []])),
  }
}
