import { daySeconds } from '@chainboard/core'
import type { FastifyPluginCallback } from 'fastify'
import type { Clock, Network, Site } from './deps.ts'

/** Where RFC 9116 has it. */
export const securityTextPath = '/.well-known/security.txt'

/** The text stays true for as long as the server runs; RFC 9116 wants less than a year. */
const trueForDays = 180

type SecurityDeps = Pick<Network, 'network'> & Clock & Pick<Site, 'publicOrigin'>

/** `security.txt`: where to report a vulnerability, as the network file says. Without a `contact.security` there is none. */
export function securityTextRoute({ network, publicOrigin, nowSeconds }: SecurityDeps): FastifyPluginCallback {
  return (app, _, done) => {
    const contact = network.contact?.security
    if (contact !== undefined)
      app.get(securityTextPath, (_request, reply) =>
        reply
          .header('Cache-Control', `public, max-age=${daySeconds}`)
          .type('text/plain; charset=utf-8')
          .send(toSecurityText({ contact, publicOrigin, nowSeconds: nowSeconds() })),
      )
    done()
  }
}

type SecurityFacts = {
  /** An e-mail address, or an https URL. */
  readonly contact: string
  readonly publicOrigin: string | undefined
  readonly nowSeconds: number
}

/** The lines of RFC 9116. `Expires` is a midnight, so that the text changes once a day; `Canonical` has to be https. */
export function toSecurityText({ contact, publicOrigin, nowSeconds }: SecurityFacts): string {
  const today = Math.floor(nowSeconds / daySeconds)
  const expires = new Date((today + trueForDays) * daySeconds * 1000).toISOString().replace('.000', '')
  const canonical = publicOrigin?.startsWith('https:') ? [`Canonical: ${publicOrigin}${securityTextPath}`] : []
  const lines = [`Contact: ${contact.startsWith('https:') ? contact : `mailto:${contact}`}`, `Expires: ${expires}`, ...canonical]
  return lines.map((line) => `${line}\n`).join('')
}
