import type { NetworkFile } from '../networkFile.ts'
import type { Store } from '../store/store.ts'
import { cmcPoolOf, slugOf } from './cmc/cmcKeys.ts'
import { planCredits } from './cmc/creditBudget.ts'
import { type Cmc, openCmc } from './cmc/openCmc.ts'
import { type AskedSource, keepSources, type SourceKeeper } from './keepSources.ts'
import { fromList } from './liveList.ts'
import { hasFreshQuote } from './pickQuote.ts'
import type { SourceClock, SourceLog } from './pollSource.ts'
import type { PriceSource, SourceName } from './source.ts'
import { createCmcDexSource } from './sources/cmcDex.ts'
import { createCmcListedSource } from './sources/cmcListed.ts'
import type { MergeOptions } from './takeSnapshot.ts'
import type { ListedToken, TokenList } from './tokenList.ts'

/** A reading takes four calls or more, and hosted gateways count them by the month. */
const subgraphIntervalMs = 60_000
const dexRetryFirstMsMin = 5_000
/** A reading of pairs may cost hundreds of credits, and a failed one too: in an outage this allows three more than planned. */
const dexRetryPart = 8

export type SourceParts = {
  readonly store: Store
  readonly network: Pick<NetworkFile, 'prices' | 'cmc'>
  readonly list: () => TokenList
  /** Secret. */
  readonly cmcApiKey: string | undefined
  /** Undefined where nothing is indexed. */
  readonly index: PriceSource | undefined
  readonly subgraph: PriceSource | undefined
  readonly clock: SourceClock
  readonly log: SourceLog
  readonly learned?: MergeOptions['learned']
  readonly onChange: () => void
}

/** The sources in use, and CoinMarketCap's part of them; `cmc` is undefined when it is not asked. */
export type OpenSources = {
  readonly keeper: SourceKeeper
  readonly cmc: Cmc | undefined
  start(): void
  /** Ends calls under way. */
  stop(): Promise<void>
}

/** Opens every source that the network file names and that has what it needs. Asks none of them yet. */
export async function openSources(parts: SourceParts): Promise<OpenSources> {
  const { store, network, list, cmcApiKey, clock, log, learned, onChange, index, subgraph } = parts
  const order = network.prices.sources
  const stopping = new AbortController()
  const cmc = cmcApiKey && network.cmc && wantsCmc(network) ? await openCmc(store, network.cmc, cmcApiKey, clock) : undefined
  const late: { keeper?: SourceKeeper } = {}
  const asked: Partial<Record<SourceName, AskedSource>> = {
    ...(index ? { index: { source: index, intervalMs: () => 0 } } : {}),
    ...(subgraph ? { subgraph: { source: subgraph, intervalMs: () => subgraphIntervalMs } } : {}),
    ...(cmc ? askCmc(parts, cmc, { keeper: () => late.keeper, signal: stopping.signal }) : {}),
  }
  const keeper = keepSources({ order, list, prices: network.prices, asked, clock, log, learned, onChange })
  late.keeper = keeper
  return {
    keeper,
    cmc,
    start: () => {
      if (!cmc && wantsCmc(network)) log.info({ sources: order }, 'CoinMarketCap is left out: there is no CMC_API_KEY')
      keeper.start()
    },
    stop: async () => {
      stopping.abort()
      await keeper.stop()
    },
  }
}

function wantsCmc({ prices }: SourceParts['network']): boolean {
  return prices.sources.some((name) => name === 'cmcListed' || name === 'cmcDex')
}

type Late = { readonly keeper: () => SourceKeeper | undefined; readonly signal: AbortSignal }

/** The two sources of CoinMarketCap, on intervals that keep to the credits of a month. */
function askCmc(
  { network, list, clock }: SourceParts,
  { client, book, creditsPerMonth }: Cmc,
  { keeper, signal }: Late,
): Partial<Record<SourceName, AskedSource>> {
  const uses = (name: SourceName) => network.prices.sources.includes(name)
  const deps = { client, book, nowMs: clock.nowMs, signal }
  const poolOf = (token: ListedToken) => cmcPoolOf(token, keeper()?.chainReading()?.answers.get(token.id)?.displayPool)
  const countCoins = fromList(list, ({ tokens }) => new Set(tokens.flatMap((token) => slugOf(token) ?? [])).size)

  /** Those with a pool that the listing did not price when it last answered: an outage makes nobody dearer. */
  const dexTokens = () => {
    const listed = keeper()
      ?.kept()
      .find(({ name }) => name === 'cmcListed')
    const pick = { ...network.prices, nowSeconds: (listed?.readAtMs ?? 0) / 1000 }
    return list().tokens.filter((token) => poolOf(token) && !(listed && hasFreshQuote(listed, token.id, pick)))
  }
  const plan = () =>
    planCredits({
      listedCoins: uses('cmcListed') ? countCoins() : 0,
      dexPairs: uses('cmcDex') ? new Set(dexTokens().map(poolOf)).size : 0,
      creditsPerMonth,
    })
  return {
    ...(uses('cmcListed')
      ? {
          cmcListed: {
            source: createCmcListedSource(deps),
            intervalMs: () => plan().listedSeconds * 1000,
          },
        }
      : {}),
    ...(uses('cmcDex')
      ? {
          cmcDex: {
            source: createCmcDexSource(deps, { network: network.cmc?.network ?? '', poolOf }),
            intervalMs: () => plan().dexSeconds * 1000,
            tokens: dexTokens,
            retryFirstMs: (intervalMs) => Math.max(dexRetryFirstMsMin, intervalMs / dexRetryPart),
          },
        }
      : {}),
  }
}
