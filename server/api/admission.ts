import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * `costly`: what reads the store, a node or an upstream for the site's pages. `gateway`: what strangers ask the node. `account`: what writes.
 * `page`: all else but prices and probes.
 */
export const requestClasses = ['costly', 'gateway', 'page', 'account'] as const
export type RequestClass = (typeof requestClasses)[number]

/** Admitted in a second however busy the server is. Together they take less than a fifth of the event loop. */
const admittedPerSecondMin: Readonly<Record<RequestClass, number>> = { costly: 40, gateway: 40, page: 200, account: 50 }
const admittedPerSecondMax = 100_000
/** Admitted in a second beyond that, one at a time while no other of its class is there: a single visitor is no load. */
const lonePerSecondMax = 160
/** Share of the time that the event loop is busy, from which on there is too much to do. The gateway gives way first: any program may fill it. */
const busyShareMax: Readonly<Record<RequestClass, number>> = { costly: 0.85, gateway: 0.5, page: 0.85, account: 0.85 }
/** How long a rate holds before it is looked at again. Milliseconds. */
export const windowMs = 100
/** A request over the limit waits so long for its turn: a short peak refuses nobody, and who asks again at once gains nothing. */
const waitMsMax = 1_000
const waitingMax = 2_000
const retryAfterSeconds = 2

const costlyPaths = /^\/(api\/(tokens|wallets|staking)\/|api\/(swaps|pools)|subgraph|cmc\/|assets\.json\?)/
const gatewayPath = /^\/rpc\/?($|\?)/
const freePaths = /^\/((healthz|readyz|metrics)($|\?)|api\/v1\/)/
/** What a proxy's request line has before the path; the router leaves it out, too. */
const absolute = /^https?:\/\/[^/?]*/i

/** Undefined: never refused for load. Prices are cheap and have quotas of their own; probes must see the truth. */
export function classOf({ method = 'GET', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): RequestClass | undefined {
  const path = toPath(url)
  if (freePaths.test(path)) return undefined
  if (gatewayPath.test(path)) return 'gateway'
  if (costlyPaths.test(path)) return 'costly'
  return method === 'GET' || method === 'HEAD' ? 'page' : 'account'
}

/** As the router reads it: however it is spelled, it is the same route. */
function toPath(url: string): string {
  const path = url.replace(absolute, '')
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

type Lane = { perSecond: number; left: number; admitted: number; inFlight: number; readonly waiting: Waiting[] }
type Waiting = { readonly sinceMs: number; readonly response: ServerResponse; readonly answer: () => void }

export type AdmissionDeps = {
  readonly nowMs: () => number
  /** Share of the time since the last call that the event loop was busy: 0 to 1. */
  readonly busyShare: () => number
  readonly onShed: (kind: RequestClass) => void
}

export type Admission = {
  /** Calls `answer` now, or when its turn comes, or never: then the response is 503 with `Retry-After`. */
  admit(request: Pick<IncomingMessage, 'method' | 'url'>, response: ServerResponse, answer: () => void): void
  /** To be called every `windowMs`. */
  look(): void
}

/**
 * Admits fewer requests of each class while the event loop is busy, down to a floor, and more again when it is not. What is over
 * the limit waits up to a second and is refused then. An additive increase and a multiplicative decrease, as in TCP. A request that has no
 * other of its class beside it does not wait: the loop may be busy with a block, or with prices.
 */
export function createAdmission({ nowMs, busyShare, onShed }: AdmissionDeps): Admission {
  const toLane = (): Lane => ({
    ...{ perSecond: admittedPerSecondMax, left: admittedPerSecondMax },
    ...{ admitted: 0, inFlight: 0, waiting: [] },
  })
  const lanes: Readonly<Record<RequestClass, Lane>> = {
    ...{ costly: toLane(), gateway: toLane() },
    ...{ page: toLane(), account: toLane() },
  }
  let lookedAtMs = nowMs()

  const refuse = (kind: RequestClass, response: ServerResponse) => {
    onShed(kind)
    sendBusy(response)
  }
  const letIn = (kind: RequestClass, lane: Lane) => {
    const lateMs = nowMs() - waitMsMax
    for (let first = lane.waiting[0]; first && (lane.left >= 1 || first.sinceMs <= lateMs); first = lane.waiting[0]) {
      lane.waiting.shift()
      const { sinceMs, response, answer } = first
      if (response.destroyed) continue
      if (sinceMs <= lateMs) refuse(kind, response)
      else enter(lane, response, answer)
    }
  }

  return {
    admit: (request, response, answer) => {
      const kind = classOf(request)
      if (!kind) return answer()
      const lane = lanes[kind]
      if (lane.waiting.length === 0 && (lane.left >= 1 || isLone(lane))) return enter(lane, response, answer)
      if (lane.waiting.length >= waitingMax) return refuse(kind, response)
      lane.waiting.push({ sinceMs: nowMs(), response, answer })
    },
    look: () => {
      const seconds = Math.max(0.001, (nowMs() - lookedAtMs) / 1000)
      lookedAtMs = nowMs()
      const busy = busyShare()
      for (const kind of requestClasses) {
        const lane = lanes[kind]
        const isBusy = busy >= busyShareMax[kind]
        lane.perSecond = nextRate(lane, { isBusy, seconds, floor: admittedPerSecondMin[kind] })
        lane.admitted = 0
        lane.left = (lane.perSecond * windowMs) / 1000
        letIn(kind, lane)
      }
    },
  }
}

function isLone({ left, inFlight }: Lane): boolean {
  return inFlight === 0 && left > (-lonePerSecondMax * windowMs) / 1000
}

function enter(lane: Lane, response: ServerResponse, answer: () => void): void {
  lane.left -= 1
  lane.admitted += 1
  lane.inFlight += 1
  response.once('close', () => {
    lane.inFlight -= 1
  })
  answer()
}

/** Requests a second that a class may have next. Pure. */
function nextRate(
  { perSecond, admitted }: Pick<Lane, 'perSecond' | 'admitted'>,
  { isBusy, seconds, floor }: { readonly isBusy: boolean; readonly seconds: number; readonly floor: number },
): number {
  if (!isBusy) return Math.min(admittedPerSecondMax, perSecond * 1.2 + 10)
  return Math.max(floor, Math.min(perSecond, admitted / seconds) / 2)
}

const busyBody = `{"error":"The server is busy. Try again in ${retryAfterSeconds} s"}`

function sendBusy(response: ServerResponse): void {
  response
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': busyBody.length,
      'cache-control': 'no-store',
      'retry-after': String(retryAfterSeconds),
      'x-content-type-options': 'nosniff',
    })
    .end(busyBody)
}
