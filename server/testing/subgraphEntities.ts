import { type Address, absolute, hourSeconds, rawToDecimal } from '@chainboard/core'
import type { FakeChain, FakeEvent } from '../chain/fakeChain.ts'
import type { Entity, SubgraphEntities } from './standInSubgraph.ts'

type TokenFacts = { readonly address: Address; readonly symbol: string; readonly name: string; readonly decimals: number }
type Row = Record<string, string | number | null> & { id: string }

const topicsOfAll = { includes: () => true } as unknown as readonly `0x${string}`[]

/**
 * The entities that the reference mapping makes of the events on a chain: amounts in decimals, `token0Price` 0 until the first
 * swap, hours only where something happened, US dollars 0 as for pools that it does not track.
 * @param blocks events of each block of the chain, from block 1 on
 */
export async function toSubgraphEntities(
  chain: FakeChain,
  tokens: readonly TokenFacts[],
  blocks: readonly (readonly FakeEvent[])[],
  idStyle: 'hash-logIndex' | 'hash#n' = 'hash-logIndex',
): Promise<SubgraphEntities> {
  const decimals = new Map<string, number>(tokens.map((token) => [token.address, token.decimals]))
  const pools = new Map<string, Row>()
  const hours = new Map<string, Row>()
  const swaps: Row[] = []
  const transactions: Row[] = []
  const { logs } = await chain.readRange({ from: 0, to: chain.height, topics: topicsOfAll, everyHeader: true })

  for (const [index, events] of blocks.entries()) {
    const blockNumber = index + 1
    const header = await chain.readHeader(blockNumber)
    const seconds = header?.timestampSeconds ?? 0
    for (const [logIndex, event] of events.entries()) {
      const txHash = logs.find((log) => log.blockNumber === blockNumber && log.logIndex === logIndex)?.txHash ?? '0x'
      transactions.push({ id: txHash, blockNumber: `${blockNumber}`, timestamp: `${seconds}` })
      if (event.name === 'PoolCreated') pools.set(`${event.args['pool']}`, createPool(event, seconds))
      const pool = pools.get(event.address)
      if (!pool) continue
      const moved = applyEvent(pool, event, decimals)
      recordHour(hours, pool, moved, seconds)
      if (event.name === 'Swap') {
        const id = idStyle === 'hash#n' ? `${txHash}#${pool['txCount']}` : `${txHash}-${logIndex}`
        swaps.push({ ...toSwap(event, moved, seconds), id, transaction: txHash, logIndex: `${logIndex}`, pool: pool.id })
      }
    }
  }
  return {
    tokens: tokens.map(({ address, symbol, name, decimals }) => ({ id: address, symbol, name, decimals: `${decimals}` })),
    pools: [...pools.values()] as Entity[],
    poolHourDatas: [...hours.values()] as Entity[],
    swaps: swaps as Entity[],
    transactions: transactions as Entity[],
  }
}

function createPool({ args }: FakeEvent, seconds: number): Row {
  return {
    id: `${args['pool']}`,
    token0: `${args['token0']}`,
    token1: `${args['token1']}`,
    feeTier: `${args['fee']}`,
    liquidity: '0',
    sqrtPrice: '0',
    token0Price: '0',
    tick: null,
    totalValueLockedToken0: '0',
    totalValueLockedToken1: '0',
    volumeToken0: '0',
    txCount: '0',
    createdAtTimestamp: `${seconds}`,
  }
}

type Moved = { readonly amount0: string; readonly amount1: string; readonly isSwap: boolean }

function applyEvent(pool: Row, { name, args }: FakeEvent, decimals: ReadonlyMap<string, number>): Moved {
  const [decimals0, decimals1] = [decimals.get(`${pool['token0']}`) ?? 0, decimals.get(`${pool['token1']}`) ?? 0]
  const [amount0, amount1] = [BigInt((args['amount0'] as bigint) ?? 0n), BigInt((args['amount1'] as bigint) ?? 0n)]
  const add = (field: string, raw: bigint, scale: number) => {
    const [whole = '0', fraction = ''] = `${pool[field]}`.split('.')
    pool[field] = rawToDecimal(BigInt(whole + fraction.padEnd(scale, '0')) + raw, scale)
  }
  if (name === 'Initialize') pool['tick'] = `${args['tick']}`
  if (name === 'Initialize' || name === 'Swap') pool['sqrtPrice'] = `${args['sqrtPriceX96']}`
  if (name === 'Swap') {
    pool['liquidity'] = `${args['liquidity']}`
    pool['volumeToken0'] = addDecimals(`${pool['volumeToken0']}`, rawToDecimal(amount0, decimals0).replace('-', ''))
    pool['token0Price'] = showToken0Price(args['sqrtPriceX96'] as bigint, decimals0, decimals1)
  }
  if (name === 'Mint') pool['liquidity'] = `${BigInt(`${pool['liquidity']}`) + (args['amount'] as bigint)}`
  if (name !== 'Initialize') pool['txCount'] = `${Number(pool['txCount']) + 1}`
  add('totalValueLockedToken0', amount0, decimals0)
  add('totalValueLockedToken1', amount1, decimals1)
  return { amount0: rawToDecimal(amount0, decimals0), amount1: rawToDecimal(amount1, decimals1), isSwap: name === 'Swap' }
}

/** Whole token0 for one whole token1, to 40 decimals. */
function showToken0Price(sqrtPriceX96: bigint, decimals0: number, decimals1: number): string {
  const numerator = 2n ** 192n * 10n ** BigInt(decimals1 + 40)
  return rawToDecimal(numerator / (sqrtPriceX96 ** 2n * 10n ** BigInt(decimals0)), 40)
}

function recordHour(hours: Map<string, Row>, pool: Row, { amount0, amount1, isSwap }: Moved, seconds: number): void {
  const index = Math.floor(seconds / hourSeconds)
  const id = `${pool.id}-${index}`
  const price = `${pool['token0Price']}`
  const before = hours.get(id) ?? {
    id,
    pool: pool.id,
    periodStartUnix: index * hourSeconds,
    open: price,
    high: price,
    low: price,
    volumeToken0: '0',
    volumeToken1: '0',
    volumeUSD: '0',
    txCount: '0',
  }
  const sum = (a: string, b: string) => (isSwap ? addDecimals(a, b.replace('-', '')) : a)
  hours.set(id, {
    ...before,
    sqrtPrice: `${pool['sqrtPrice']}`,
    high: Number(price) > Number(before['high']) ? price : `${before['high']}`,
    low: Number(price) < Number(before['low']) ? price : `${before['low']}`,
    close: price,
    volumeToken0: sum(`${before['volumeToken0']}`, amount0),
    volumeToken1: sum(`${before['volumeToken1']}`, amount1),
    txCount: `${Number(before['txCount']) + 1}`,
  })
}

function addDecimals(a: string, b: string): string {
  const scale = 40
  const toRaw = (text: string) => {
    const [whole = '0', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(scale, '0'))
  }
  return rawToDecimal(toRaw(a) + absolute(toRaw(b)), scale)
}

function toSwap({ args }: FakeEvent, { amount0, amount1 }: Moved, seconds: number) {
  return {
    timestamp: `${seconds}`,
    sender: `${args['sender']}`,
    recipient: `${args['recipient']}`,
    amount0,
    amount1,
    amountUSD: '0',
    sqrtPriceX96: `${args['sqrtPriceX96']}`,
    tick: `${args['tick']}`,
  }
}
