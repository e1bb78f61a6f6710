// What the attacker holds, read from the chain.

import { type Address, encodePacked, keccak256 } from 'viem'
import { at } from '../../devnet/at.ts'
import { readBalances, readLogs } from './chainTools.ts'
import type { Holdings, Move } from './money.ts'
import type { OpenedStage } from './openStage.ts'
import { burnData, type Position, positionData } from './pools.ts'

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const coin = 10 ** 18

function accountsOf({ attacker, kit, accomplice, accompliceKit }: OpenedStage): Address[] {
  return [attacker, kit, accomplice, accompliceKit]
}

/** Of all the attacker's accounts together, with what of these positions is still in pools; fees that they earned since are not counted. */
export async function readHoldings(stage: OpenedStage, positions: readonly Position[]): Promise<Holdings> {
  const accounts = accountsOf(stage)
  const tokens = listTokens(stage)
  const asked = tokens.flatMap(({ address }) => accounts.map((account) => ({ token: address, account })))
  const balances = await readBalances(stage.rpc, asked)
  const holdings = new Map<string, number>()
  balances.forEach((raw, i) => {
    const { symbol, decimals } = at(tokens, Math.floor(i / accounts.length))
    holdings.set(symbol, (holdings.get(symbol) ?? 0) + Number(raw) / 10 ** decimals)
  })
  for (const position of positions) await addPosition(stage, position, holdings)
  const coins = await stage.rpc.batch<string>(accounts.map((account) => ['eth_getBalance', [account, 'latest']]))
  const coinsWhole = coins.reduce((sum, wei) => sum + BigInt(wei), 0n)
  return holdings.set('coin', Number(coinsWhole) / coin)
}

/** What taking the position out would give. */
async function addPosition({ rpc, kit }: OpenedStage, position: Position, holdings: Map<string, number>): Promise<void> {
  const { pool, tickLower, tickUpper } = position
  const call = async (data: string) => {
    const answer = await rpc.call<string>('eth_call', [{ from: kit, to: pool.address, data }, 'latest'])
    return (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  }
  const key = keccak256(encodePacked(['address', 'int24', 'int24'], [kit, tickLower, tickUpper]))
  const [liquidity = 0n] = await call(positionData(key))
  if (liquidity === 0n) return
  const amounts = await call(burnData({ ...position, liquidity }))
  const sides = pool.baseIsToken0 ? [pool.base, pool.quote] : [pool.quote, pool.base]
  sides.forEach(({ symbol, decimals }, i) => {
    holdings.set(symbol, (holdings.get(symbol) ?? 0) + Number(amounts[i] ?? 0n) / 10 ** decimals)
  })
}

/** Each transfer that the attacker's accounts sent or got, in the order of the chain. */
export async function readMoves(stage: OpenedStage, afterBlock: number): Promise<Move[]> {
  const tokens = new Map(listTokens(stage).map((token) => [token.address.toLowerCase(), token]))
  const accounts = new Set(accountsOf(stage).map((account) => account.toLowerCase()))
  const fromBlock = `0x${(afterBlock + 1).toString(16)}`
  const logs = await readLogs(stage.rpc, { fromBlock, topics: [transferTopic] })
  return logs.flatMap(({ address, topics, data }) => {
    const token = tokens.get(address.toLowerCase())
    const [sent, got] = [topics[1], topics[2]].map((topic) => accounts.has(`0x${topic?.slice(26)}`))
    if (!token || sent === got) return []
    return [{ symbol: token.symbol, whole: (Number(BigInt(data)) / 10 ** token.decimals) * (got ? 1 : -1) }]
  })
}

function listTokens(stage: OpenedStage) {
  return [...new Map(stage.pools().flatMap(({ base, quote }) => [base, quote].map((token) => [token.symbol, token]))).values()]
}
