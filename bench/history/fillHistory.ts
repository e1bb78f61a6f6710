import { executableDepth, startOfDay, startOfHour } from '@chainboard/core'
import { at } from '../../devnet/at.ts'
import type { Chain, ChainRange } from '../../server/chain/chain.ts'
import { parseLog } from '../../server/chain/parseAnswer.ts'
import { createViemChain } from '../../server/chain/viemChain.ts'
import { readConfig } from '../../server/config.ts'
import { nameIndex } from '../../server/indexer/adoptIndex.ts'
import { toStoredScope } from '../../server/indexer/settleScope.ts'
import { storeRange } from '../../server/indexer/storeRange.ts'
import type { World } from '../../server/indexer/world.ts'
import type { WorldHolder } from '../../server/indexer/worldHolder.ts'
import { insertBlocks } from '../../server/store/blocks.ts'
import { toExchangePeriodRow } from '../../server/store/exchangePeriods.ts'
import { putScope } from '../../server/store/indexScope.ts'
import { openStore } from '../../server/store/openStore.ts'
import { upsertPoolChecks } from '../../server/store/poolChecks.ts'
import { toPoolDayRow, toPoolHourRow } from '../../server/store/poolPeriods.ts'
import { upsertPools } from '../../server/store/pools.ts'
import type { Store } from '../../server/store/store.ts'
import { type BlockRef, setCursor } from '../../server/store/syncCursor.ts'
import { toTokenDayRow, toTokenHourRow } from '../../server/store/tokenPeriods.ts'
import { upsertTokens } from '../../server/store/tokens.ts'
import { type FabricatedChain, type FabricatedOptions, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import type { ModelBlock } from '../../server/testing/simulation/modelChain.ts'
import { toScope } from '../../server/toScope.ts'
import { toHex } from '../hex.ts'
import { NotMeasured } from '../notMeasured.ts'
import { type BulkRow, type BulkStore, openBulkStore } from './bulkStore.ts'
import { createPeriods, periodSeconds, type TradedPool, tradePool } from './periodRows.ts'
import { addSwaps } from './swapRows.ts'

/** Blocks that the server itself reads at its first start, so that its own code wrote what is measured. */
const leftBlocks = 3_000
const blocksAtOnce = 500
const bigTables = ['swaps', 'pool_hours', 'pool_days', 'token_hours', 'token_days']

/** A history to fill into a store. */
export type Filling = {
  readonly options: FabricatedOptions
  /** Environment and network files of the server that will have the store. */
  readonly env: Readonly<Record<string, string>>
  readonly networksDir: string
  /** PostgreSQL's account can enter it. */
  readonly folder: string
}

/**
 * Fills an empty store with the chain's history: pools are opened by the server's own indexer, what they traded is put in by SQL, in the
 * state that the chain itself says. Dollars are steady ones, which nothing compares.
 */
export async function fillHistory({ options, env, networksDir, folder }: Filling): Promise<void> {
  const chain = fabricateChain(options)
  const config = readConfig(env, networksDir)
  const scope = toScope(config)
  const identity = nameIndex({ chainId: options.chainId, genesis: blockAt(chain, 0).hash }, scope, { startBlock: 0 })
  const holder: { world: World | undefined } = { world: undefined }
  const end = options.blocks - leftBlocks
  const decimals = new Map([...chain.tokens.values()].map((token) => [token.address, token.decimals]))
  const pools = chain.pools.map((pool) => tradePool(pool, decimals))

  let store = await openStore(config.store)
  await openPools({ chain, store, identity, holder, scope })
  const { world } = holder
  if (!world) throw new NotMeasured('The pools were not opened')
  await store.close()

  const bulk = await openBulkStore(config.store, folder)
  const tradesFrom = blockAt(chain, chain.openedUntil + 1).timestampSeconds
  for (const [table, start] of Object.entries({ hours: startOfHour(tradesFrom), days: startOfDay(tradesFrom) }))
    for (const kind of ['pool', 'token', 'exchange']) await bulk.run(`delete from ${kind}_${table} where start >= ${start}`)
  await bulk.withoutIndexes(bigTables, () => addSwaps(bulk, { chain, options, end, pools }))
  const states = await addPeriods(bulk, { chain, end, pools })
  await bulk.close()

  store = await openStore(config.store)
  await store.write(async (tx) => {
    const first = new Map<number, number>()
    for (let swap = 0; first.size < pools.length && swap < chain.swapsUntil(end); swap += 1) {
      const { pool } = chain.tradeOf(swap)
      if (!first.has(pool)) first.set(pool, blockAt(chain, blockOfSwap(options, chain, swap)).timestampSeconds)
    }
    await upsertPools(
      tx,
      pools.map((pool, i) => {
        const known = world.pools.get(pool.address)
        const ticks = world.ticks.get(pool.address)
        if (!known || !ticks) throw new NotMeasured(`The pool ${pool.address} was not opened`)
        const { pool: _, ...state } = pool.stateAfter(at(states.done, i))
        const lastSwapAtSeconds = states.done[i] === 0 ? undefined : blockAt(chain, end).timestampSeconds
        const depth = executableDepth(state, ticks)
        return { ...known, ...state, ...depth, reach: depth, firstSwapAtSeconds: first.get(i), lastSwapAtSeconds }
      }),
    )
    await upsertTokens(
      tx,
      [...states.tokens].map(([address, state]) => {
        const known = world.tokens.get(address)
        if (!known) throw new NotMeasured(`The token ${address} was not read`)
        return { ...known, ...state }
      }),
    )
    const block = toRef(blockAt(chain, end))
    await insertBlocks(tx, [block])
    await setCursor(tx, { identity, block })
    // All before was read twice: its transactions have other hashes than the chain's.
    await upsertPoolChecks(tx, [{ pool: scope.factory, blockNumber: end, atSeconds: block.timestampSeconds }])
  })
  await store.close()
}

function blockAt(chain: FabricatedChain, number: number): ModelBlock {
  const block = chain.under(chain.head(), number)
  if (!block) throw new NotMeasured(`The chain has no block ${number}`)
  return block
}

function toRef({ number, hash, timestampSeconds }: ModelBlock): BlockRef {
  return { number, hash: toHex(hash), timestampSeconds }
}

function blockOfSwap({ blocks, swaps }: FabricatedOptions, { openedUntil }: FabricatedChain, swap: number): number {
  return openedUntil + Math.ceil(((swap + 1) * (blocks - openedUntil)) / swaps)
}

type Opening = {
  readonly chain: FabricatedChain
  readonly store: Store
  readonly identity: string
  readonly holder: WorldHolder
  readonly scope: ReturnType<typeof toScope>
}

/** The chain until its pools trade, through the server's own indexer. */
async function openPools({ chain, store, identity, holder, scope }: Opening): Promise<void> {
  await store.write(async (tx) => {
    await setCursor(tx, { identity, block: undefined })
    await putScope(tx, toStoredScope(scope))
  })
  const ours = toTokenChain(chain)
  let cursor: BlockRef | undefined
  for (let from = 0; from <= chain.openedUntil; from += blocksAtOnce) {
    const range = toRange(chain, from, Math.min(chain.openedUntil, from + blocksAtOnce - 1))
    cursor = await storeRange({ chain: ours, store, scope, identity, holder }, range, cursor)
  }
}

/** A chain that knows its tokens, and has no node for anything else. */
export function toTokenChain({ tokens }: Pick<FabricatedChain, 'tokens'>): Chain {
  return {
    ...createViemChain(['http://127.0.0.1:9']),
    readTokens: async (addresses) =>
      addresses.map((address) => {
        const token = tokens.get(address)
        if (!token) throw new NotMeasured(`The chain has no token ${address}`)
        const { symbol, decimals } = token
        return { address, symbol, name: `Token ${symbol}`, decimals, totalSupplyRaw: 10n ** 27n }
      }),
  }
}

/** A range as a node gives it. */
export function toRange(chain: FabricatedChain, from: number, to: number): ChainRange {
  const blocks = Array.from({ length: to - from + 1 }, (_, i) => blockAt(chain, from + i))
  const toHeader = (block: ModelBlock) => ({ ...toRef(block), parentHash: toHex(block.parent?.hash ?? `0x${'0'.repeat(64)}`) })
  return {
    headers: [...new Set([blocks[0], blocks.at(-1)])].flatMap((block) => (block ? [toHeader(block)] : [])),
    logs: blocks.flatMap((block) => block.logs.map((log) => ({ ...parseLog(log), timestampSeconds: block.timestampSeconds }))),
  }
}

type Traded = { readonly chain: FabricatedChain; readonly end: number; readonly pools: readonly TradedPool[] }

/** Hours and days until a block. @returns how often each pool traded, and each token after that */
async function addPeriods(bulk: BulkStore, { chain, end, pools }: Traded) {
  const toTimes = (number: number) => blockAt(chain, number).timestampSeconds
  const fill = async (name: 'hours' | 'days') => {
    const seconds = periodSeconds[name]
    const periods = createPeriods(chain, pools)
    const first = Math.floor(toTimes(chain.openedUntil) / seconds) * seconds
    const starts = Array.from({ length: Math.floor((toTimes(end) - first) / seconds) + 1 }, (_, i) => first + i * seconds)
    const firstSeconds = toTimes(0)
    // Made at once and written table by table: a file or a transaction for each period would take longer than the rows.
    const made: Record<'pool' | 'token' | 'exchange', BulkRow[]> = { pool: [], token: [], exchange: [] }
    const write = async () => {
      for (const [kind, rows] of Object.entries(made)) await bulk.add(`${kind}_${name}`, rows.splice(0))
    }
    for (const start of starts) {
      const lastBlock = Math.min(end, start + seconds - 1 - firstSeconds)
      const rows = periods.next(start, chain.swapsUntil(lastBlock))
      if (!rows) continue
      made.pool.push(...rows.pools.map((row) => (name === 'days' ? toPoolDayRow(row) : toPoolHourRow(row))))
      made.token.push(...rows.tokens.map((row) => (name === 'days' ? toTokenDayRow(row) : toTokenHourRow(row))))
      made.exchange.push(toExchangePeriodRow(rows.exchange))
      if (made.pool.length > 50_000) await write()
    }
    await write()
    return periods
  }
  await fill('days')
  return fill('hours')
}
