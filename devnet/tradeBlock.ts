// Puts trades on the chain: as words for the market contract, in transactions of the maker accounts, one block at a time.

import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { getDevAddress, makers } from './addresses.ts'
import { at } from './at.ts'
import type { Trade } from './market.ts'
import type { Rpc, RpcCall } from './rpc.ts'

const tradeAbi = parseAbi(['function trade(uint256[] words)'])
const gas = numberToHex(300_000_000)
const perTradeGas = 1_500_000n

export type Maker = {
  /** Sends trades without mining them. `together`: all in one transaction, else one each. */
  send(trades: readonly Trade[], together: boolean): Promise<Hex[]>
  /** Sends all trades and mines them as one block. */
  mine(trades: readonly Trade[], seconds: number, together: boolean): Promise<Hex[]>
  /** Reads the accounts' nonces again, after somebody else may have used them. */
  readNonces(): Promise<void>
}

/** The word of `DevMarket.trade` for a trade. */
function toWord(trade: Trade): bigint {
  const [kind, value] = trade.kind === 'to' ? [0n, trade.sqrtPriceX96] : [trade.sellsToken0 ? 1n : 2n, trade.amountRaw]
  return (kind << 208n) | (BigInt(trade.trader) << 176n) | (BigInt(trade.pool) << 160n) | value
}

/** How many `Swap` events the trades make. */
export function countSwaps(trades: readonly Trade[]): number {
  return trades.reduce((sum, trade) => sum + (trade.kind === 'to' ? 1 : 2), 0)
}

/** A pool always trades through the same maker: its transactions keep their order in a block by their nonces. */
export function createMaker(rpc: Rpc): Maker {
  const nonces = new Map<Address, number>()
  const readNonces = async () => {
    const counts = await rpc.batch<string>(makers.map((maker) => ['eth_getTransactionCount', [maker, 'pending']]))
    makers.forEach((maker, place) => {
      nonces.set(maker, Number(counts[place]))
    })
  }
  const toCall = (trades: readonly Trade[]): RpcCall => {
    const from = at(makers, (trades[0]?.pool ?? 0) % makers.length)
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const data = encodeFunctionData({ abi: tradeAbi, functionName: 'trade', args: [trades.map(toWord)] })
    const limit = trades.length === 1 ? numberToHex(perTradeGas) : gas
    return ['eth_sendTransaction', [{ from, to: getDevAddress('market'), nonce: numberToHex(nonce), gas: limit, data }]]
  }
  const send = async (trades: readonly Trade[], together: boolean) => {
    if (trades.length === 0) return []
    if (nonces.size === 0) await readNonces()
    return rpc.batch<Hex>(together ? [toCall(trades)] : trades.map((trade) => toCall([trade])))
  }
  const mine = async (trades: readonly Trade[], seconds: number, together: boolean) => {
    const hashes = await send(trades, together)
    await rpc.call('evm_mine', [{ timestamp: seconds }])
    return hashes
  }
  return { send, mine, readNonces }
}
