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
const browser = Type.String({ description: 'the browser’s name, like Firefox on Linux; empty if it sent none' })
const moment = Type.Integer({ description: 'unix seconds' })

const place = Type.Object({
  id: Type.String(),
  browser,
  at: moment,
  isSignedIn: Type.Boolean({ description: 'otherwise the browser is only remembered' }),
  isCurrent: Type.Boolean({ description: 'the session of this request' }),
})

const notice = Type.Object({
  id: Type.String(),
  kind: Type.Union(
    [
      Type.Literal('signIn'),
      Type.Literal('pinChanged'),
      Type.Literal('recovered'),
      Type.Literal('pinReset'),
      Type.Literal('codesMade'),
      Type.Literal('passkeyAdded'),
      Type.Literal('walletLinked'),
      Type.Literal('easyPin'),
    ],
    {
      description:
        'recovered: a recovery code set a new PIN; pinReset: a passkey or wallet did; easyPin: the user signed in with a PIN that new users may not choose',
    },
  ),
  browser,
  at: moment,
})

const securityAnswer = Type.Object({
  devices: Type.Array(place),
  recoveryCodes: Type.Integer({ description: 'unused codes' }),
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
      summary: 'The user’s devices, notices and unused recovery codes',
      description: 'Includes the number of unused recovery codes.',
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
      description: 'Each sets a new PIN once. This response is the only one that shows them. Earlier codes stop working.',
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
      description: 'The code is used up, and all other sessions end. The response sets the session cookie.',
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
      description: 'Its browser is no longer known.',
      ...ofItem,
      response: noBody,
    },
  },
  endOtherDevices: {
    method: 'DELETE',
    url: '/api/users/:username/devices',
    schema: {
      summary: 'Signs all other devices out',
      description: 'Only this browser and network remain known.',
      ...ofUser,
      response: noBody,
    },
  },
  dismissNotice: {
    method: 'DELETE',
    url: '/api/users/:username/notices/:id',
    schema: {
      summary: 'Removes a notice',
      description: '403 for the session that caused it, and for a week for sessions opened after it.',
      ...ofItem,
      response: noBody,
    },
  },
})
