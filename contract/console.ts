import { type Static, Type } from 'typebox'
import { operatorForm, success } from './keys.ts'
import { group } from './route.ts'
import { literals, noQuery, nullableText, numberOrNull, orNull, problems } from './shapes.ts'
import { listStatus, statusAnswer } from './status.ts'

// The state of the site, for its operators. Times are unix seconds, sizes are bytes.

const operatorBody = operatorForm({})

const siteAlert = Type.Object({
  level: literals(['critical', 'warning']),
  about: literals(['index', 'source', 'list', 'storage', 'operator']),
  text: Type.String({ description: 'what happened, as a sentence' }),
  since: numberOrNull('when it began; null: not known'),
})

export type WireSiteAlert = Static<typeof siteAlert>

const node = Type.Object({
  host: Type.String({ description: 'of its URL, without the path, which may contain a key' }),
  answered: Type.Integer({ description: 'calls since the start' }),
  failed: Type.Integer(),
  outrun: Type.Integer({ description: 'another node was quicker' }),
})

const source = Type.Object({
  name: Type.String(),
  answeredAt: orNull(Type.Integer(), { description: 'null: not since the start' }),
  failingSince: orNull(Type.Integer(), { description: 'null: the last call went well' }),
  failure: nullableText,
})

const storage = Type.Object({
  engine: literals(['sqlite', 'postgres']),
  bytes: orNull(Type.Integer(), { description: 'of the database; null: unknown' }),
  freeBytes: orNull(Type.Integer(), { description: 'of the disk of the data folder; null: not known' }),
})

const server = Type.Object({
  version: Type.String(),
  nodeVersion: Type.String({ description: 'of Node.js' }),
  startedAt: Type.Integer(),
  memoryBytes: Type.Integer({ description: 'resident' }),
})

const siteState = Type.Object({
  now: Type.Integer(),
  alerts: Type.Array(siteAlert, { description: 'what needs attention, the worst first' }),
  index: statusAnswer,
  nodes: Type.Array(node, { description: 'in the order of RPC_URL' }),
  sources: Type.Array(source, { description: 'of prices' }),
  list: listStatus,
  storage,
  server: Type.Object(server.properties, { description: 'the one that answers' }),
})

export type WireSiteState = Static<typeof siteState>

const stateAnswer = Type.Object({ success, state: siteState })
const reloadAnswer = Type.Object({
  success,
  reading: Type.Boolean({ description: 'false: the list comes from files, which are reread automatically' }),
})

const featured = Type.Object({
  allowed: Type.Boolean({ description: 'whether operators may edit it; otherwise only the files apply' }),
  source: literals(['files', 'panel']),
  tokens: Type.Array(Type.String(), { description: 'addresses, checksummed, in order' }),
  tokensMax: Type.Integer(),
})

export type WireFeatured = Static<typeof featured>

const featuredAnswer = Type.Object({ success, featured })

/** The operators' console. */
export const consoleRoutes = group('Admin', {
  getSiteState: {
    method: 'POST',
    url: '/api/admin/state',
    schema: {
      summary: 'The state of the site',
      description: 'Index, nodes, price sources, token list, storage and server, and what needs attention.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: stateAnswer, ...problems },
    },
  },
  getFeatured: {
    method: 'POST',
    url: '/api/admin/featured',
    schema: {
      summary: 'The featured tokens, and where they come from',
      description: 'From the network’s files, or edited in the panel.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: featuredAnswer, ...problems },
    },
  },
  editFeatured: {
    method: 'POST',
    url: '/api/admin/featured/edit',
    schema: {
      summary: 'Changes the featured tokens',
      description: 'Listed ones, in order; `null` returns to the files. All servers of the site show it within seconds.',
      querystring: noQuery,
      body: operatorForm({ tokens: Type.Optional(Type.Unknown()) }),
      response: { 200: featuredAnswer, ...problems },
    },
  },
  reloadList: {
    method: 'POST',
    url: '/api/admin/list/reload',
    schema: {
      summary: 'Reads the token list from its URL now',
      description: 'Files of a list are reread within seconds of a change anyway. The state of the site shows the result.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: reloadAnswer, ...problems },
    },
  },
})
