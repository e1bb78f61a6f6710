import { statusStates } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Boosts } from '../boosts/boosts.ts'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { KeptSource } from '../market/pollSource.ts'
import { type RequestClass, requestClasses } from './admission.ts'
import type { Clock, Following, ListNews, OperatorNews, Servers, ServersStatus, Sources } from './deps.ts'
import { createRequestTimes } from './requestTimes.ts'
import { toStatus } from './toStatus.ts'

export type Metrics = {
  readonly contentType: string
  text(): Promise<string>
  /** Counts every request of the app. */
  watch(app: FastifyInstance): void
  /** Counts requests that are answered before they reach the app. */
  counterOf(route: string, status: number): (seconds: number) => void
  /** Counts a request that was refused because the server is busy. */
  countShed(kind: RequestClass): void
  /** Counts a page that was to be drawn at the server, by what became of it. */
  countPage(outcome: string): void
  /** Counts a picture of a token that was to be drawn, by what became of it. */
  countPicture(outcome: string): void
  /** Shows what became of calls to each node: figures that only rise. */
  watchNodes(list: () => readonly NodeCount[]): void
  /** Shows how many streams of prices are open. */
  watchStreams(count: () => number): void
}

type NodeCount = { readonly place: number; readonly outcome: string; readonly count: number }
type Verification = NonNullable<FollowStatus['verification']>

/** What the figures are read from. */
export type MetricsDeps = Following &
  Clock &
  Sources &
  ListNews &
  Servers &
  OperatorNews & { readonly boosts: Pick<Boosts, 'expirations' | 'answeredAtMs' | 'doubts' | 'repairs'> }

/** Adds a figure that is read when it is asked for; `null` where there is none. */
type AddGauge = (name: string, help: string, read: () => number | null) => Gauge

/** Of the process, which has them once: they watch it, which nothing ends, and would keep each server that was closed in memory. */
let figuresOfProcess: Registry | undefined

function findFiguresOfProcess(): Registry {
  if (figuresOfProcess) return figuresOfProcess
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  figuresOfProcess = registry
  return registry
}

/** Prometheus figures: the process, the index, and how long each route takes. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const ofProcess = findFiguresOfProcess()
  const registry = new Registry()
  const gauge: AddGauge = (name, help, read) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read() ?? Number.NaN)
      },
    })
  addState(registry, deps)
  addIndex(gauge, deps)
  addCalls(gauge, deps)
  addList(gauge, deps)
  addServers(gauge, deps)
  addBoosts(gauge, deps)
  addSources(registry, deps)
  countOperatorAlerts(registry, deps)
  const shed = countShed(registry)
  const pages = countPages(registry)
  const pictures = countPictures(registry)
  const times = createRequestTimes()
  return {
    contentType: registry.contentType,
    text: async () => `${await ofProcess.metrics()}\n${await registry.metrics()}\n${times.text()}`,
    counterOf: (route, status) => times.counterOf({ method: 'GET', route, status }),
    countShed: (kind) => shed.inc({ class: kind }),
    countPage: (outcome) => pages.inc({ outcome }),
    countPicture: (outcome) => pictures.inc({ outcome }),
    watchNodes: (list) => void countNodes(registry, list),
    watchStreams: (count) => void gauge('chainboard_api_streams', 'Open price streams', count),
    watch: (app) => {
      app.addHook('onResponse', (request, reply, done) => {
        // The route's pattern, never the path asked for: the caller must not choose how many series there are.
        const route = request.routeOptions.url ?? 'none'
        times.counterOf({ method: request.method, route, status: reply.statusCode })(reply.elapsedTime / 1000)
        done()
      })
    },
  }
}

/** 1 for the state that `/api/status` says, 0 for the others: one that is not there cannot be told from 0. */
function addState(registry: Registry, deps: Following & Clock): Gauge {
  return new Gauge({
    name: 'chainboard_state',
    help: '1 for the current state of /api/status, 0 for all others',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { state } = toStatus(deps)
      for (const each of statusStates) this.set({ state: each }, Number(each === state))
    },
  })
}

function addIndex(gauge: AddGauge, deps: Following & Clock): void {
  gauge('chainboard_index_block', 'Last block in the index', () => toStatus(deps).block)
  gauge('chainboard_index_lag_blocks', 'Blocks the chain is ahead of the index', () => toStatus(deps).lagBlocks)
  gauge(
    'chainboard_index_seconds_left',
    'Seconds until the history is read, at the current pace',
    () => toStatus(deps).progress?.secondsLeft ?? null,
  )
  gauge('chainboard_index_block_age_seconds', 'Seconds since the last indexed block', () => {
    const { blockTime } = toStatus(deps)
    return blockTime === null ? null : deps.nowSeconds() - blockTime
  })
  const ofVerification = (name: string, help: string, read: (verification: Verification) => number | undefined) =>
    gauge(name, help, () => {
      const { verification } = deps.followStatus()
      return (verification && read(verification)) ?? null
    })
  ofVerification('chainboard_index_verified_block', 'Block up to which every pool matched its contract', (v) => v.verifiedBlock)
  ofVerification(
    'chainboard_index_doubts',
    'Places where the index is inconsistent and could not be repaired',
    (v) => v.doubts.length,
  )
  ofVerification(
    'chainboard_index_repairs_total',
    'How often a part of the index was read again since the start',
    (v) => v.repairs,
  )
  ofVerification('chainboard_index_unverifiable_pools', 'Pools whose fee growth is not computed', (v) => v.unverifiable)
}

function addCalls(gauge: AddGauge, deps: Following & Clock & Pick<Sources, 'creditsSpent'>): void {
  gauge('chainboard_node_contact_age_seconds', 'Seconds since the node last answered', () => toStatus(deps).secondsSinceContact)
  gauge('chainboard_cmc_credits_spent', 'Credits of CoinMarketCap spent in this month (UTC)', () => deps.creditsSpent() ?? null)
}

function addList(gauge: AddGauge, { listStatus }: ListNews): void {
  gauge('chainboard_list_tokens', 'Tokens of the list that are shown', () => listStatus().tokens)
  gauge('chainboard_list_refused', 'Whether the newest token list was refused', () => Number(listStatus().refused !== undefined))
  gauge('chainboard_list_web_refused', 'Whether the newest token list from the URL was refused', () => {
    const { remote } = listStatus()
    return remote ? Number(remote.refused !== undefined) : null
  })
  gauge('chainboard_list_being_read', 'Added tokens with incomplete figures', () => listStatus().beingRead.length)
}

function addServers(gauge: AddGauge, { servers }: Servers): void {
  if (!servers) return
  const ofServers = (name: string, help: string, read: (status: ServersStatus) => number | undefined) =>
    gauge(name, help, () => read(servers()) ?? null)
  ofServers('chainboard_leader', '1 if this server leads, otherwise 0', (s) => Number(s.leadsInEpoch !== undefined))
  ofServers(
    'chainboard_leader_epoch',
    'Number of times a server became leader, up to the one that published the board',
    (s) => s.epoch,
  )
  ofServers('chainboard_board_sequence', 'Number of the board that this server answers from', (s) => s.sequence)
  ofServers('chainboard_board_age_seconds', 'Seconds since this server has that board', (s) => s.ageSeconds)
  ofServers('chainboard_leader_state_age_seconds', 'Seconds since the leader last reported its state', (s) => s.stateAgeSeconds)
}

function addBoosts(gauge: AddGauge, { boosts, nowSeconds }: Pick<MetricsDeps, 'boosts' | 'nowSeconds'>): void {
  gauge('chainboard_boosts', 'Boosted tokens', () => boosts.expirations().size)
  gauge('chainboard_boosts_age_seconds', 'Seconds since the boost contract last answered', () => {
    const answeredAtMs = boosts.answeredAtMs()
    return answeredAtMs === undefined ? null : nowSeconds() - answeredAtMs / 1000
  })
  gauge('chainboard_boosts_doubts', 'Blocks of the boost ledger about which the nodes disagree, not decided yet', () =>
    boosts.doubts(),
  )
  gauge('chainboard_boosts_repairs_total', 'Corrections of the boost ledger since the start', () => boosts.repairs())
}

function addSources(registry: Registry, { sources, nowSeconds }: Pick<Sources, 'sources'> & Clock): void {
  const ofSources = (name: string, help: string, read: (source: KeptSource) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [registry],
      collect() {
        for (const source of sources()) this.set({ source: source.name }, read(source))
      },
    })
  ofSources('chainboard_source_age_seconds', 'Seconds since a price source last answered', ({ readAtMs }) =>
    readAtMs === undefined ? Number.NaN : nowSeconds() - readAtMs / 1000,
  )
  ofSources('chainboard_source_failing', 'Whether the last call to a price source failed', ({ failure }) =>
    Number(failure !== undefined),
  )
}

function countPages(registry: Registry): Counter {
  return new Counter({
    name: 'chainboard_pages_drawn_total',
    help: 'Pages requested from the renderer: drawn, absent from the site, failed, refused because of a limit, or too late for a waiting visitor',
    labelNames: ['outcome'],
    registers: [registry],
  })
}

function countPictures(registry: Registry): Counter {
  return new Counter({
    name: 'chainboard_share_pictures_total',
    help: 'Pictures of tokens: drawn, the same as before, failed, refused for a limit, or too late for a waiting client',
    labelNames: ['outcome'],
    registers: [registry],
  })
}

function countShed(registry: Registry): Counter<'class'> {
  const shed = new Counter({
    name: 'chainboard_shed_requests_total',
    help: 'Requests answered with 503 because the event loop was busy',
    labelNames: ['class'],
    registers: [registry],
  })
  // A series that is not there cannot be told from one that is 0.
  for (const kind of requestClasses) shed.inc({ class: kind }, 0)
  return shed
}

function countOperatorAlerts(registry: Registry, { operatorAlerts }: OperatorNews): Counter {
  return new Counter({
    name: 'chainboard_operator_alerts_total',
    help: 'Unusual acts of operators, which the audit log shows',
    labelNames: ['alert'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [alert, count] of Object.entries(operatorAlerts())) this.inc({ alert }, count)
    },
  })
}

function countNodes(registry: Registry, list: () => readonly NodeCount[]): Counter {
  return new Counter({
    name: 'chainboard_node_calls_total',
    help: 'Calls to each node, by its position in RPC_URL: answered, failed, or outrun by another node',
    labelNames: ['node', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { place, outcome, count } of list()) this.inc({ node: place, outcome }, count)
    },
  })
}
