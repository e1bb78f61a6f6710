// Fills time with trades: the whole history of a fresh chain, or what was missed while the chain was away.

import { numberToHex } from 'viem'
import { getDevAddress, poolAddresses } from './addresses.ts'
import { DevnetFault } from './devnetFault.ts'
import type { BlockTime } from './history.ts'
import { createMarket, type Market, type MarketOptions, type Trade } from './market.ts'
import { pools } from './pools.ts'
import { fromSqrtPriceX96 } from './prices.ts'
import type { Rpc } from './rpc.ts'
import { countSwaps, type Maker } from './tradeBlock.ts'

/** A block to come: the trades given here, then the made-up market's. */
export type PlannedBlock = BlockTime & { readonly trades?: readonly Trade[] }

export type FillOptions = {
  readonly blocks: readonly PlannedBlock[]
  readonly market: Market
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/** A block: its number, unix time and hash. */
export type Head = { readonly number: number; readonly seconds: number; readonly hash: string }

const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const progressMs = 1_000

/** The newest block; `seconds` is unix time. */
export async function readHead(rpc: Rpc): Promise<Head> {
  const block = await rpc.call<{ number: string; timestamp: string; hash: string }>('eth_getBlockByNumber', ['latest', false])
  return { number: Number(block.number), seconds: Number(block.timestamp), hash: block.hash }
}

/** @throws RpcError when the node does not accept the state */
export async function loadState(rpc: Rpc, state: Buffer): Promise<void> {
  await rpc.call('anvil_loadState', [`0x${state.toString('hex')}`])
}

/** Each pool's exact price on the chain now, in the order of `pools`. */
export async function readSqrtPrices(rpc: Rpc): Promise<bigint[]> {
  const slot0 = '0x3850c7bd'
  const answers = await rpc.batch<string>(poolAddresses.map((to) => ['eth_call', [{ to, data: slot0 }, 'latest']]))
  return answers.map((answer) => BigInt(answer.slice(0, 66)))
}

/** A market that goes on from the prices on the chain. */
export async function resumeMarket(rpc: Rpc, options: Omit<MarketOptions, 'prices' | 'startSeconds'>): Promise<Market> {
  const head = await readHead(rpc)
  const exact = await readSqrtPrices(rpc)
  const prices = pools.map((pool, index) => fromSqrtPriceX96(pool, exact[index] ?? 0n))
  return createMarket({ ...options, seed: `${options.seed} ${head.number}`, startSeconds: head.seconds, prices })
}

/**
 * Mines the blocks one after the other and counts what came of it.
 * @returns how many swaps there were
 * @throws DevnetFault when the chain has another number of swaps than were sent, or ends at another time than planned
 */
export async function fillBlocks(rpc: Rpc, maker: Maker, { blocks, market, signal, onProgress }: FillOptions): Promise<number> {
  const before = await readHead(rpc)
  await maker.readNonces()
  let swaps = 0
  let toldMs = Date.now()
  for (const [place, block] of blocks.entries()) {
    signal.throwIfAborted()
    const trades = [...(block.trades ?? []), ...market.next(block.seconds, block.pace)]
    await maker.mine(trades, block.seconds, block.pace === 'hour')
    swaps += countSwaps(trades)
    if (Date.now() - toldMs < progressMs) continue
    toldMs = Date.now()
    onProgress(`market history ${Math.round((100 * place) / blocks.length)} %`)
  }
  await verify(rpc, { fromBlock: before.number + 1, swaps, seconds: blocks.at(-1)?.seconds ?? before.seconds })
  return swaps
}

async function verify(rpc: Rpc, wanted: { fromBlock: number; swaps: number; seconds: number }): Promise<void> {
  const head = await readHead(rpc)
  if (head.seconds !== wanted.seconds)
    throw new DevnetFault(`the local chain ends at ${toIso(head.seconds)}, expected ${toIso(wanted.seconds)}`)
  const range = { fromBlock: numberToHex(wanted.fromBlock), toBlock: numberToHex(Math.max(head.number, wanted.fromBlock)) }
  const logs = await rpc.call<{ topics: string[] }[]>('eth_getLogs', [{ ...range, address: poolAddresses, topics: [swapTopic] }])
  const ours = logs.filter((log) => log.topics[1] === `0x${getDevAddress('market').slice(2).toLowerCase().padStart(64, '0')}`)
  if (ours.length !== wanted.swaps)
    throw new DevnetFault(`the local chain has ${ours.length} swaps of the market, expected ${wanted.swaps}`)
}

function toIso(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
