import { fail, ok, warn } from '../../finding.ts'
import type { SourceVisit } from '../sourceDefinition.ts'
import { slugOf } from './cmcKeys.ts'
import type { cmcFile } from './cmcSettings.ts'
import { defaultCreditsPerMonth, planCredits } from './creditBudget.ts'

/** Whether there is a key, and what it costs. CoinMarketCap itself is not asked: that would cost a credit. */
export function checkCmc(visit: SourceVisit<typeof cmcFile>): void {
  const { sources } = visit.network.prices
  const named = sources.filter((name) => name === 'cmcListed' || name === 'cmcDex')
  const field = 'CMC_API_KEY'
  if (visit.env[field]) {
    visit.say(ok(field, `is set, for ${named.join(' and ')}: ${describeCost(visit)}`))
    return
  }
  const trouble = {
    field,
    found: 'nothing',
    wanted: `a key, as prices.sources names ${named.join(' and ')}`,
    todo: 'Set it, or remove them from prices.sources: without it the server uses the next source',
  }
  visit.say(named.length === sources.length ? fail(trouble) : warn(trouble))
}

/** At most: a pair is asked for only as long as no source before it has the price. */
function describeCost({ network, tokens }: SourceVisit<typeof cmcFile>): string {
  const { sources } = network.prices
  const slugs = sources.includes('cmcListed') ? tokens.map(slugOf) : tokens.map(() => undefined)
  const listedCoins = new Set(slugs.filter((slug) => slug !== undefined)).size
  const dexPairs = sources.includes('cmcDex') ? slugs.filter((slug) => slug === undefined).length : 0
  const creditsPerMonth = network.cmc?.creditsPerMonth ?? defaultCreditsPerMonth
  const plan = planCredits({ listedCoins, dexPairs, creditsPerMonth })
  const credits = plan.listedCreditsPerMonth + plan.dexCreditsPerMonth
  return `up to ${credits} of ${creditsPerMonth} credits a month; coins ${listedCoins}, pairs ${dexPairs}`
}
