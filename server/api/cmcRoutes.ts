import { routes } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply } from 'fastify'
import { type CmcWords, sayError } from '../market/cmc/cmcWords.ts'
import type { Clock, CmcAnswers } from './deps.ts'

/**
 * What CoinMarketCap says, in its own words, errors included: from answers that are kept anyway, so that no visitor ever costs
 * a credit.
 */
export function cmcRoutes({ answerCmcListed, answerCmcDex, nowSeconds }: CmcAnswers & Clock): FastifyPluginCallbackTypebox {
  const say = (reply: FastifyReply, { httpStatus, body }: CmcWords) => {
    reply.code(httpStatus)
    return { ...body, data: body.data }
  }
  return (app, _, done) => {
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const httpStatus = error.validation ? 400 : (error.statusCode ?? 500)
      if (httpStatus >= 500) request.log.error({ err: error }, 'A request failed because of a bug')
      const message = httpStatus >= 500 ? 'An internal server error occurred' : error.message
      return reply.send(say(reply, sayError(httpStatus, httpStatus, message, nowSeconds() * 1000)))
    })
    app.route({ ...routes.getCmcListed, handler: ({ params }, reply) => say(reply, answerCmcListed(params.slug)) })
    app.route({ ...routes.getCmcDex, handler: ({ params }, reply) => say(reply, answerCmcDex(params.pool, params.network)) })
    // Before the page, which answers every address that nobody else knows.
    app.get('/cmc/*', { schema: { hide: true } }, (_request, reply) =>
      reply.send(say(reply, sayError(404, 404, 'Not Found', nowSeconds() * 1000))),
    )
    done()
  }
}
