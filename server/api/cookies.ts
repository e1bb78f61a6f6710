import { browserTokensMax } from '../accounts/keepBrowser.ts'
import { browserSeconds, sessionSeconds } from '../accounts/lifetimes.ts'
import { challengeSeconds } from '../accounts/methods/challenge.ts'

/**
 * The cookies: one that signs in, one by which a browser is known to have signed in before, one by which it is known to have asked for a
 * challenge, and one of an operator's session.
 */
const kinds = {
  session: { path: '/', maxAgeSeconds: sessionSeconds, sameSite: 'Lax' },
  /** Sent to the routes that sign in (`/api/users`, `/api/sign-in`); over https everywhere, as the prefix of its name wants it. */
  browser: { path: '/api', maxAgeSeconds: browserSeconds, sameSite: 'Lax' },
  /** Longer than a challenge lasts: a browser may have asked for several. */
  challenge: { path: '/api', maxAgeSeconds: 2 * challengeSeconds, sameSite: 'Lax' },
  /** Gone when the browser is closed; the server ends the session by itself. */
  operator: { path: '/api/admin', maxAgeSeconds: undefined, sameSite: 'Strict' },
} as const

type Kind = keyof typeof kinds

const token = '[A-Za-z0-9_-]{43}'
const single = new RegExp(`^${token}$`)
const browser = new RegExp(`^${token}(?:\\.${token}){0,${browserTokensMax - 1}}$`)

/** Reads what cookies hold, and writes them, for a site at one origin. What can be none of ours is nothing. */
export type Cookies = {
  readSession(header: string | undefined): string | undefined
  /** Tokens of the browser's users, the newest first. */
  readBrowser(header: string | undefined): readonly string[]
  /** A `Set-Cookie` that no script can read, and that no other site can have sent with a change. `undefined` removes the cookie. */
  writeSession(sessionToken: string | undefined): string
  writeBrowser(browserTokens: readonly string[]): string
  readChallenge(header: string | undefined): string | undefined
  writeChallenge(challengeToken: string): string
  readOperator(header: string | undefined): string | undefined
  writeOperator(token: string | undefined): string
}

function toName(kind: Kind, origin: string): string {
  return origin.startsWith('https:') ? `__Host-${kind}` : kind
}

/** What the cookie of a session is called at an origin. */
export function toSessionCookie(origin: string): string {
  return toName('session', origin)
}

/** Over https their names begin with `__Host-`: no other host of the same domain can have set them. */
export function createCookies(origin: string): Cookies {
  const secure = origin.startsWith('https:')
  const nameOf = (kind: Kind) => toName(kind, origin)
  const write = (kind: Kind, value: string | undefined) => {
    const { path, maxAgeSeconds, sameSite } = kinds[kind]
    const lifetime = value === undefined ? 0 : maxAgeSeconds
    const age = lifetime === undefined ? '' : `Max-Age=${lifetime}; `
    const end = `${age}HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
    return `${nameOf(kind)}=${value ?? ''}; Path=${secure ? '/' : path}; ${end}`
  }
  const readToken = (kind: Kind, header: string | undefined) => {
    const value = read(header, nameOf(kind))
    return value !== undefined && single.test(value) ? value : undefined
  }
  return {
    readSession: (header) => readToken('session', header),
    readOperator: (header) => readToken('operator', header),
    writeOperator: (token) => write('operator', token),
    readBrowser: (header) => {
      // From before the prefix, too: a token that another host planted identifies only the user who planted it.
      const value = read(header, nameOf('browser')) ?? read(header, 'browser')
      return value !== undefined && browser.test(value) ? value.split('.') : []
    },
    writeSession: (sessionToken) => write('session', sessionToken),
    writeBrowser: (browserTokens) => write('browser', browserTokens.join('.')),
    readChallenge: (header) => readToken('challenge', header),
    writeChallenge: (challengeToken) => write('challenge', challengeToken),
  }
}

function read(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`
  const pair = header
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(prefix))
  return pair?.slice(prefix.length)
}
