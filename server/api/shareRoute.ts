import { routes } from '@chainboard/contract'
import { Failure, parseAddress } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { clientOf } from './clientOf.ts'
import type { Market } from './deps.ts'
import type { Pictures } from './share/openPictures.ts'

/** Seconds for which a picture may be kept elsewhere: as long as it is the newest here, or a moment for an older one. */
const keptSeconds = { current: 60, old: 5 } as const

/** The picture that social networks show beside a link to a token's page. */
export function shareRoute({ snapshot, pictures }: Market & { readonly pictures: Pictures }): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    app.addHook('onClose', () => pictures.close())
    app.route({
      ...routes.getSharePicture,
      handler: async (request, reply) => {
        const id = parseAddress(request.params.address)
        const market = id && snapshot().byToken.get(id)
        if (!market) throw new Failure('token-not-found', `Token ${request.params.address} is not on this site's list`)
        const { png, tag, isCurrent } = await pictures.find(market, clientOf(request))
        const seconds = keptSeconds[isCurrent ? 'current' : 'old']
        reply.header('Cache-Control', `public, max-age=${seconds}`).header('ETag', `"${tag}"`)
        // Other sites show it: it is made for them.
        reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
        const known = request.headers['if-none-match']?.split(/\s*,\s*/) ?? []
        if (known.some((each) => each.replace(/^W\//, '') === `"${tag}"`)) return reply.code(304).send(null)
        return reply.type('image/png').send(png)
      },
    })
    done()
  }
}
