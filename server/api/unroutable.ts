import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { sayError } from '../market/cmc/cmcWords.ts'
import type { Clock } from './deps.ts'
import { isPriceApi } from './v1/openPriceApi.ts'
import { sendUnreadable } from './v1/refusals.ts'
import { isNavigation } from './webRoutes.ts'

/**
 * Answers addresses that cannot even be read, and so never reach a route: each in the words of the part that they would be of. A
 * visitor is led home from them as from every other that is nowhere.
 */
export function answerUnroutable({ nowSeconds }: Clock) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    if (isPriceApi(request.url)) return void sendUnreadable(reply, { id: request.id, message: error.message })
    if (isNavigation(request) && !/^\/(api|cmc|logos)\//.test(request.url)) return void reply.redirect('/', 302)
    const status = error.statusCode ?? 400
    const cmcAnswer = sayError(status, status, error.message, nowSeconds() * 1000)
    void reply.code(status).send(request.url.startsWith('/cmc/') ? cmcAnswer.body : { error: error.message })
  }
}
