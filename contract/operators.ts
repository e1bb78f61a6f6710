import { operatorRoles } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { doneAnswer, operatorForm, proofBody, success } from './keys.ts'
import { group } from './route.ts'
import { exact, literals, noQuery, problems } from './shapes.ts'

// Sessions of the operators' panel. Moments are ISO 8601 in UTC.

const operatorBody = operatorForm({})
const sessionParams = Type.Object({ id: Type.String({ maxLength: 64 }) }, exact)

const operatorSession = Type.Object({
  id: Type.String({ description: 'sent as `session` in every call, with the session’s cookie' }),
  wallet: Type.String({ description: 'of the operator, checksummed' }),
  role: literals(operatorRoles),
  agent: Type.String({ description: 'the browser’s name' }),
  startedAt: Type.String(),
  usedAt: Type.String({ description: 'up to a minute old' }),
  endsAt: Type.String({ description: 'also while it is in use' }),
  idleSeconds: Type.Integer({ description: 'the session ends this long after its last use' }),
})

export type WireOperatorSession = Static<typeof operatorSession>

const openedAnswer = Type.Object({ success, session: operatorSession })
const sessionsAnswer = Type.Object({ success, sessions: Type.Array(operatorSession) })

/** Sessions of the operators' panel. */
export const operatorRoutes = group('Admin', {
  openSession: {
    method: 'POST',
    url: '/api/admin/session',
    schema: {
      summary: 'Opens a session of the panel',
      description:
        'With a message of the title "… Admin Session" that is at most 5 minutes old; it works once. The response sets the session cookie.',
      querystring: noQuery,
      body: proofBody,
      response: { 201: openedAnswer, ...problems },
    },
  },
  listSessions: {
    method: 'POST',
    url: '/api/admin/sessions',
    schema: {
      summary: 'Open sessions of operators',
      description: 'Owners see all operators’ sessions, others only their own. Newest first.',
      querystring: noQuery,
      body: operatorBody,
      response: { 200: sessionsAnswer, ...problems },
    },
  },
  endSession: {
    method: 'POST',
    url: '/api/admin/sessions/:id/end',
    schema: {
      summary: 'Ends a session',
      description: 'One of your own; owners can end any.',
      params: sessionParams,
      querystring: noQuery,
      body: operatorBody,
      response: { 200: doneAnswer, ...problems },
    },
  },
})
