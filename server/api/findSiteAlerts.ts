import type { WireSiteAlert, WireSiteState } from '@chainboard/contract'
import type { OperatorAlert } from '@chainboard/core'
import type { AdminAct } from '../operators/createOperators.ts'

/** Free bytes below which a disk needs somebody, and below which it needs somebody now. */
const freeBytesMin = { warning: 10 * 1024 ** 3, critical: 2 * 1024 ** 3 }

const unusual: Readonly<Record<OperatorAlert, string>> = {
  'first-use': 'acted in their role for the first time',
  'new-address': 'acted from a new address',
  'many-deletions': 'deleted several keys within minutes',
}

type Facts = Pick<WireSiteState, 'index' | 'sources' | 'list' | 'storage'> & { readonly unusualActs: readonly AdminAct[] }

/** What needs somebody, the worst first. Reading the chain's history and what mends itself within seconds is not among it. */
export function findSiteAlerts(facts: Facts): WireSiteAlert[] {
  const found = [
    ...ofIndex(facts.index),
    ...ofStorage(facts.storage),
    ...facts.sources.flatMap(ofSource),
    ...ofList(facts.list),
    ...facts.unusualActs.flatMap(ofAct),
  ]
  return found.sort((a, b) => Number(b.level === 'critical') - Number(a.level === 'critical'))
}

function ofIndex({ state, reason, blockTime }: Facts['index']): WireSiteAlert[] {
  if (state === 'live' || state === 'syncing') return []
  return [{ level: 'critical', about: 'index', text: reason ?? `The index is ${state}`, since: blockTime }]
}

function ofStorage({ freeBytes }: Facts['storage']): WireSiteAlert[] {
  if (freeBytes === null || freeBytes >= freeBytesMin.warning) return []
  const level = freeBytes < freeBytesMin.critical ? 'critical' : 'warning'
  return [{ level, about: 'storage', text: `The disk of the data folder has ${toGb(freeBytes)} GB left`, since: null }]
}

function ofSource({ name, failingSince, failure }: Facts['sources'][number]): WireSiteAlert[] {
  if (failingSince === null) return []
  return [
    {
      level: 'warning',
      about: 'source',
      text: `The price source ${name} fails: ${failure ?? 'no reason given'}`,
      since: failingSince,
    },
  ]
}

function ofList({ refused, web }: Facts['list']): WireSiteAlert[] {
  const of = (refusal: Facts['list']['refused'], which: string): WireSiteAlert[] => {
    if (!refusal) return []
    const [first] = refusal.problems
    const why = first ? `: ${first.field}: found ${first.found}, expected ${first.wanted}` : ''
    return [{ level: 'warning', about: 'list', text: `The token list ${which} was refused${why}`, since: refusal.since }]
  }
  return [...of(refused, 'of the files'), ...of(web?.refused ?? null, 'from the URL')]
}

function ofAct({ alerts, wallet, role, atSeconds, chain }: AdminAct): WireSiteAlert[] {
  const who = `${role ?? 'operator'} ${wallet.slice(0, 6)}…${wallet.slice(-4)}`
  const entry = chain ? ` (entry ${chain.seq})` : ''
  return alerts.map((alert) => ({
    level: alert === 'many-deletions' ? 'critical' : 'warning',
    about: 'operator',
    text: `The ${who} ${unusual[alert]}${entry}`,
    since: atSeconds,
  }))
}

function toGb(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1)
}
