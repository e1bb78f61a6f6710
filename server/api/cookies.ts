import { browserSeconds, sessionSeconds } from '../accounts/lifetimes.ts'

/** The two cookies: one that signs in, one by which a browser is known to have signed in before. */
const cookies = {
  session: { name: 'session', path: '/', maxAgeSeconds: sessionSeconds },
  /** Sent to the routes that take a PIN, and nowhere else. */
  browser: { name: 'browser', path: '/api/users', maxAgeSeconds: browserSeconds },
} as const

type CookieKind = keyof typeof cookies

/** The token in a cookie; undefined for what can be none of ours. */
export function readCookie(header: string | undefined, kind: CookieKind): string | undefined {
  const prefix = `${cookies[kind].name}=`
  const pair = header
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(prefix))
  const value = pair?.slice(prefix.length)
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
}

/** A `Set-Cookie` that no script can read, and that no other site can have sent with a change. `undefined` removes the cookie. */
export function toCookie(kind: CookieKind, token: string | undefined, secure: boolean): string {
  const { name, path, maxAgeSeconds } = cookies[kind]
  const lifetime = token === undefined ? 0 : maxAgeSeconds
  return `${name}=${token ?? ''}; Path=${path}; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
