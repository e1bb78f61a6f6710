import type { WireSiteState } from '@chainboard/contract'
import { formatDate, formatRelativeTime } from '@chainboard/core'

/** One line of a group of facts. `bad`: it needs somebody. */
export type SiteFact = { readonly term: string; readonly text: string; readonly note?: string; readonly bad?: boolean }
export type SiteGroup = { readonly title: string; readonly facts: readonly SiteFact[] }

/** What is known of the site, in groups, each with one line for each fact. */
export function describeSite(state: WireSiteState): readonly SiteGroup[] {
  return [
    { title: 'Index', facts: ofIndex(state) },
    { title: 'Nodes', facts: state.nodes.map(ofNode) },
    { title: 'Price sources', facts: state.sources.map((source) => ofSource(source, state.now)) },
    { title: 'Token list', facts: ofList(state) },
    { title: 'Storage', facts: ofStorage(state.storage) },
    { title: 'Server', facts: ofServer(state) },
  ]
}

const stateWords: Readonly<Partial<Record<WireSiteState['index']['state'], string>>> = { live: 'Live', syncing: 'Reading' }

function ofIndex({ index, now }: WireSiteState): readonly SiteFact[] {
  const { state, block, blockTime, lagBlocks, secondsSinceContact, progress } = index
  const word = stateWords[state]
  return [
    { term: 'State', text: word ?? `${state[0]?.toUpperCase()}${state.slice(1)}`, bad: word === undefined },
    {
      term: 'Block',
      text: block === null ? 'None yet' : count(block),
      ...(blockTime === null ? {} : { note: formatRelativeTime(blockTime, now) }),
    },
    { term: 'Behind', text: lagBlocks === null ? 'Unknown' : plural(lagBlocks, 'block') },
    {
      term: 'Node answered',
      text: secondsSinceContact === null ? 'Not since startup' : formatRelativeTime(now - secondsSinceContact, now),
    },
    ...(progress ? [{ term: 'History', text: `${progress.percent}%`, note: `${count(progress.blocksPerSecond)} blocks/s` }] : []),
  ]
}

function ofNode({ host, answered, failed }: WireSiteState['nodes'][number]): SiteFact {
  const calls = answered + failed
  const share = calls === 0 ? 0 : failed / calls
  const text = calls === 0 ? 'Not called yet' : `${count(answered)} calls`
  return failed === 0 ? { term: host, text } : { term: host, text, note: `${count(failed)} failed`, bad: share > 0.5 }
}

function ofSource({ name, answeredAt, failingSince }: WireSiteState['sources'][number], now: number): SiteFact {
  if (failingSince !== null)
    return { term: name, text: 'Failing', note: `since ${formatRelativeTime(failingSince, now)}`, bad: true }
  return { term: name, text: answeredAt === null ? 'Not read yet' : `Read ${formatRelativeTime(answeredAt, now)}` }
}

function ofList({ list, now }: WireSiteState): readonly SiteFact[] {
  const { tokens, takenAt, refused, beingRead, web } = list
  return [
    { term: 'Tokens', text: count(tokens) },
    refused
      ? { term: 'Files', text: 'Refused', note: plural(refused.count, 'problem'), bad: true }
      : { term: 'Files', text: `In use since ${formatRelativeTime(takenAt, now)}` },
    ...(beingRead ? [{ term: 'Being added', text: plural(beingRead.count, 'token') }] : []),
    ...(web ? [ofWebList(web, now)] : []),
  ]
}

function ofWebList({ tokens, answeredAt, refused }: NonNullable<WireSiteState['list']['web']>, now: number): SiteFact {
  const term = 'From the URL'
  if (refused) return { term, text: 'Refused', note: plural(refused.count, 'problem'), bad: true }
  const note = answeredAt === null ? 'not answered yet' : formatRelativeTime(answeredAt, now)
  return { term, text: plural(tokens, 'token'), note }
}

const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

function ofStorage({ engine, bytes, freeBytes }: WireSiteState['storage']): readonly SiteFact[] {
  return [
    { term: 'Database', text: engines[engine] },
    { term: 'Size', text: bytes === null ? 'Unknown' : formatBytes(bytes) },
    { term: 'Free on the disk', text: freeBytes === null ? 'Unknown' : formatBytes(freeBytes) },
  ]
}

function ofServer({ server, now }: WireSiteState): readonly SiteFact[] {
  const age = now - server.startedAt
  return [
    { term: 'Version', text: server.version },
    { term: 'Node.js', text: server.nodeVersion.replace(/^v/, '') },
    { term: 'Started', text: age <= 7 * 86_400 ? formatRelativeTime(server.startedAt, now) : formatDate(server.startedAt) },
    { term: 'Memory', text: formatBytes(server.memoryBytes) },
  ]
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** In units of 1,024: `812 MB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  return `${amount.toFixed(power > 0 && amount < 10 ? 1 : 0)} ${units[power]}`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function plural(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : `${noun}s`}`
}
