import { hideSecrets } from '../chain/hideSecrets.ts'
import { slugOf } from '../market/cmc/cmcKeys.ts'
import { defaultCreditsPerMonth, planCredits } from '../market/cmc/creditBudget.ts'
import { fail, ok, warn } from './finding.ts'
import { judgeSubgraph, subgraphQuestion } from './judgeSubgraph.ts'
import { hostOf } from './node.ts'
import { postJson } from './postJson.ts'
import type { Patient, Visit } from './visit.ts'

/** Looks at the sources of prices apart from the index. @param headNumber of the chain, when a node said it */
export async function checkSources(visit: Visit, headNumber: number | undefined): Promise<void> {
  checkCmc(visit)
  await checkSubgraph(visit, headNumber)
}

function checkCmc({ patient, say }: Visit): void {
  const { sources } = patient.network.prices
  const named = sources.filter((name) => name === 'cmcListed' || name === 'cmcDex')
  if (named.length === 0) return
  const field = 'CMC_API_KEY'
  if (patient.hasCmcKey) {
    say(ok(field, `is set, for ${named.join(' and ')}: ${describeCost(patient)}`))
    return
  }
  const trouble = {
    field,
    found: 'nothing',
    wanted: `a key, as prices.sources names ${named.join(' and ')}`,
    todo: 'Set it, or take them out of prices.sources: the next source is taken without it',
  }
  say(named.length === sources.length ? fail(trouble) : warn(trouble))
}

/** At most: a pair is asked for only as long as no source before it has the price. */
function describeCost({ network, tokens }: Patient): string {
  const { sources } = network.prices
  const slugs = sources.includes('cmcListed') ? tokens.map(slugOf) : tokens.map(() => undefined)
  const listedCoins = new Set(slugs.filter((slug) => slug !== undefined)).size
  const dexPairs = sources.includes('cmcDex') ? slugs.filter((slug) => slug === undefined).length : 0
  const creditsPerMonth = network.cmc?.creditsPerMonth ?? defaultCreditsPerMonth
  const plan = planCredits({ listedCoins, dexPairs, creditsPerMonth })
  const credits = plan.listedCreditsPerMonth + plan.dexCreditsPerMonth
  return `up to ${credits} of ${creditsPerMonth} credits a month; coins ${listedCoins}, pairs ${dexPairs}`
}

async function checkSubgraph({ patient, callTimeoutMs, say }: Visit, headNumber: number | undefined): Promise<void> {
  const { subgraphUrl: url, network } = patient
  if (!url || !network.prices.sources.includes('subgraph')) return
  const name = url === network.subgraphUrl ? 'subgraphUrl' : 'SUBGRAPH_URL'
  const outcome = await postJson({ url, body: { query: subgraphQuestion }, timeoutMs: callTimeoutMs })
  const finding = judgeSubgraph(outcome, {
    field: `${name} (${hostOf(url)})`,
    factory: network.dex.factory.toLowerCase(),
    headNumber,
    isOnlySource: !network.prices.sources.includes('index'),
  })
  say({ ...finding, found: hideSecrets(finding.found, url) })
}
