import { type Static, Type } from 'typebox'
import { group, security } from './route.ts'
import { exact, noQuery, problems } from './shapes.ts'

// How an account is guarded: its PIN, recovery codes, where it is signed in, and what happened to it. As with accounts, bodies let
// everything through: server/accounts checks it and says in words what is wrong.

const typed = Type.Optional(Type.Unknown())
/** `writeOnly` keeps what was found out of the error's text. */
const secret = { ...exact, writeOnly: true } as const

const userParams = Type.Object({ username: Type.String() }, exact)
const itemParams = Type.Object({ username: Type.String(), id: Type.String() }, exact)
const browser = Type.String({ description: 'what the browser calls itself, like Firefox on Linux; empty when it was not said' })
const moment = Type.Integer({ description: 'unix seconds' })

const place = Type.Object({
  id: Type.String(),
  browser,
  at: moment,
  isSignedIn: Type.Boolean({ description: 'otherwise the browser is only remembered' }),
  isCurrent: Type.Boolean({ description: 'the session that asks' }),
})

const notice = Type.Object({
  id: Type.String(),
  kind: Type.Union(
    [
      Type.Literal('signIn'),
      Type.Literal('pinChanged'),
      Type.Literal('recovered'),
      Type.Literal('codesMade'),
      Type.Literal('easyPin'),
    ],
    { description: 'easyPin: the user signed in with a PIN that is refused today' },
  ),
  browser,
  at: moment,
})

const securityAnswer = Type.Object({
  devices: Type.Array(place),
  recoveryCodes: Type.Integer({ description: 'codes that are left' }),
  notices: Type.Array(notice, { description: 'what other sessions did, the newest first' }),
})

const codesAnswer = Type.Object({ codes: Type.Array(Type.String()) })
const verifiedAnswer = Type.Object({ success: Type.Literal(true) })

export type WireSecurity = Static<typeof securityAnswer>
export type WireDevice = Static<typeof place>
export type WireNotice = Static<typeof notice>
export type WireRecoveryCodes = Static<typeof codesAnswer>

const ofUser = { params: userParams, querystring: noQuery, security: security.session }
const ofItem = { params: itemParams, querystring: noQuery, security: security.session }
const noBody = { 204: Type.Null(), ...problems }

/** 401 without the session of the user that the path names. */
export const accountCareRoutes = group('Accounts', {
  getSecurity: {
    method: 'GET',
    url: '/api/users/:username/security',
    schema: {
      summary: 'Where the user is signed in, and what happened to the account',
      description: 'With the number of recovery codes that are left.',
      ...ofUser,
      response: { 200: securityAnswer, ...problems },
    },
  },
  changePin: {
    method: 'POST',
    url: '/api/users/:username/pin',
    schema: {
      summary: 'Changes the PIN',
      description: 'All other sessions end. PINs that are easy to guess are refused.',
      ...ofUser,
      body: Type.Object({ pin: typed, newPin: typed }, secret),
      response: noBody,
    },
  },
  makeRecoveryCodes: {
    method: 'POST',
    url: '/api/users/:username/recovery-codes',
    schema: {
      summary: 'New recovery codes',
      description: 'Each sets a new PIN once. They are shown here only; those before them end.',
      ...ofUser,
      body: Type.Object({ pin: typed }, secret),
      response: { 201: codesAnswer, ...problems },
    },
  },
  recover: {
    method: 'POST',
    url: '/api/users/:username/recover',
    schema: {
      summary: 'Sets a new PIN with a recovery code, and signs in',
      description: 'The code is used up, and all other sessions end. The answer sets the cookie of the session.',
      params: userParams,
      querystring: noQuery,
      body: Type.Object({ code: typed, newPin: typed }, secret),
      response: { 200: verifiedAnswer, ...problems },
    },
  },
  endDevice: {
    method: 'DELETE',
    url: '/api/users/:username/devices/:id',
    schema: {
      summary: 'Signs a device out',
      description: 'Its browser is forgotten, too.',
      ...ofItem,
      response: noBody,
    },
  },
  endOtherDevices: {
    method: 'DELETE',
    url: '/api/users/:username/devices',
    schema: {
      summary: 'Signs all other devices out',
      description: 'All browsers and networks but this one are forgotten, too.',
      ...ofUser,
      response: noBody,
    },
  },
  dismissNotice: {
    method: 'DELETE',
    url: '/api/users/:username/notices/:id',
    schema: {
      summary: 'Removes a notice',
      description: 'The session that caused it cannot, and sessions from after it cannot for a week: 403.',
      ...ofItem,
      response: noBody,
    },
  },
})
