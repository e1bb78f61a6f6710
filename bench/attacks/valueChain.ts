// The dollars that an index should hold, worked out from the chain's own logs at honest prices.
import { type Hex, numberToHex } from 'viem'
import type { Rpc } from '../../devnet/rpc.ts'
import { readBalances, readLogs } from './chainTools.ts'
import type { HonestMarket } from './honestMarket.ts'
import type { LabPool } from './pools.ts'
import type { Stored } from './readSite.ts'
import type { StoredDollars } from './verdict.ts'

type Parts = {
  readonly rpc: Rpc
  readonly pools: readonly LabPool[]
  readonly honest: HonestMarket
  /** Symbols of the attacker's own tokens. */
  readonly made: ReadonlySet<string>
  /** What the index held at a block before the attack. */
  readonly start: { readonly block: number; readonly stored: Stored }
}

const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const [hour, day] = [3_600, 86_400]

/** The unit of account of the index: its dollars are of this coin. */
const unit = 'USDC'

/** Each figure of the index now beside the one at the start and what the chain added and left behind since, at honest prices in the unit. */
export async function compareStored(stored: Stored, parts: Parts): Promise<StoredDollars[]> {
  const honest = new Map(parts.start.stored)
  const add = (what: string, usd: number) => honest.set(what, (honest.get(what) ?? 0) + usd)
  const lastBlocks = await addSwaps(parts, add)
  await takeOldSwaps(parts, add)
  const before = sumTvl(honest)
  const unproven = await setTvls(parts, { lastBlocks, into: honest })
  add('TVL all', sumTvl(honest) - before)
  for (const { address } of unproven) honest.set(`TVL ${address}`, stored.get(`TVL ${address}`) ?? 0)
  for (const what of listOwnVolumes(parts, honest)) honest.set(what, stored.get(what) ?? 0)
  const names = new Map<string, string>(
    parts.pools.map(({ address, base, quote, fee }) => [address, `${base.symbol}/${quote.symbol} ${fee}`]),
  )
  const rename = (what: string) => what.replace(/0x[0-9a-f]{40}/, (address) => names.get(address) ?? address)
  const served = [...honest].filter(([what]) => stored.has(what) || !what.startsWith('volume24h'))
  return served.map(([what, honestUsd]) => ({ what: rename(what), storedUsd: stored.get(what) ?? 0, honestUsd }))
}

/**
 * Volumes of pools of two tokens of the attacker's. Gross volume counts every swap, and what such a swap is worth nobody says: what these
 * pools say of themselves is not held against anything. That none of it is organic is another rule.
 */
function listOwnVolumes({ pools, made }: Parts, figures: ReadonlyMap<string, number>): string[] {
  const own = pools.filter(({ base, quote }) => made.has(base.symbol) && made.has(quote.symbol))
  const names = new Set(own.flatMap(({ base, quote }) => [`volume24h ${base.symbol}`, `volume24h ${quote.symbol}`]))
  const isOwn = (what: string) =>
    names.has(what) || own.some(({ address }) => /^(hour|day) /.test(what) && what.endsWith(address))
  return [...figures.keys()].filter(isOwn)
}

/** @returns the last block since the start in which something happened to each pool */
async function addSwaps(parts: Parts, add: Add) {
  const { rpc, pools, start } = parts
  const lastBlocks = new Map<LabPool, number>()
  const logs = await readLogs(rpc, { fromBlock: numberToHex(start.block + 1), address: pools.map(({ address }) => address) })
  const seconds = await readTimes(
    rpc,
    logs.map(({ blockNumber }) => blockNumber),
  )
  for (const log of logs) {
    const pool = findPool(pools, log)
    if (!pool) continue
    lastBlocks.set(pool, Number(log.blockNumber))
    const usd = valueSwap(parts, pool, log)
    if (usd === undefined) continue
    const at = seconds.get(log.blockNumber) ?? 0
    add(`hour ${at - (at % hour)} ${pool.address}`, usd)
    add(`day ${at - (at % day)} ${pool.address}`, usd)
    addVolume(parts, pool, { usd, add })
  }
  return lastBlocks
}

/** Takes the swaps out of the volumes of a day that were in it at the start and are too old by now. */
async function takeOldSwaps(parts: Parts, add: Add): Promise<void> {
  const { rpc, pools, start } = parts
  const [now, startSeconds] = await Promise.all([readTime(rpc, 'latest'), readTime(rpc, numberToHex(start.block))])
  const first = await findBlockAfter(rpc, startSeconds - day, start.block)
  const last = (await findBlockAfter(rpc, now - day, start.block)) - 1
  if (last < first) return
  const range = { fromBlock: numberToHex(first), toBlock: numberToHex(last) }
  for (const log of await readLogs(rpc, { ...range, address: pools.map(({ address }) => address) })) {
    const pool = findPool(pools, log)
    const usd = pool && valueSwap(parts, pool, log)
    if (pool && usd !== undefined) addVolume(parts, pool, { usd: -usd, add })
  }
}

type Add = (what: string, usd: number) => void
type Log = Awaited<ReturnType<typeof readLogs>>[number]

function findPool(pools: readonly LabPool[], { address }: Log): LabPool | undefined {
  return pools.find((pool) => pool.address === address.toLowerCase())
}

/** @returns US dollars at honest prices; undefined for an event that is no swap */
function valueSwap({ honest }: Parts, pool: LabPool, { topics, data, blockNumber }: Log): number | undefined {
  if (topics[0] !== swapTopic) return undefined
  const amounts = [data.slice(2, 66), data.slice(66, 130)].map((word) => BigInt.asIntN(256, BigInt(`0x${word}`)))
  const quoteRaw = amounts[pool.baseIsToken0 ? 1 : 0] ?? 0n
  const quoteUsd = inUnit(honest.pricesAt(Number(blockNumber)), pool.quote.symbol) ?? 0
  return (Math.abs(Number(quoteRaw)) / 10 ** pool.quote.decimals) * quoteUsd
}

function addVolume({ start }: Parts, { base, quote }: LabPool, { usd, add }: { usd: number; add: Add }): void {
  for (const { symbol } of [base, quote]) if (start.stored.has(`volume24h ${symbol}`)) add(`volume24h ${symbol}`, usd)
}

/** The first block that was made after a moment, up to one that was. */
async function findBlockAfter(rpc: Rpc, seconds: number, after: number): Promise<number> {
  let [low, high] = [0, after]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await readTime(rpc, numberToHex(middle))) > seconds) high = middle
    else low = middle + 1
  }
  return low
}

async function readTime(rpc: Rpc, block: Hex | 'latest'): Promise<number> {
  return Number((await rpc.call<{ timestamp: string }>('eth_getBlockByNumber', [block, false])).timestamp)
}

async function readTimes(rpc: Rpc, blocks: readonly Hex[]): Promise<ReadonlyMap<Hex, number>> {
  const wanted = [...new Set(blocks)]
  const found = await rpc.batch<{ timestamp: string }>(wanted.map((block) => ['eth_getBlockByNumber', [block, false]]))
  return new Map(wanted.map((block, i) => [block, Number(found[i]?.timestamp)]))
}

type Tvls = { readonly lastBlocks: ReadonlyMap<LabPool, number>; readonly into: Map<string, number> }

/**
 * What a pool holds on the chain, at the prices of the block of its last event. A token that has no honest price counts nothing, nor do two
 * tokens of the attacker's own in one pool: nobody else has to pay for either.
 * @returns pools with such a token: what they add to the exchange is known, what each says of itself is not held against anything
 */
async function setTvls({ rpc, honest, made }: Parts, { lastBlocks, into }: Tvls): Promise<LabPool[]> {
  const unproven: LabPool[] = []
  for (const [pool, block] of lastBlocks) {
    const prices = honest.pricesAt(block)
    const sides = [pool.base, pool.quote]
    const isOwn = sides.every(({ symbol }) => made.has(symbol))
    if (isOwn || sides.some(({ symbol }) => !prices.has(symbol))) unproven.push(pool)
    const held = await readBalances(
      rpc,
      sides.map(({ address }) => ({ token: address, account: pool.address })),
    )
    const values = sides.map(
      ({ symbol, decimals }, i) => (Number(held[i]) / 10 ** decimals) * (isOwn ? 0 : (inUnit(prices, symbol) ?? 0)),
    )
    into.set(
      `TVL ${pool.address}`,
      values.reduce((a, b) => a + b, 0),
    )
  }
  return unproven
}

function inUnit(prices: ReadonlyMap<string, number>, symbol: string): number | undefined {
  const [usd, unitUsd] = [prices.get(symbol), prices.get(unit) ?? 1]
  return usd === undefined ? undefined : usd / unitUsd
}

function sumTvl(figures: ReadonlyMap<string, number>): number {
  return [...figures].reduce((sum, [what, usd]) => (what.startsWith('TVL 0x') ? sum + usd : sum), 0)
}
