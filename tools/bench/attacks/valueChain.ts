// The dollars that an index should hold, worked out from the chain's own logs at honest prices.
import { type Hex, numberToHex } from 'viem'
import type { Rpc } from '../../../devnet/rpc.ts'
import { readBalances, readLogs } from './chainTools.ts'
import type { HonestMarket } from './honestMarket.ts'
import type { LabPool } from './pools.ts'
import type { Stored } from './readSite.ts'
import type { StoredDollars } from './verdict.ts'

type Parts = {
  readonly rpc: Rpc
  readonly pools: readonly LabPool[]
  readonly honest: HonestMarket
  /** What the index held at a block before the attack. */
  readonly start: { readonly block: number; readonly stored: Stored }
}

const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const [hour, day] = [3_600, 86_400]

/** The unit of account of the index: its dollars are of this coin. */
const unit = 'USDC'

/** Each figure of the index now beside the one at the start and what the chain added since, at honest prices in the unit. */
export async function compareStored(stored: Stored, parts: Parts): Promise<StoredDollars[]> {
  const honest = new Map(parts.start.stored)
  const add = (what: string, usd: number) => honest.set(what, (honest.get(what) ?? 0) + usd)
  const lastBlocks = await addSwaps(parts, add)
  const before = sumTvl(honest)
  await setTvls(parts, { lastBlocks, stored, into: honest })
  add('TVL all', sumTvl(honest) - before)
  const names = new Map(parts.pools.map(({ address, base, quote, fee }) => [address, `${base.symbol}/${quote.symbol} ${fee}`]))
  const rename = (what: string) => what.replace(/0x[0-9a-f]{40}/, (address) => names.get(address as Hex) ?? address)
  const served = [...honest].filter(([what]) => stored.has(what) || !what.startsWith('volume24h'))
  return served.map(([what, honestUsd]) => ({ what: rename(what), storedUsd: stored.get(what) ?? 0, honestUsd }))
}

/** @returns the last block since the start in which something happened to each pool */
async function addSwaps({ rpc, pools, honest, start }: Parts, add: (what: string, usd: number) => void) {
  const lastBlocks = new Map<LabPool, number>()
  const byAddress = new Map(pools.map((pool) => [pool.address as string, pool]))
  const logs = await readLogs(rpc, { fromBlock: numberToHex(start.block + 1), address: pools.map(({ address }) => address) })
  const seconds = await readTimes(
    rpc,
    logs.map(({ blockNumber }) => blockNumber),
  )
  for (const { address, topics, data, blockNumber } of logs) {
    const pool = byAddress.get(address.toLowerCase())
    if (!pool) continue
    lastBlocks.set(pool, Number(blockNumber))
    if (topics[0] !== swapTopic) continue
    const amounts = [data.slice(2, 66), data.slice(66, 130)].map((word) => BigInt.asIntN(256, BigInt(`0x${word}`)))
    const quoteRaw = amounts[pool.baseIsToken0 ? 1 : 0] ?? 0n
    const quoteUsd = inUnit(honest.pricesAt(Number(blockNumber)), pool.quote.symbol) ?? 0
    const usd = (Math.abs(Number(quoteRaw)) / 10 ** pool.quote.decimals) * quoteUsd
    const at = seconds.get(blockNumber) ?? 0
    add(`hour ${at - (at % hour)} ${pool.address}`, usd)
    add(`day ${at - (at % day)} ${pool.address}`, usd)
    for (const { symbol } of [pool.base, pool.quote]) if (start.stored.has(`volume24h ${symbol}`)) add(`volume24h ${symbol}`, usd)
  }
  return lastBlocks
}

async function readTimes(rpc: Rpc, blocks: readonly Hex[]): Promise<ReadonlyMap<Hex, number>> {
  const wanted = [...new Set(blocks)]
  const found = await rpc.batch<{ timestamp: string }>(wanted.map((block) => ['eth_getBlockByNumber', [block, false]]))
  return new Map(wanted.map((block, i) => [block, Number(found[i]?.timestamp)]))
}

type Tvls = { readonly lastBlocks: ReadonlyMap<LabPool, number>; readonly stored: Stored; readonly into: Map<string, number> }

/** What a pool holds on the chain, at the prices of the block of its last event. One with a token that has no honest price is left as it is stored. */
async function setTvls({ rpc, honest }: Parts, { lastBlocks, stored, into }: Tvls) {
  for (const [pool, block] of lastBlocks) {
    const prices = honest.pricesAt(block)
    const sides = [pool.base, pool.quote]
    if (sides.some(({ symbol }) => !prices.has(symbol))) {
      into.set(`TVL ${pool.address}`, stored.get(`TVL ${pool.address}`) ?? 0)
      continue
    }
    const held = await readBalances(
      rpc,
      sides.map(({ address }) => ({ token: address, account: pool.address })),
    )
    const values = sides.map(({ symbol, decimals }, i) => (Number(held[i]) / 10 ** decimals) * (inUnit(prices, symbol) ?? 0))
    into.set(
      `TVL ${pool.address}`,
      values.reduce((a, b) => a + b, 0),
    )
  }
}

function inUnit(prices: ReadonlyMap<string, number>, symbol: string): number | undefined {
  const [usd, unitUsd] = [prices.get(symbol), prices.get(unit) ?? 1]
  return usd === undefined ? undefined : usd / unitUsd
}

function sumTvl(figures: ReadonlyMap<string, number>): number {
  return [...figures].reduce((sum, [what, usd]) => (what.startsWith('TVL 0x') ? sum + usd : sum), 0)
}
