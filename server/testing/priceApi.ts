import type { Hex } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { type AppOptions, createApp } from '../api/createApp.ts'
import type { ApiDeps } from '../api/deps.ts'
import type { IndexMove } from '../api/v1/stream/priceFeed.ts'
import { noBoosts } from '../boosts/boosts.ts'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { KeyGate } from '../keys/keyGate.ts'
import { type DisplayPool, offChain, type Quote } from '../market/source.ts'
import type { Snapshot } from '../market/takeSnapshot.ts'
import { type TokenListEntry, toTokenList } from '../market/tokenList.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import { alpha, listed, networkFile } from './market.ts'

/** The second all prices of the tests are of, unless they say otherwise. */
export const nowSeconds = 1_700_000_000

/** Of an index that nobody follows. */
const idleStatus: FollowStatus = {
  cursor: undefined,
  head: undefined,
  headAtSeconds: undefined,
  longestGapSeconds: undefined,
  contactAtMs: undefined,
  trouble: undefined,
  complete: true,
  faults: 0,
}

type Figures = {
  readonly usd?: number
  readonly pair?: number
  readonly block?: number
  readonly depthUsd?: number
  readonly isOffChain?: true
}

const e18 = (value: number) => BigInt(Math.round(value * 1e6)) * 10n ** 12n

export function toBlock(number: number, branch = 'aa') {
  return { number, hash: `0x${branch.repeat(28)}${number.toString(16).padStart(8, '0')}` as Hex, timestampSeconds: nowSeconds }
}

/** A market of a token: priced when it has `usd`, by one pool. */
export function toMarket(
  entry: TokenListEntry,
  place: number,
  { usd, pair, block = 77, depthUsd = 1_000, isOffChain }: Figures,
): TokenMarket {
  const [token] = toTokenList([entry], []).tokens
  if (!token) throw new Error('no token')
  const quote: Quote | undefined =
    usd === undefined
      ? undefined
      : {
          ...offChain,
          source: isOffChain ? 'cmcListed' : 'index',
          usdE18: e18(usd),
          observedAtSeconds: nowSeconds,
          atBlock: isOffChain ? undefined : toBlock(block),
          route: isOffChain ? [] : [{} as Quote['route'][number]],
          depthUsdE18: isOffChain ? undefined : e18(depthUsd),
          confidence: 0.75,
          reasons: [],
          dayAgoUsdE18: undefined,
          weekAgoUsdE18: undefined,
          volume24hUsdE18: e18(500),
          fdmcUsdE18: undefined,
          marketCapUsdE18: undefined,
        }
  return {
    token,
    quote,
    reasons: quote ? [] : ['No pool on the chain trades this token'],
    freshSecondsMax: quote ? 600 : 0,
    displayPool: pair === undefined ? undefined : ({ priceE18: e18(pair), quoteSymbol: 'WNAT' } as DisplayPool),
    supply: 1_000_000,
    change24hPercent: quote ? 12.5 : undefined,
    change7dPercent: undefined,
    volume24hUsdE18: quote ? e18(500) : 0n,
    fdmcUsdE18: usd === undefined ? 0n : e18(usd * 1_000_000),
    marketCapUsdE18: usd === undefined ? 0n : e18(usd * 1_000_000),
    ...(quote ? { organic: { usdE18: e18(400), coverage: 0.9, isChecked: true } } : {}),
    warnings: quote ? [{ code: 'sell-tax', text: 'of 1,000 sold 950 arrived' }] : [],
    rank: place + 1,
  }
}

export function toSnapshot(markets: readonly TokenMarket[], atBlock: Snapshot['atBlock'] = toBlock(77)): Snapshot {
  return { atBlock, markets, byToken: new Map(markets.map((market) => [market.token.id, market])) }
}

/** ALPHA at 25 dollars and 0.01 of the native coin, the other listed tokens without a price. */
export function alphaSnapshot(figures: Figures = { usd: 25, pair: 0.01 }, atBlock?: Snapshot['atBlock']): Snapshot {
  return toSnapshot(
    listed.map((entry, place) => toMarket(entry, place, entry.address === alpha ? figures : {})),
    atBlock,
  )
}

export type PriceApiWorld = {
  readonly app: FastifyInstance
  readonly url: string
  /** Puts a snapshot in place and says so. */
  put(snapshot: Snapshot): void
  move(change: IndexMove): void
  setNow(seconds: number): void
}

type ServeOptions = {
  readonly proxies?: number
  readonly snapshot?: Snapshot
  readonly publicOrigin?: string | undefined
  readonly network?: ApiDeps['network']
} & Pick<AppOptions, 'isLocal' | 'metricsToken'>

/** The server's HTTP side over a market that the test tells, listening. */
export async function servePriceApi(
  keyGate: KeyGate,
  { proxies = 0, snapshot = alphaSnapshot(), publicOrigin, network = networkFile, ...options }: ServeOptions = {},
): Promise<PriceApiWorld> {
  const world = { snapshot, now: nowSeconds }
  const [onSnapshot, onIndex] = [new Set<() => void>(), new Set<(move: IndexMove) => void>()]
  const watch =
    <T>(listeners: Set<T>) =>
    (listener: T) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  const deps: Partial<ApiDeps> = {
    network,
    networkName: 'test',
    domain: 'board.example',
    origin: 'https://board.example',
    publicOrigin,
    snapshot: () => world.snapshot,
    highlighted: () => [],
    listStatus: () => ({
      tokens: 0,
      takenAtMs: 0,
      refused: undefined,
      beingRead: [],
      readProgress: undefined,
      remote: undefined,
    }),
    followStatus: () => idleStatus,
    sources: () => [],
    creditsSpent: () => undefined,
    operatorAlerts: () => ({ 'first-use': 0, 'new-address': 0, 'many-deletions': 0 }),
    boosts: noBoosts,
    nowSeconds: () => world.now,
    watchSnapshots: watch(onSnapshot),
    watchIndex: watch(onIndex),
    keyGate,
    keys: {} as ApiDeps['keys'],
  }
  const quiet = { logLevel: 'silent', webDir: '/nowhere', logosDir: import.meta.dirname }
  const app = await createApp(deps as ApiDeps, { ...quiet, ...options, proxies })
  return {
    app,
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    put: (next) => {
      world.snapshot = next
      for (const listener of onSnapshot) listener()
    },
    move: (change) => {
      for (const listener of onIndex) listener(change)
    },
    setNow: (seconds) => {
      world.now = seconds
    },
  }
}
