import { type Address, absolute } from '@chainboard/core'
import type { PositionChange } from '../../store/origins.ts'
import type { Trade } from './foldPositions.ts'
import type { Link } from './joinOrigins.ts'
import type { TradedPool } from './readTradedPools.ts'

/** Who acts in swaps and positions: a contract that acts for itself, or else the wallet that signed; undefined while that is not known. */
export type Parties = {
  traderOf(trade: Pick<Trade, 'sender' | 'origin'>): Address | undefined
  providerOf(change: Pick<PositionChange, 'owner' | 'origin'>): Address | undefined
  /** Whether a swap is of somebody who provides liquidity of the pool, or pays it out to one. */
  isOfProvider(pool: Address, trade: Pick<Trade, 'sender' | 'recipient'>): boolean
  /** Contracts with the wallet that most of what they did is signed by. */
  readonly links: readonly Link[]
}

/**
 * Tells contracts that act for themselves from those that act for their callers. Those are `periphery`, where the network names
 * it. Elsewhere all are, but those that provide liquidity and swap, as no position manager and no router does. Only what a contract
 * does itself counts: anybody can give it tokens or a position. Pure.
 */
export function findParties(pools: readonly TradedPool[], periphery: ReadonlySet<Address> | undefined): Parties {
  const owners = new Map(pools.map(({ address, changes }) => [address, listActing(changes)]))
  const isOwn = periphery ? (contract: Address) => !periphery.has(contract) : findBoth(pools, owners)
  const traderOf: Parties['traderOf'] = ({ sender, origin }) => (origin && isOwn(sender) ? sender : origin)
  const providerOf: Parties['providerOf'] = ({ owner, origin }) => (isOwn(owner) ? owner : origin)
  return {
    traderOf,
    providerOf,
    isOfProvider: (pool, { sender, recipient }) =>
      [sender, recipient].some((one) => isOwn(one) && owners.get(pool)?.has(one) === true),
    links: linkSigners([
      ...pools.flatMap(({ trades }) => trades.map((one) => ({ ...one, by: traderOf(one) }))),
      ...pools.flatMap(({ changes }) => changes.map((one) => ({ ...one, by: providerOf(one) }))),
    ]),
  }
}

/** Owners of positions that made or took one themselves. */
function listActing(changes: readonly PositionChange[]): ReadonlySet<Address> {
  return new Set(changes.flatMap(({ owner, sender, delta }) => (delta < 0n || sender === owner ? owner : [])))
}

function findBoth(pools: readonly TradedPool[], owners: ReadonlyMap<Address, ReadonlySet<Address>>) {
  const provide = new Set([...owners.values()].flatMap((ofPool) => [...ofPool]))
  const both = new Set(pools.flatMap(({ trades }) => trades.flatMap(({ sender }) => (provide.has(sender) ? sender : []))))
  return (contract: Address) => both.has(contract)
}

type Act = { readonly by: Address | undefined; readonly origin: Address | undefined; readonly usdE18: bigint }

/** By more than half of a contract's dollars: a stranger who calls it once is not joined with it. */
function linkSigners(acts: readonly Act[]): Link[] {
  const signers = new Map<Address, Map<Address, bigint>>()
  for (const { by, origin, usdE18 } of acts) {
    if (!by || !origin || by === origin) continue
    const ofContract = signers.get(by) ?? new Map<Address, bigint>()
    signers.set(by, ofContract)
    ofContract.set(origin, (ofContract.get(origin) ?? 0n) + absolute(usdE18))
  }
  return [...signers].flatMap(([contract, ofContract]): Link[] => {
    const total = [...ofContract.values()].reduce((sum, usd) => sum + usd, 0n)
    const main = [...ofContract].find(([, usd]) => 2n * usd > total)
    return main ? [[contract, main[0]]] : []
  })
}
