import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import type { SurveyedPool } from './readPools.ts'
import { mintTopic, toProvider } from './recentActivity.ts'
import { scanLogs } from './scanLogs.ts'

/** Providers of liquidity that are asked whether they are a position manager, and tokens whether they hold coins. */
const providersMax = 20
const tokensMax = 20
const contractsMax = 50
const firstRequestsMax = 3
const mintsMax = 2_000

/** A wrapped coin. `manager`: the position manager that names it. `coinsRaw`: the coins that its contract holds. */
export type WrappedCandidate = {
  readonly address: Address
  readonly manager: Address | undefined
  readonly coinsRaw: bigint
  /** Whether it holds a coin for every token of it. */
  readonly isBacked: boolean
}

export type WrappedQuestion = {
  readonly factory: Address
  readonly pools: readonly SurveyedPool[]
  /** Who provided liquidity lately; may be any contract. */
  readonly providers: Iterable<Address>
  /** Where the first liquidity is looked for, when there was none lately. */
  readonly createdAt: number | undefined
  readonly head: number
  readonly width: number
}

/**
 * The wrapped coin, by the exchange's position manager, or by its own contract: one that holds as many coins as there are
 * tokens of it. Anybody may write a contract that claims either, so the one that holds the most coins comes first.
 */
export async function listWrapped(
  chain: Pick<Chain, 'forward'>,
  calls: Pick<Chain, 'forward'>,
  question: WrappedQuestion,
): Promise<WrappedCandidate[]> {
  const { factory, pools, providers } = question
  const recent = [...providers]
  const owners = recent.length > 0 ? recent : await listFirstProviders(chain, question)
  const managers = await Promise.all(owners.slice(0, providersMax).map((owner) => readManaged(calls, owner, factory)))
  const named = new Map(managers.flatMap((managed) => (managed ? [[managed.wrapped, managed.manager] as const] : [])))
  const tokens = [...new Set([...named.keys(), ...listByPools(pools)])].slice(0, tokensMax)
  const candidates = await Promise.all(tokens.map((token) => readWrapped(chain, calls, token, named.get(token))))
  return candidates
    .filter(({ manager, isBacked }) => manager !== undefined || isBacked)
    .sort((a, b) => Number(b.coinsRaw > a.coinsRaw) - Number(b.coinsRaw < a.coinsRaw))
}

async function listFirstProviders(chain: Pick<Chain, 'forward'>, question: WrappedQuestion): Promise<Address[]> {
  const { pools, createdAt, head, width } = question
  if (createdAt === undefined || pools.length === 0) return []
  const contracts = pools.slice(0, contractsMax).map(({ address }) => address)
  const { logs } = await scanLogs(
    chain,
    { from: createdAt, to: head, topics: [mintTopic], contracts },
    { width, requestsMax: firstRequestsMax, logsMax: mintsMax },
  )
  return [...new Set(logs.map(toProvider))]
}

type Managed = { readonly manager: Address; readonly wrapped: Address }

/** A position manager of this factory and the wrapped coin that it pays with. */
export async function readManaged(
  calls: Pick<Chain, 'forward'>,
  manager: Address,
  factory: Address,
): Promise<Managed | undefined> {
  const [of, wrapped] = await Promise.all([
    readContract(calls, { to: manager, name: 'factory' }),
    readContract(calls, { to: manager, name: 'WETH9' }),
  ])
  return of === factory && wrapped ? { manager, wrapped } : undefined
}

async function readWrapped(
  chain: Pick<Chain, 'forward'>,
  calls: Pick<Chain, 'forward'>,
  address: Address,
  manager: Address | undefined,
): Promise<WrappedCandidate> {
  const [balance, supply] = await Promise.all([
    chain.forward('eth_getBalance', [address, 'latest']),
    readContract(calls, { to: address, name: 'totalSupply' }),
  ])
  const coinsRaw = typeof balance === 'string' && /^0x[0-9a-f]+$/i.test(balance) ? BigInt(balance) : 0n
  return { address, manager, coinsRaw, isBacked: coinsRaw > 0n && supply !== undefined && coinsRaw >= supply && supply > 0n }
}

/** Tokens, those of the most pools first. */
function listByPools(pools: readonly SurveyedPool[]): Address[] {
  const counts = new Map<Address, number>()
  for (const { token0, token1 } of pools) for (const token of [token0, token1]) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([token]) => token)
}
