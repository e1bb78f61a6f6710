import { createServer, type RequestListener, type Server } from 'node:http'
import type { Admission } from './admission.ts'
import { boundConnections } from './boundConnections.ts'
import type { Drain } from './health/drain.ts'
import { refuseForeignHost, refuseSecondHost } from './oneHost.ts'
import { keepLine } from './v1/heads.ts'
import type { PriceApi } from './v1/openPriceApi.ts'
import { createWaitLimit } from './waitLimit.ts'

/** How long a request may take to arrive. */
export const requestTimeoutMs = 30_000
/** Without a byte sent or read for so long a connection is closed: nobody holds an answer in memory by not reading it. */
export const silenceMaxMs = 60_000

export type HttpServerDeps = {
  readonly priceApi: Pick<PriceApi, 'answerEarly'>
  readonly admission: Pick<Admission, 'admit'>
  readonly drain: Pick<Drain, 'isDraining' | 'hold' | 'watch'>
  /** A connection was refused: there is no room for more. */
  readonly onFull: () => void
  /** Whether nobody but this machine has business here, so that a name of somebody else's that leads here is refused. */
  readonly isLocal: boolean
}

/** The server under the app. What it decides before there is a route costs next to nothing: refusals, drains and the usual price calls. */
export function createHttpServer(
  answer: RequestListener,
  { priceApi, admission, drain, onFull, isLocal }: HttpServerDeps,
): Server {
  const hasTooManyWaiting = createWaitLimit()
  // One clock for each line, from its last byte on: a second one for lines that wait would be set anew twice in every request.
  const handle: RequestListener = (request, response) => {
    const { socket } = request
    // Who has hung up has no address any more to be counted by, and hears nothing.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    if (hasTooManyWaiting(socket, response)) return
    if (refuseSecondHost(request, response)) return
    if (isLocal && refuseForeignHost(request, response)) return
    if (drain.isDraining() && drain.hold(response, () => respond(request, response))) return
    respond(request, response)
  }
  const respond: RequestListener = (request, response) => {
    if (priceApi.answerEarly(request, response)) return
    admission.admit(request, response, () => {
      if (response.shouldKeepAlive) response.setHeader(...keepLine)
      answer(request, response)
    })
  }
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: requestTimeoutMs }, handle)
  // What is expected beside `100-continue` is nothing that we know of.
  server.on('checkExpectation', handle)
  boundConnections(server, onFull)
  drain.watch(server)
  return server.setTimeout(silenceMaxMs)
}
