import { type Address, Failure, type Sample } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { Spending } from '../../budgets/createMeter.ts'
import type { TokenMarket } from '../../market/tokenMarket.ts'
import { createPauses } from '../pages/createPauses.ts'
import { limitRate, withinMs } from '../pages/limits.ts'
import { type KeptPicture, keepPictures, toPicture } from './keepPictures.ts'
import type { ShareThread } from './openShareThread.ts'
import { findLogoFile, type LogoPlace } from './readLogo.ts'
import { type ShareSite, toShareFacts } from './shareFacts.ts'
import { type ShareLimits, shareLimits } from './shareLimits.ts'

/** What became of a picture that was to be drawn. `same`: the one before still shows it. */
export type PictureOutcome = 'drawn' | 'same' | 'failed' | 'refused' | 'late'

/** `isCurrent`: of this minute; an older one goes out while a newer cannot be drawn. */
export type SharePicture = KeptPicture & { readonly isCurrent: boolean }

export type Pictures = {
  /**
   * The picture of a listed token, drawn at most once a minute for everybody.
   * @param client whom a drawing counts for
   * @throws Failure `busy` beyond the limits, `not-ready` when it cannot be drawn; both with `retryAfterSeconds`
   */
  find(market: TokenMarket, client: string): Promise<SharePicture>
  close(): Promise<void>
}

type Parts = {
  readonly site: ShareSite
  readonly logos: LogoPlace
  readonly thread: ShareThread
  /** Of the last seven days. */
  readonly readSparkline: (market: TokenMarket) => Promise<{ readonly value: readonly Sample<bigint>[] }>
  /** Counts a drawing for a client. */
  readonly spend: (client: string) => Spending
  readonly nowSeconds: () => number
  /** Of any clock that never goes back. */
  readonly nowMs: () => number
  readonly onOutcome: (outcome: PictureOutcome) => void
  readonly log: { error(facts: object, text: string): void; info(text: string): void }
  readonly limits?: Partial<ShareLimits>
}

/** Pictures for previews of tokens, drawn by a thread, and kept. */
export function openPictures(parts: Parts): Pictures {
  const { thread, nowSeconds, nowMs, onOutcome } = parts
  const limits: ShareLimits = { ...shareLimits, ...parts.limits }
  const kept = keepPictures(limits)
  const underWay = new Map<Address, Promise<KeptPicture>>()
  const draw = createDraw(parts, limits, kept)
  const pauses = createPauses(limits, nowMs)
  const trouble = createTrouble(parts.log)
  const mayDraw = createAllowance(parts, limits)
  const minuteNow = () => Math.floor(nowSeconds() / 60)

  const start = async (market: TokenMarket): Promise<KeptPicture> => {
    const { id } = market.token
    const beganAtMs = nowMs()
    try {
      const { picture, outcome } = await draw(market, minuteNow())
      kept.set(id, picture)
      pauses.succeed(id)
      trouble.end()
      onOutcome(outcome)
      return picture
    } catch (error) {
      // A full queue of charts is no fault of the picture.
      if (!(error instanceof Failure && error.code === 'busy')) pauses.fail(id, beganAtMs)
      trouble.begin(error, market.token.address)
      onOutcome('failed')
      throw error
    } finally {
      underWay.delete(id)
    }
  }
  const begin = (market: TokenMarket, client: string): Promise<KeptPicture> | Failure => {
    const { id } = market.token
    const known = underWay.get(id)
    if (known) return known
    const waitSeconds = pauses.may(id) ? mayDraw(client, underWay.size) : pausedSeconds
    if (waitSeconds > 0) {
      onOutcome('refused')
      return refuse('busy', 'Too many pictures are being drawn. Try again', waitSeconds)
    }
    const drawing = start(market)
    underWay.set(id, drawing)
    return drawing
  }

  return {
    async find(market, client) {
      const { id } = market.token
      const minute = minuteNow()
      const known = kept.get(id)
      if (known?.minute === minute) return { ...known, isCurrent: true }
      const begun = begin(market, client)
      const found = begun instanceof Failure ? begun : await settle(begun, limits.waitMsMax, () => onOutcome('late'))
      if (!(found instanceof Failure)) return { ...found, isCurrent: true }
      if (known && (minute - known.minute) * 60 <= limits.oldSecondsMax) return { ...known, isCurrent: false }
      throw found
    },
    close: thread.close,
  }
}

const pausedSeconds = 5
const lateSeconds = 2

function refuse(code: 'busy' | 'not-ready', text: string, retryAfterSeconds: number): Failure {
  return new Failure(code, text, { retryable: true, detail: { retryAfterSeconds } })
}

/** How long a client has to wait until a drawing may begin, in seconds; 0: it may. */
function createAllowance({ spend, nowMs }: Parts, { underWayMax, perSecondMax }: ShareLimits) {
  const drawings = limitRate(perSecondMax, nowMs)
  return (client: string, underWay: number): number => {
    if (underWay >= underWayMax || drawings.isFull()) return 1
    const { ok, resetSeconds } = spend(client)
    if (!ok) return Math.max(1, resetSeconds)
    drawings.count()
    return 0
  }
}

type Drawn = { readonly picture: KeptPicture; readonly outcome: PictureOutcome }

/** Draws a token as it is now. A logo that ends the thread is left out, at once and for a while: the mark stands in its place. */
function createDraw(parts: Parts, limits: ShareLimits, kept: ReturnType<typeof keepPictures>) {
  const { site, logos, thread, readSparkline, nowSeconds, log } = parts
  const badLogos = new LRUCache<string, true>({ max: limits.badLogosMax, ttl: limits.badLogoMs })
  return async (market: TokenMarket, minute: number): Promise<Drawn> => {
    const samples = market.quote ? (await readSparkline(market)).value : []
    const facts = toShareFacts(site, { market, samples, nowSeconds: nowSeconds() })
    const found = findLogoFile(market.token.logo, logos)
    const logoFile = found !== undefined && badLogos.has(found) ? undefined : found
    const shows = JSON.stringify([facts, logoFile])
    const before = kept.peek(market.token.id)
    if (before?.shows === shows) return { picture: { ...before, minute }, outcome: 'same' }
    try {
      return { picture: toPicture(await thread.draw({ facts, logoFile }), shows, minute), outcome: 'drawn' }
    } catch (error) {
      if (logoFile === undefined) throw error
      const png = await thread.draw({ facts, logoFile: undefined })
      // Not before it is clear that the logo was the reason.
      badLogos.set(logoFile, true)
      log.error({ err: error, logo: market.token.logo }, 'A logo cannot be drawn, and is left out of pictures for an hour')
      return { picture: toPicture(png, JSON.stringify([facts, undefined]), minute), outcome: 'drawn' }
    }
  }
}

/** Tells of the first failure of a row, and of its end. */
function createTrouble(log: Parts['log']) {
  let failing = false
  return {
    begin(err: unknown, token: string) {
      if (!failing) log.error({ err, token }, 'A picture of a token was not drawn')
      failing = true
    },
    end() {
      if (failing) log.info('Pictures of tokens are drawn again')
      failing = false
    },
  }
}

/** The result of a drawing within the time that a client waits. Otherwise the drawing continues, for the next client. */
async function settle(drawing: Promise<KeptPicture>, waitMsMax: number, onLate: () => void): Promise<KeptPicture | Failure> {
  const failed = (error: unknown) =>
    error instanceof Failure && error.code === 'busy'
      ? error
      : refuse('not-ready', 'The picture cannot be drawn now', pausedSeconds)
  const found = await withinMs(drawing.catch(failed), waitMsMax, onLate)
  return found ?? refuse('busy', 'The picture is being drawn. Try again', lateSeconds)
}
