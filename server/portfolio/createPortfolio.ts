import { type Address, Failure } from '@chainboard/core'
import { BulkheadRejectedError, bulkhead, type IPolicy } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { getAddress } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { fromList } from '../market/liveList.ts'
import type { ListedToken } from '../market/tokenList.ts'
import { type Balance, type BalanceChain, type Holdable, readBalances, type WalletBalances } from './readBalances.ts'
import { readStake } from './readStake.ts'
import { findStakeCall, type StakeCall } from './stakeCall.ts'

const keptMsDefault = 4_000
const walletsKeptMax = 1_000
const stakesKeptMax = 10_000
const readingsAtOnceMax = 16
const readingsWaitingMax = 400
/** Of one staking contract: a slow one leaves half of the 16 to the others, and nobody waits for it without end. */
const stakesAtOnceMax = 8
const stakesWaitingMax = 100
/** Stakes that one client has read at once, or waiting for a contract; its further ones wait apart from everybody else's. */
const stakesOfClientMax = 10
/** A page asks for 50 wallets and all that is staked. */
const clientWaitingMax = 400

/** What wallets have, as the chain says: read when somebody asks, and then good for 4 s for everybody. */
export type Portfolio = {
  /** @throws Failure `wallet-unreadable` saying why */
  readonly readBalances: (wallet: Address) => Promise<WalletBalances>
  /**
   * What a wallet has staked in a contract that the list names.
   * @throws Failure `token-not-found` for another contract or token, `request-invalid` when the token is needed,
   * `wallet-unreadable` saying why
   */
  readonly readStake: (question: StakeQuestion) => Promise<Balance>
}

export type StakeQuestion = {
  readonly contract: Address
  readonly wallet: Address
  /** Needed only where several tokens are staked in the same contract. */
  readonly token?: Address | undefined
  /** Who asks: nobody takes all the places. */
  readonly client?: string
}

export type PortfolioParts = {
  readonly chain: BalanceChain
  /** Asked about stakes alone, so that no staking contract is in the way of anything else. */
  readonly stakeChain: Pick<Chain, 'forward'>
  /** The tokens of the list as it is now. */
  readonly listed: () => readonly ListedToken[]
} & Pick<Holdable, 'coinDecimals' | 'multicall'> & {
    /** The token that tells of the coin itself, where a chain has one: counted once, as the coin. */
    readonly coinToken: Address | undefined
  }

type StakeAsked = { readonly stakeable: Stakeable; readonly wallet: Address; readonly client: string | undefined }
type Stakeable = { readonly token: ListedToken; readonly call: StakeCall; readonly gate: IPolicy }

/** @param options.nowMs a clock that never goes back */
export function createPortfolio(
  { chain, stakeChain, listed, coinToken, ...coin }: PortfolioParts,
  { keptMs = keptMsDefault, nowMs = () => performance.now() } = {},
): Portfolio {
  const walletGate = bulkhead(readingsAtOnceMax, readingsWaitingMax)
  const stakeGate = bulkhead(readingsAtOnceMax, readingsWaitingMax)
  const toHoldable = fromList(listed, (tokens) => ({ ...coin, tokens: tokens.filter(({ id }) => id !== coinToken) }))
  const gates = new Map<Address, IPolicy>()
  const gateOf = (contract: Address): IPolicy => {
    const gate = gates.get(contract) ?? bulkhead(stakesAtOnceMax, stakesWaitingMax)
    gates.set(contract, gate)
    return gate
  }
  const inLineOf = createClientLines()
  const toStakeables = fromList(listed, (tokens) => {
    const stakeables = tokens.flatMap((token): Stakeable[] => {
      const call = findStakeCall(token)
      return call ? [{ token, call, gate: gateOf(call.contract) }] : []
    })
    return Map.groupBy(stakeables, ({ call }) => call.contract)
  })
  const keeping = { ttl: keptMs, ttlResolution: 0, perf: { now: nowMs } }

  const wallets = new LRUCache<Address, WalletBalances>({
    ...keeping,
    max: walletsKeptMax,
    fetchMethod: (wallet) =>
      orUnreadable(`The balances of ${getAddress(wallet)}`, () =>
        walletGate.execute(() => readBalances(chain, wallet, toHoldable())),
      ),
  })
  const stakes = new LRUCache<string, Balance, StakeAsked>({
    ...keeping,
    max: stakesKeptMax,
    fetchMethod: (_key, _stale, { context: { stakeable, wallet, client } }) =>
      orUnreadable(`The stake of ${getAddress(wallet)}`, async () => {
        const { token, call, gate } = stakeable
        const read = () => gate.execute(() => stakeGate.execute(() => readStake(stakeChain, call, wallet)))
        const amountRaw = await (client === undefined ? read() : inLineOf(client, read))
        return { token: token.id, amountRaw, decimals: token.decimals }
      }),
  })
  return {
    readBalances: (wallet) => wallets.forceFetch(wallet),
    readStake: async ({ contract, wallet, token, client }) => {
      const stakeable = getStakeable(toStakeables().get(contract) ?? [], contract, token)
      return stakes.forceFetch(`${stakeable.token.id} ${wallet}`, { context: { stakeable, wallet, client } })
    },
  }
}

/** A line for each client that has something to do. */
function createClientLines() {
  const lines = new Map<string, { readonly gate: IPolicy; open: number }>()
  return async <T>(client: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(client) ?? { gate: bulkhead(stakesOfClientMax, clientWaitingMax), open: 0 }
    lines.set(client, line)
    line.open += 1
    try {
      return await line.gate.execute(work)
    } finally {
      line.open -= 1
      if (line.open === 0) lines.delete(client)
    }
  }
}

function getStakeable(candidates: readonly Stakeable[], contract: Address, token: Address | undefined): Stakeable {
  const fitting = candidates.filter(({ token: { id } }) => token === undefined || id === token)
  const [first, second] = fitting
  if (!first)
    throw new Failure(
      'token-not-found',
      `No listed token${token ? ` ${getAddress(token)}` : ''} is staked at ${getAddress(contract)}`,
    )
  if (!second) return first
  const wanted = `one of ${candidates.map(({ token: { id } }) => getAddress(id)).join(', ')}`
  throw new Failure('request-invalid', `querystring token: missing, expected ${wanted}`)
}

/** What keeps a wallet from being read is one failure to the caller, with the reason in its words. */
async function orUnreadable<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BulkheadRejectedError) throw unreadable(`${what} cannot be read: too many wallets at once`, error)
    if (error instanceof Failure) throw unreadable(`${what} cannot be read: ${error.message}`, error)
    throw error
  }
}

function unreadable(message: string, cause: unknown): Failure {
  return new Failure('wallet-unreadable', message, { retryable: true, cause })
}
