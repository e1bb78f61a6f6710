import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import { isRevert } from './isRevert.ts'

const coolFirstMs = 1_000
const coolMaxMs = 60_000
/** A silent node is outrun after four times what its answers usually take, within these bounds. */
const hedgeMsMin = 2_000
const hedgeMsMax = 4_000
const hedgeFactor = 4
/** Share of the newest answer in what answers usually take. */
const newestShare = 1 / 8
/** How long a client whose answer turned out to be false is the last to be asked; twice as long each time, until it was good for as long as the most. */
const distrust = { msFirst: 60_000, msMax: 3_600_000 }
/** After so many failures in a row an endpoint is away: one whose answers were false is asked before it. */
const awayFailures = 3

/** What became of a use of one endpoint. `outrun`: it was silent for so long that another one answered first. */
export type Outcome = 'answered' | 'failed' | 'outrun'

export type EndpointsOptions = {
  /** Never goes back. `pause` ends early when the signal aborts. */
  readonly clock?: { nowMs(): number; pause(ms: number, signal: AbortSignal): Promise<unknown> }
  /** Called once for each use of the endpoint at `place` that ended; never for a late answer, which is dropped. */
  readonly onOutcome?: (place: number, outcome: Outcome) => void
}

export type UseOptions = {
  /** Uses of one kind take about the same time. */
  readonly kind?: string
  /** False: never asked of a second endpoint, whether the first is silent or fails. For what must happen once. */
  readonly hedged?: boolean
  /** What is asked may be refused for itself: the next one is asked, and none cools down for it. */
  readonly mayRefuse?: boolean
}

/** Those that a use was asked of, and when. */
type Asked<C> = ReadonlyMap<Endpoint<C>, number>

type Endpoint<C> = {
  readonly client: C
  readonly place: number
  failures: number
  /** When the newest of them came. */
  failedAtMs: number
  coolUntilMs: number
  /** It asked to be left alone until then. */
  restUntilMs: number
  /** Of the last time that its answer was false, and how long it came last for that; 0: never. */
  distrusted: { readonly untilMs: number; readonly forMs: number }
  /** Until then it comes last, as it was behind. */
  behindUntilMs: number
  /** Milliseconds that an answer usually takes, by kind. */
  readonly usualMs: Map<string, number>
}

/**
 * Several ways to the same chain. A use goes whole to one of them: the first that is not cooling down after a failure, in
 * the order given; when all are, the one that has cooled longest. When that one fails or stays silent, the whole use is asked of the next
 * healthy one as well, and the first good answer counts; when none is good, the first failure. The one that was outrun cools down.
 */
export class Endpoints<C> {
  readonly #endpoints: readonly Endpoint<C>[]
  readonly #clock: NonNullable<EndpointsOptions['clock']>
  readonly #onOutcome: NonNullable<EndpointsOptions['onOutcome']>

  constructor(clients: readonly C[], { clock = systemClock, onOutcome = () => undefined }: EndpointsOptions = {}) {
    this.#endpoints = clients.map((client, place) => ({
      ...{ client, place, failures: 0, failedAtMs: 0, coolUntilMs: 0, restUntilMs: 0, usualMs: new Map() },
      distrusted: { untilMs: 0, forMs: 0 },
      behindUntilMs: 0,
    }))
    this.#clock = clock
    this.#onOutcome = onOutcome
  }

  use<T>(work: (client: C) => Promise<T>, { kind = '', hedged = true, mayRefuse = false }: UseOptions = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const over = new AbortController()
    const running = new Set<Endpoint<C>>()
    /** When each was asked. */
    const asked = new Map<Endpoint<C>, number>()
    let firstError: { readonly error: unknown } | undefined

    const win = (winner: Endpoint<C>, tookMs: number, value: T) => {
      this.#learn(winner, kind, tookMs)
      // Those asked before it had their time. A late starter that lost did nothing wrong.
      for (const [loser, startMs] of asked) {
        if (loser === winner) break
        if (running.has(loser)) this.#fail(loser, 'outrun', { startMs })
      }
      over.abort()
      resolve(value)
    }
    const lose = (loser: Endpoint<C>, startMs: number, error: unknown) => {
      // What a contract says no to is an answer of the chain, and the same everywhere.
      if (isRevert(error)) {
        this.#learn(loser, kind, this.#clock.nowMs() - startMs)
        over.abort()
        return reject(error)
      }
      running.delete(loser)
      firstError ??= { error }
      const isOfTheWay = isFailureOfTheWay(error)
      if (isOfTheWay && !(mayRefuse && isRefusal(error))) this.#fail(loser, 'failed', { startMs, askedMs: readAskedMs(error) })
      else this.#onOutcome(loser.place, 'failed')
      // What the question is to blame for would fail at the next one, too.
      const next = hedged && (isOfTheWay || asked.size > 1) ? (this.#pickReady(asked) ?? this.#pickAlive(asked)) : undefined
      if (next) return ask(next)
      if (running.size > 0) return
      over.abort()
      reject(this.#shortenWait(firstError.error))
    }
    const ask = (endpoint: Endpoint<C>) => {
      const startMs = this.#clock.nowMs()
      asked.set(endpoint, startMs)
      running.add(endpoint)
      work(endpoint.client).then(
        (value) => {
          if (!over.signal.aborted) win(endpoint, this.#clock.nowMs() - startMs, value)
        },
        (error: unknown) => {
          if (!over.signal.aborted) lose(endpoint, startMs, error)
        },
      )
      if (hedged && asked.size < this.#endpoints.length) void hedgeAfter(toHedgeMs(endpoint.usualMs.get(kind)), asked.size)
    }
    const hedgeAfter = async (ms: number, askedBefore: number): Promise<void> => {
      await this.#clock.pause(ms, over.signal)
      if (over.signal.aborted || asked.size !== askedBefore) return
      const next = this.#pickReady(asked) ?? this.#pickInstead(asked)
      if (next) ask(next)
      else await hedgeAfter(this.#untilNextIsReadyMs(asked), askedBefore)
    }
    ask(this.#pickReady(new Map()) ?? this.#pickCoolest())
    return promise
  }

  /**
   * Puts a client behind the others for a minute, and longer when it was there lately: what it answered was not true.
   * @returns for how many milliseconds
   */
  distrust(client: C): number {
    const endpoint = this.#endpoints.find((each) => each.client === client)
    if (!endpoint) return 0
    const now = this.#clock.nowMs()
    const { untilMs, forMs } = endpoint.distrusted
    const isOver = now >= untilMs
    const isLately = forMs > 0 && now < untilMs + distrust.msMax
    const nextMs = isLately ? Math.min(distrust.msMax, isOver ? 2 * forMs : forMs) : distrust.msFirst
    endpoint.distrusted = { untilMs: now + nextMs, forMs: nextMs }
    return nextMs
  }

  /** Puts a client behind the others for a minute, for nothing false. */
  putLast(client: C | undefined): void {
    const endpoint = this.#endpoints.find((each) => each.client === client)
    if (endpoint) endpoint.behindUntilMs = this.#clock.nowMs() + distrust.msFirst
  }

  /** Whether a client comes last for an answer that was false. */
  isDistrusted(client: C): boolean {
    const endpoint = this.#endpoints.find((each) => each.client === client)
    return endpoint !== undefined && this.#clock.nowMs() < endpoint.distrusted.untilMs
  }

  /** The client that is asked first now. */
  first(): C {
    return (this.#pickReady(new Map()) ?? this.#pickCoolest()).client
  }

  #isLast(endpoint: Endpoint<C>): boolean {
    return this.#clock.nowMs() < lastUntilMs(endpoint)
  }

  #pickReady(asked: Asked<C>): Endpoint<C> | undefined {
    const now = this.#clock.nowMs()
    return this.#endpoints.find((each) => each.coolUntilMs <= now && !this.#isLast(each) && !asked.has(each))
  }

  /** One that cools down and failed once or twice: before a use fails, it is asked all the same. */
  #pickAlive(asked: Asked<C>): Endpoint<C> | undefined {
    const now = this.#clock.nowMs()
    return this.#endpoints.find(
      (each) => !asked.has(each) && !this.#isLast(each) && each.failures < awayFailures && each.restUntilMs <= now,
    )
  }

  /** One that comes last, where all that were asked failed the last time, too. */
  #pickInstead(asked: Asked<C>): Endpoint<C> | undefined {
    if ([...asked.keys()].some(({ failures }) => failures === 0)) return undefined
    const now = this.#clock.nowMs()
    return this.#endpoints.find((each) => each.coolUntilMs <= now && !asked.has(each))
  }

  #pickCoolest(): Endpoint<C> {
    const alive = this.#endpoints.filter((each) => !this.#isLast(each) && each.failures < awayFailures)
    const candidates = alive.length > 0 ? alive : this.#endpoints
    return candidates.reduce((best, each) => (each.coolUntilMs < best.coolUntilMs ? each : best))
  }

  #untilNextIsReadyMs(asked: Asked<C>): number {
    const untilMs = Math.min(
      ...this.#endpoints.flatMap((each) => (asked.has(each) ? [] : Math.max(each.coolUntilMs, lastUntilMs(each)))),
    )
    return Math.max(1, untilMs - this.#clock.nowMs())
  }

  #learn(endpoint: Endpoint<C>, kind: string, tookMs: number): void {
    const usual = endpoint.usualMs.get(kind) ?? tookMs
    endpoint.usualMs.set(kind, usual + (tookMs - usual) * newestShare)
    endpoint.failures = 0
    this.#onOutcome(endpoint.place, 'answered')
  }

  /** The rest that one endpoint asked for is its own: the caller waits no longer than until another is ready. */
  #shortenWait(error: unknown): unknown {
    const askedMs = readAskedMs(error)
    if (!(error instanceof Failure) || askedMs === 0) return error
    const { code, message, retryable, detail } = error
    const retryAfterMs = Math.min(askedMs, this.#untilNextIsReadyMs(new Map()))
    return new Failure(code, message, { retryable, detail: { ...detail, retryAfterMs }, cause: error })
  }

  /** Uses that were under way when one failed, and fail too, tell of the same failure. */
  #fail(
    endpoint: Endpoint<C>,
    outcome: 'failed' | 'outrun',
    { startMs, askedMs = 0 }: { startMs: number; askedMs?: number },
  ): void {
    const nowMs = this.#clock.nowMs()
    if (startMs >= endpoint.failedAtMs) {
      const coolMs = Math.min(coolMaxMs, coolFirstMs * 2 ** endpoint.failures)
      endpoint.coolUntilMs = nowMs + coolMs
      endpoint.failures += 1
      endpoint.failedAtMs = nowMs
    }
    endpoint.restUntilMs = Math.max(endpoint.restUntilMs, nowMs + askedMs)
    endpoint.coolUntilMs = Math.max(endpoint.coolUntilMs, endpoint.restUntilMs)
    this.#onOutcome(endpoint.place, outcome)
  }
}

/** The process's own clock. */
export const systemClock = {
  nowMs: () => performance.now(),
  pause: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
}

function lastUntilMs({ distrusted, behindUntilMs }: Endpoint<unknown>): number {
  return Math.max(distrusted.untilMs, behindUntilMs)
}

function toHedgeMs(usualMs = 0): number {
  return Math.min(hedgeMsMax, Math.max(hedgeMsMin, usualMs * hedgeFactor))
}

/** How long the endpoint asked to be left alone; 0 where it did not. */
function readAskedMs(error: unknown): number {
  return error instanceof Failure && typeof error.detail['retryAfterMs'] === 'number' ? error.detail['retryAfterMs'] : 0
}

function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.code === 'rpc-refused'
}

/** A range that is too wide says something of the question, not of the node. */
function isFailureOfTheWay(error: unknown): boolean {
  return error instanceof Failure && error.retryable && error.code !== 'rpc-range-too-wide'
}
