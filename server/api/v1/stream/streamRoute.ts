import { routes } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { KeyGate } from '../../../keys/keyGate.ts'
import { clientOf } from '../../clientOf.ts'
import type { Admit } from '../admit.ts'
import { everyHead, toRateHead } from '../heads.ts'
import { mounted } from '../mounted.ts'
import { describeRefusal, sendError } from '../refusals.ts'
import type { PriceStream } from './priceStream.ts'

type App = Parameters<FastifyPluginCallbackTypebox>[0]
export type StreamRouteDeps = {
  readonly stream: PriceStream
  readonly gate: Pick<KeyGate, 'onEnded'>
  readonly admit: Admit
}

const streamType = 'text/event-stream; charset=utf-8'
const streamHead = ['content-type', streamType, 'cache-control', 'no-store', 'x-accel-buffering', 'no']
/** Price changes as server-sent events. Opening it counts as one request; it ends when its key may no longer be used. */
export function streamRoute(app: App, { stream, gate, admit }: StreamRouteDeps): void {
  app.route({
    ...mounted(routes.streamPrices),
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const spent = await admit(request, reply)
      // A client that has left meanwhile would stay a reader permanently: its connection closes only once.
      if (!spent || reply.raw.destroyed) return reply
      const { principal, allowance } = spent
      const client = clientOf(request)
      const room = stream.hasRoom({ principal, client })
      if (room !== true) {
        const { limit, waitSeconds } = room
        const message =
          waitSeconds === undefined
            ? `At most ${limit} streams may be open at once`
            : `All ${limit} streams are in use, and your address or network took over another one less than a minute ago`
        return sendError(reply.header('retry-after', waitSeconds ?? 60), {
          code: 'RATE_LIMIT_EXCEEDED',
          message,
          limit,
          remaining: 0,
        })
      }
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, [...everyHead, 'x-request-id', request.id, ...toRateHead(allowance), ...streamHead])
      const wanted = request.query.addresses?.toLowerCase().split(',')
      const lastEventId = request.headers['last-event-id']
      const reader = stream.open({
        principal,
        client,
        addresses: wanted && new Set(wanted),
        lastEventId: lastEventId === undefined ? undefined : String(lastEventId),
        sink: raw,
      })
      const unwatch = gate.onEnded(principal, (code) => reader.end({ code, message: describeRefusal(code) }))
      raw.once('close', () => {
        unwatch()
        reader.leave()
      })
      return reply
    },
  })
}
