import { listPhases, readingPhases, statusStates } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { literals, noQuery, numberOrNull, orNull, problems } from './shapes.ts'

// How fresh the data behind every other answer is, and which token list it is of.

const listProblems = {
  count: Type.Integer({ description: 'number of problems' }),
  problems: Type.Array(Type.Object({ field: Type.String(), found: Type.String(), wanted: Type.String() }), {
    description: 'the first 20',
  }),
}
const listRefusal = Type.Object({ since: Type.Integer({ description: 'unix seconds' }), ...listProblems })
const refused = orNull(listRefusal, { description: 'why the newest list was refused; null if it was accepted' })

const beingRead = Type.Object({
  count: Type.Integer(),
  addresses: Type.Array(Type.String(), { description: 'the first 100' }),
  phase: literals(listPhases),
  blocksRead: orNull(Type.Integer(), { description: 'blocks read or valued; null while waiting' }),
  blocks: orNull(Type.Integer(), { description: 'blocks in all; null while waiting' }),
})

/** What became of the newest token list. */
export const listStatus = Type.Object({
  tokens: Type.Integer({ description: 'tokens that are shown' }),
  takenAt: Type.Integer({ description: 'unix seconds when the list was taken' }),
  refused,
  beingRead: orNull(beingRead, { description: 'added tokens with incomplete figures; null: none' }),
  web: orNull(
    Type.Object({
      tokens: Type.Integer(),
      answeredAt: orNull(Type.Integer(), { description: 'unix seconds; null: not since the start' }),
      refused,
      leftOut: Type.Object(listProblems, { description: 'tokens left out, and why' }),
    }),
    { description: 'the token list from a URL; null: none is set' },
  ),
})

export type WireListStatus = Static<typeof listStatus>
export type WireListRefusal = Static<typeof listRefusal>
export type WireBeingRead = Static<typeof beingRead>

const progress = Type.Object({
  phase: literals(readingPhases),
  percent: Type.Integer({ description: 'of the blocks of the phase, rounded down' }),
  blocksPerSecond: Type.Integer({ description: 'of the last five minutes' }),
  eventsPerSecond: Type.Integer({ description: 'of the last five minutes' }),
  secondsLeft: Type.Integer({ description: 'until the phase ends, at this pace' }),
})

export type WireProgress = Static<typeof progress>

/** How fresh the data is. */
export const statusAnswer = Type.Object({
  block: orNull(Type.Integer(), { description: 'the newest block in the index; null before the first one' }),
  blockTime: orNull(Type.Integer(), { description: 'unix seconds of that block' }),
  secondsSinceContact: numberOrNull('since the chain was last read successfully; null: not since the start'),
  lagBlocks: orNull(Type.Integer(), { description: 'how far the chain is ahead; null while the node is not responding' }),
  state: literals(statusStates),
  reason: orNull(Type.String(), {
    description: 'why the data is not live, as a sentence; null while it is live or is being read',
  }),
  progress: orNull(progress, { description: 'progress of reading the chain; null once all of it is read' }),
  completeSince: orNull(Type.Integer(), {
    description: 'unix seconds from which figures are complete while the history is being read; null once it is read',
  }),
  swapsKeptSince: orNull(Type.Integer(), {
    description: 'unix seconds before which swaps are no longer kept; null: all are kept',
  }),
  hoursKeptSince: orNull(Type.Integer(), {
    description: 'unix seconds before which hours of pools and tokens are no longer kept; null: all are kept',
  }),
})

export type WireStatus = Static<typeof statusAnswer>

/** Answer of `/api/status`. */
const siteStatusAnswer = Type.Object({ ...statusAnswer.properties, tokenList: listStatus })

export type WireSiteStatus = Static<typeof siteStatusAnswer>

const healthAnswer = Type.Object({ alive: Type.Literal(true) })

const readinessAnswer = Type.Object({
  ready: Type.Boolean(),
  store: Type.Boolean(),
  draining: Type.Boolean(),
  index: statusAnswer,
})

export type Readiness = Static<typeof readinessAnswer>

const figuresAnswer = { description: 'Metrics for Prometheus', content: { 'text/plain': { schema: Type.String() } } }

/** How fresh the data is, for pages, probes and Prometheus. `/healthz` alone touches neither database nor node. */
export const statusRoutes = group('Site', {
  getStatus: {
    method: 'GET',
    url: '/api/status',
    schema: {
      summary: 'How fresh the data is',
      description: 'The newest block in the index, how far the chain is ahead, and whether the newest token list was accepted.',
      querystring: noQuery,
      response: { 200: siteStatusAnswer, ...problems },
    },
  },
  getHealth: {
    method: 'GET',
    url: '/healthz',
    schema: {
      summary: 'Whether the server is alive',
      description: 'A liveness probe. It uses neither the database nor the node.',
      querystring: noQuery,
      response: { 200: healthAnswer, ...problems },
    },
  },
  getReadiness: {
    method: 'GET',
    url: '/readyz',
    schema: {
      summary: 'Whether there is data to serve',
      description: 'A readiness probe: 503 without current data, without the database, and while the server shuts down.',
      querystring: noQuery,
      response: { 200: readinessAnswer, ...problems, 503: readinessAnswer },
    },
  },
  getMetrics: {
    method: 'GET',
    url: '/metrics',
    schema: {
      summary: 'Metrics for Prometheus',
      description:
        'Absent if the metrics have a port of their own, and on a public site without a token. Send the token, if there is one, as `Authorization: Bearer`.',
      querystring: noQuery,
      response: { 200: figuresAnswer, ...problems },
    },
  },
})
