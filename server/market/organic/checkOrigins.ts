import { type Address, Failure } from '@chainboard/core'
import type { Chain } from '../../chain/chain.ts'
import type { Store } from '../../store/store.ts'
import type { Parties } from './findParties.ts'
import type { rankTraders } from './measureOrganic.ts'
import {
  type CheckFailure,
  cutOrigins,
  keepHanded,
  listOrigins,
  noteCheck,
  type OriginCheck,
  pickToCheck,
} from './originChecks.ts'
import type { TradedPool } from './readTradedPools.ts'
import { readTransfers } from './readTransfers.ts'

export type OrganicDeps = {
  readonly chain: Pick<Chain, 'forward'>
  readonly store: Store
  /** The tokens of the list as it is now. */
  readonly listed: () => ReadonlySet<Address>
  /** The network's quotes: what swaps that count are paid with, and what is handed on between wallets besides the token itself. */
  readonly quotes: readonly Address[]
  /** Contracts that act for their callers, as the network file lists them: position managers and routers. */
  readonly periphery?: readonly Address[] | undefined
  /** The widest range of blocks to ask the node for. */
  readonly spanMax: number
  readonly nowMs: () => number
}

export type CheckRequest = {
  readonly candidates: readonly Address[]
  readonly providerOf: Parties['providerOf']
  readonly ranks: ReturnType<typeof rankTraders>
  readonly pools: readonly TradedPool[]
  readonly checks: Map<Address, OriginCheck>
  readonly failures: Map<Address, CheckFailure>
  readonly toBlock: number
}

type CheckDeps = Pick<OrganicDeps, 'chain' | 'quotes' | 'spanMax' | 'nowMs'>

const nobody: ReadonlyMap<Address, bigint> = new Map()

/** @returns how many tokens were checked, and the first failure of the node: it stays with its token, and the others are read. */
export async function checkOrigins(
  deps: CheckDeps,
  request: CheckRequest,
): Promise<{ count: number; failure: Failure | undefined }> {
  const { candidates, providerOf, ranks, pools, checks, failures } = request
  const origins = new Map(
    candidates.map((token) => {
      const own = listOrigins(token, pools, { ranks: ranks.get(token) ?? nobody, providerOf })
      return [token, cutOrigins(own, failures.get(token))]
    }),
  )
  const originsOf = (token: Address) => origins.get(token) ?? []
  let [count, failure]: [number, Failure | undefined] = [0, undefined]
  for (const token of pickToCheck(candidates, originsOf, { checks, failures, nowMs: deps.nowMs() })) {
    const failed = await checkToken(deps, { ...request, token, own: originsOf(token) })
    failure ??= failed
    if (!failed) count += 1
    const told = failed ? (failed.code === 'rpc-range-too-wide' ? 'too-many' : 'not-answered') : 'read'
    const noted = noteCheck(failures.get(token), told, deps.nowMs())
    if (noted) failures.set(token, noted)
    else failures.delete(token)
    // A node that does not answer is not asked about the next one.
    if (told === 'not-answered') break
  }
  return { count, failure }
}

async function checkToken(
  { chain, quotes, spanMax, nowMs }: CheckDeps,
  { token, own, pools, checks, toBlock }: CheckRequest & { readonly token: Address; readonly own: readonly Address[] },
): Promise<Failure | undefined> {
  const blocks = pools.flatMap(({ trades }) => trades[0]?.blockNumber ?? [])
  const fromBlock = blocks.reduce((first, block) => Math.min(first, block), toBlock)
  const tokens = [...new Set([token, ...quotes])]
  try {
    const { handed, unread } = await readTransfers(chain, { tokens, origins: own, fromBlock, toBlock, spanMax })
    const check = { origins: new Set(own.filter((origin) => !unread.has(origin))), unread, atMs: nowMs() }
    checks.set(token, { ...check, handed: keepHanded(checks.get(token)?.handed ?? [], { ...check, handed }) })
    return undefined
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith('rpc-')) return error
    throw error
  }
}
