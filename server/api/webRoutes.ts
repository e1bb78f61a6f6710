import { hourSeconds } from '@chainboard/core'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'

type WebOptions = { readonly webDir: string | undefined; readonly logosDir: string; readonly networkName: string }

const yearSeconds = 31_536_000

/**
 * The built page and the tokens' logos. Paths of the page itself are answered with it, so that its addresses can be opened
 * and shared; what looks like a file or an API call is not.
 */
export function webRoutes({ webDir, logosDir, networkName }: WebOptions): FastifyPluginAsync {
  return async (app) => {
    await app.register(fastifyStatic, {
      root: logosDir,
      prefix: `/logos/${networkName}/`,
      decorateReply: false,
      maxAge: hourSeconds * 1000,
      index: false,
      // A logo is a file that somebody sent in: shown as a picture it is harmless, opened by itself it must be too.
      setHeaders: (reply) => reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
    })
    if (!webDir) return
    await app.register(fastifyStatic, {
      root: webDir,
      serve: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('Cache-Control', path.includes('/assets/') ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
      },
    })
    app.get('/*', (request, reply) => {
      const path = request.url.split('?')[0] ?? ''
      if (/^\/(api|logos)(\/|$)/.test(path)) return reply.callNotFound()
      return /\.[a-z0-9]+$/i.test(path) ? reply.sendFile(decodeURI(path)) : reply.sendFile('index.html')
    })
  }
}
