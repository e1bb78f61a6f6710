import { type Address, daySeconds, Failure, type Hex } from '@chainboard/core'
import { createTransactionReader, type TransactionReader } from '../../chain/readTransactions.ts'
import { deleteOldOrigins, insertOrigins, type Origin } from '../../store/origins.ts'
import { findCursor } from '../../store/syncCursor.ts'
import { checkOrigins, type OrganicDeps } from './checkOrigins.ts'
import { findOwners, type PoolOwner } from './findOwners.ts'
import { findParties, type Parties } from './findParties.ts'
import { joinOrigins } from './joinOrigins.ts'
import { joinProviders } from './joinProviders.ts'
import { measureOrganic, type Rules, rankTraders, type TokenOrganic } from './measureOrganic.ts'
import type { CheckFailure, OriginCheck } from './originChecks.ts'
import { pickAsked, tradesPerTurn } from './pickAsked.ts'
import { readTradedPools, type TradedPool } from './readTradedPools.ts'
import { readUsdOf, type UsdOf } from './readUsdOf.ts'
import { weighSwaps } from './weighSwaps.ts'

/** Tokens that could enter the top: the transfers between their traders are read. */
const candidatesMax = 20
/** A transaction that the node did not have is asked for again after so long. */
const askAgainMs = 600_000
const missingMax = 10_000
const pruneEveryMs = 3_600_000

/** What is organic of a token's volume of a day. */
export type Organic = {
  readonly usdE18: bigint
  /** The part of the gross volume whose origins are known and compared, 0 to 1. */
  readonly coverage: number
  /** Whether the transfers between its traders were read: one of a few tokens that could enter the top. */
  readonly isChecked: boolean
}

/** `feeMin`: the lowest fee of an open pool of listed tokens, in millionths. A token that nothing is known of is left out. */
export type OrganicReading = {
  readonly tokens: ReadonlyMap<Address, Organic>
  readonly feeMin: number | undefined
  /** The largest provider of each pool that was read. */
  readonly owners: ReadonlyMap<Address, PoolOwner>
}

/** `failure`: of the node in this turn: what it did not answer counts nothing. */
export type OrganicTurn = {
  readonly reading: OrganicReading | undefined
  readonly failure: Failure | undefined
  /** Whether another turn would find more to ask. */
  readonly hasMore: boolean
}

/**
 * Works out organic volume in turns of bounded size. What it asks of the node is kept: origins in the store, transfers between wallets
 * in memory.
 */
export function keepOrganic(deps: OrganicDeps) {
  const checks = new Map<Address, OriginCheck>()
  const failures = new Map<Address, CheckFailure>()
  const missing = new Map<Hex, number>()
  const readTransactions = createTransactionReader(deps.chain)
  const quotes = new Set(deps.quotes)
  const periphery = deps.periphery && new Set(deps.periphery)
  let prunedAtMs = Number.NEGATIVE_INFINITY

  /** @throws Failure as the store does */
  const takeTurn = async (): Promise<OrganicTurn> => {
    const { store, nowMs } = deps
    const listed = deps.listed()
    const block = (await findCursor(store.read))?.block
    if (!block) return { reading: undefined, failure: undefined, hasMore: false }
    const nowSeconds = block.timestampSeconds
    const fromSeconds = nowSeconds - daySeconds
    if (nowMs() - prunedAtMs >= pruneEveryMs) {
      await store.write((tx) => deleteOldOrigins(tx, fromSeconds))
      prunedAtMs = nowMs()
    }
    const traded = await readTradedPools(store.read, { listed, quotes, fromSeconds, nowSeconds })
    const { pools: stored, gross, ruledOut, feeMin } = traded
    const priced = new Set([...quotes, ...stored.flatMap(({ token0, token1 }) => [token0, token1])])
    const usdOf = await readUsdOf(store.read, [...priced])
    const asked = await tryNode(() => askOrigins({ ...deps, readTransactions }, stored, missing))
    const pools = addOrigins(stored, asked.value ?? [])
    const parties = findParties(pools, periphery)
    let weighed = weigh(pools, checks, { ...parties, usdOf })
    const handedOf: Rules['handedOf'] = (token) => checks.get(token)?.handed ?? []
    const rules = { ...parties, quotes, usdOf, handedOf }
    const measure = (counts: Rules['counts']) => measureOrganic(weighed.pools, { ...rules, groupOf: weighed.groupOf, counts })
    const candidates = pickCandidates(
      measure(() => true),
      listed,
    )
    const known = new Set(candidates)
    const ranks = rankTraders(weighed.pools, { ...rules, counts: (token) => known.has(token) })
    const checked = await checkOrigins(deps, { ...parties, candidates, ranks, pools, checks, failures, toBlock: block.number })
    if (checked.count > 0) weighed = weigh(pools, checks, { ...parties, usdOf })
    const counts = (token: Address, trader: Address) =>
      checks.get(token)?.origins.has(trader) ?? (!known.has(token) && listed.has(token))
    const organic = measure(counts)
    const tokens = new Map(
      [...new Set([...organic.keys(), ...ruledOut.keys()])].map((token) => {
        const { usdE18, coveredUsdE18 } = organic.get(token) ?? nothing
        const looked = { usdE18, coveredUsdE18: coveredUsdE18 + (ruledOut.get(token) ?? 0n) }
        return [token, toOrganic(looked, gross.get(token) ?? 0n, checks.has(token))]
      }),
    )
    const hasMore =
      (asked.value?.length ?? 0) >= tradesPerTurn || candidates.some((token) => !checks.has(token) && !failures.has(token))
    const owners = findOwners(pools, { ...parties, groupOf: weighed.groupOf })
    return { reading: { tokens, feeMin, owners }, failure: asked.failure ?? checked.failure, hasMore }
  }
  return { takeTurn }
}

type Tried<T> = { readonly value?: T; readonly failure?: Failure }

/** What the node does not answer is missing; the round continues with what is known. */
async function tryNode<T>(ask: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith('rpc-')) return { failure: error }
    throw error
  }
}

async function askOrigins(
  { readTransactions, store, nowMs }: OrganicDeps & { readonly readTransactions: TransactionReader },
  pools: readonly TradedPool[],
  missing: Map<Hex, number>,
): Promise<Origin[]> {
  const asked = pickAsked(pools, (hash) => nowMs() - (missing.get(hash) ?? Number.NEGATIVE_INFINITY) >= askAgainMs)
  const transactions = await readTransactions(asked.map(({ txHash }) => txHash))
  if (missing.size > missingMax) missing.clear()
  const found = asked.flatMap((one, i): Origin[] => {
    const origin = transactions[i]?.origin
    if (origin) return [{ ...one, origin }]
    missing.set(one.txHash, nowMs())
    return []
  })
  if (found.length > 0) await store.write((tx) => insertOrigins(tx, found))
  return found
}

function addOrigins(pools: readonly TradedPool[], found: readonly Origin[]): readonly TradedPool[] {
  if (found.length === 0) return pools
  const origins = new Map(found.map(({ txHash, origin }) => [txHash, origin]))
  const add = <T extends { readonly txHash: Hex; readonly origin: Address | undefined }>(row: T): T => {
    const origin = row.origin ?? origins.get(row.txHash)
    return origin === row.origin ? row : { ...row, origin }
  }
  return pools.map((pool) => ({ ...pool, trades: pool.trades.map(add), changes: pool.changes.map(add) }))
}

type Checks = ReadonlyMap<Address, OriginCheck>

function weigh(pools: readonly TradedPool[], checks: Checks, parties: Parties & { readonly usdOf: UsdOf }) {
  const { providerOf, links, usdOf } = parties
  const groupOf = joinOrigins([
    ...links,
    ...[...checks].flatMap(([token, { handed }]) => joinProviders(token, pools, { handed, providerOf, usdOf })),
  ])
  return {
    groupOf,
    pools: pools.map((pool) => ({ ...pool, parts: weighSwaps(pool, { ...parties, groupOf }) })),
  }
}

/** The listed tokens with most, as far as it is known: what is joined later only makes it less. */
function pickCandidates(organic: ReadonlyMap<Address, TokenOrganic>, listed: ReadonlySet<Address>): Address[] {
  return [...organic]
    .filter(([token]) => listed.has(token))
    .sort(([, a], [, b]) => (a.usdE18 > b.usdE18 ? -1 : a.usdE18 < b.usdE18 ? 1 : 0))
    .slice(0, candidatesMax)
    .map(([token]) => token)
}

const millionths = 1_000_000n
const nothing: TokenOrganic = { usdE18: 0n, coveredUsdE18: 0n }

function toOrganic({ usdE18, coveredUsdE18 }: TokenOrganic, gross: bigint, isChecked: boolean): Organic {
  const coverage = gross === 0n ? 0 : Math.min(1, Number((coveredUsdE18 * millionths) / gross) / 1e6)
  return { usdE18, coverage, isChecked }
}
