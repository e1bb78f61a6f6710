import type { Static } from 'typebox'
import type { Store } from '../../store/store.ts'
import type { SourceClock } from '../pollSource.ts'
import { createCallPace } from './callPace.ts'
import { type CmcBook, createCmcBook } from './cmcBook.ts'
import { type CmcClient, createCmcClient } from './cmcClient.ts'
import type { cmcFile } from './cmcSettings.ts'
import { type CreditAccount, openCreditAccount } from './creditAccount.ts'
import { defaultCallsPerMinute, defaultCreditsPerMonth } from './creditBudget.ts'

const defaultBaseUrl = 'https://pro-api.coinmarketcap.com'
const defaultListedPath = '/v2/cryptocurrency/quotes/latest'
const defaultDexPath = '/v4/dex/pairs/quotes/latest'

export type CmcSettings = NonNullable<Static<typeof cmcFile.cmc>>

/** CoinMarketCap by one key: all that its two sources share. */
export type Cmc = {
  readonly client: CmcClient
  readonly book: CmcBook
  readonly credits: CreditAccount
  readonly creditsPerMonth: number
}

/** @param apiKey secret */
export async function openCmc(store: Store, settings: CmcSettings, apiKey: string, clock: SourceClock): Promise<Cmc> {
  const { nowMs } = clock
  const creditsPerMonth = settings.creditsPerMonth ?? defaultCreditsPerMonth
  const credits = await openCreditAccount(store, { creditsPerMonth, nowMs })
  const pace = createCallPace(settings.callsPerMinute ?? defaultCallsPerMinute, clock)
  const client = createCmcClient(
    {
      baseUrl: (settings.baseUrl ?? defaultBaseUrl).replace(/\/+$/, ''),
      listedPath: settings.listedPath ?? defaultListedPath,
      dexPath: settings.dexPath ?? defaultDexPath,
      apiKey,
    },
    { credits, pace, nowMs },
  )
  return { client, book: createCmcBook(), credits, creditsPerMonth }
}
