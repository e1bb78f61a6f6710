import type { Address } from '@chainboard/core'
import { fromList } from '../liveList.ts'
import { hasFreshQuote } from '../offer.ts'
import type { LeftOut, OpenParts } from '../sourceDefinition.ts'
import type { ListedToken } from '../tokenList.ts'
import { cmcPoolOf, slugOf } from './cmcKeys.ts'
import type { cmcFile } from './cmcSettings.ts'
import { type CreditPlan, planCredits } from './creditBudget.ts'
import { type Cmc, openCmc } from './openCmc.ts'

/** CoinMarketCap as its two sources share it, on intervals that keep to the credits of a month. */
export type SharedCmc = Cmc & {
  readonly plan: () => CreditPlan
  readonly poolOf: (token: ListedToken) => Address | undefined
  /** Those with a pool that the listing did not price when it last answered: an outage makes nobody dearer. */
  readonly dexTokens: () => readonly ListedToken[]
}

/** Why CoinMarketCap is left out, for operators. */
export const noKey: LeftOut = { leftOut: 'CoinMarketCap is not used: CMC_API_KEY is not set' }

const opened = new WeakMap<OpenParts<typeof cmcFile>, Promise<SharedCmc>>()

/** One CoinMarketCap client for both sources; undefined without a key. */
export function shareCmc(parts: OpenParts<typeof cmcFile>): Promise<SharedCmc> | undefined {
  const { network, env } = parts
  const apiKey = env['CMC_API_KEY']
  if (!apiKey || !network.cmc) return undefined
  const shared = opened.get(parts) ?? share(parts, openCmc(parts.store, network.cmc, apiKey, parts.clock))
  opened.set(parts, shared)
  return shared
}

/** What a source has opened of it; undefined where none did. */
export function findSharedCmc(parts: OpenParts<typeof cmcFile>): Promise<SharedCmc> | undefined {
  return opened.get(parts)
}

async function share(
  { network, list, kept, chainReading }: OpenParts<typeof cmcFile>,
  opening: Promise<Cmc>,
): Promise<SharedCmc> {
  const cmc = await opening
  const uses = (name: 'cmcListed' | 'cmcDex') => network.prices.sources.includes(name)
  const poolOf = (token: ListedToken) => cmcPoolOf(token, chainReading()?.answers.get(token.id)?.displayPool)
  const countCoins = fromList(list, ({ tokens }) => new Set(tokens.flatMap((token) => slugOf(token) ?? [])).size)
  const dexTokens = () => {
    const listed = kept('cmcListed')
    const pick = { ...network.prices, nowSeconds: (listed?.readAtMs ?? 0) / 1000 }
    return list().tokens.filter((token) => poolOf(token) && !(listed && hasFreshQuote(listed, token.id, pick)))
  }
  const plan = () =>
    planCredits({
      listedCoins: uses('cmcListed') ? countCoins() : 0,
      dexPairs: uses('cmcDex') ? new Set(dexTokens().map(poolOf)).size : 0,
      creditsPerMonth: cmc.creditsPerMonth,
    })
  return { ...cmc, plan, poolOf, dexTokens }
}
