import { createPauses } from './createPauses.ts'
import type { PageThread } from './drawInThread.ts'
import { type KeptPage, keepPages } from './keepPages.ts'
import { limitRate, withinMs } from './limits.ts'

/** What drawing pages may cost. Whatever goes beyond gets the page without: a browser draws it then. */
export const pageLimits = {
  /** Packed pages in memory. */
  bytesMax: 16 * 1024 * 1024,
  /** Nobody waits longer than this for a page. */
  waitMsMax: 400,
  /** The thread is ended over one that takes longer. */
  drawMsMax: 5_000,
  /** An answer of the site that takes longer is none: one slow page of a stranger does not end the thread over all others. */
  answerMsMax: 2_000,
  /** Pages that are being drawn or wait for it; the home page has a place besides. */
  underWayMax: 16,
  /** Pages besides the home page, so that strangers' searches leave the machine to others: 15 ms each. */
  othersPerSecondMax: 10,
  /** A page of an older market that still goes out when the newest is not drawn in time. */
  oldMsMax: 10_000,
  /** Because it shows ages, it is drawn again after this time even if no price has moved. */
  sameMsMax: 5_000,
  /** Of the thread. */
  megabytesMax: 256,
  /** After failures, see createPauses.ts. */
  ...{ pauseMs: 1_000, pauseMsMax: 60_000, keysMax: 256, rowMax: 5 },
} as const

export type DrawOutcome = 'drawn' | 'absent' | 'failed' | 'refused' | 'late'

export type Pages = {
  /**
   * The page of a path, for everybody, drawn at most once for each market and build.
   * @param wanted.shell the page without, which it is drawn into
   * @returns undefined when it is not drawn in time or at all
   */
  find(wanted: { readonly path: string; readonly shell: string }): Promise<KeptPage | undefined>
  close(): Promise<void>
}

type PagesParts = {
  /** Starts the thread of a build. */
  readonly openThread: () => PageThread
  /** What pages are drawn from: another object for each market. */
  readonly market: () => object
  readonly nowMs: () => number
  readonly onOutcome: (outcome: DrawOutcome) => void
  readonly log: { error(facts: object, text: string): void; info(text: string): void }
  readonly limits?: Partial<Record<keyof typeof pageLimits, number>>
}

/** Pages drawn by a thread, kept for everybody who asks. */
export function openPages({ openThread, market, nowMs, onOutcome, log, limits = {} }: PagesParts): Pages {
  const all = { ...pageLimits, ...limits }
  const { bytesMax, waitMsMax, underWayMax, oldMsMax, sameMsMax, othersPerSecondMax } = all
  const pauses = createPauses(all, nowMs)
  const kept = keepPages(bytesMax)
  const underWay = new Map<string, Promise<KeptPage | undefined>>()
  const others = limitRate(othersPerSecondMax, nowMs)
  const thread = keepThread(openThread)
  const numberOf = numberMarkets()
  let failing = false

  const onFailure = (path: string, beganAtMs: number, err: unknown): void => {
    if (!failing) log.error({ err, path }, 'A page was not rendered on the server: browsers render it')
    failing = true
    pauses.fail(path, beganAtMs)
    onOutcome('failed')
  }

  const draw = async (path: string, shell: string): Promise<KeptPage | undefined> => {
    const of = market()
    const drawnAtMs = nowMs()
    try {
      const packed = await thread.of(shell).draw({ path, shell, market: numberOf(of) })
      const page = packed && { ...packed, of: new WeakRef(of), shell, drawnAtMs }
      if (page) kept.set(path, page)
      if (failing) log.info('Pages are rendered on the server again')
      failing = false
      pauses.succeed(path)
      onOutcome(page ? 'drawn' : 'absent')
      return page
    } catch (error) {
      onFailure(path, drawnAtMs, error)
      return undefined
    }
  }

  const start = (path: string, shell: string): Promise<KeptPage | undefined> | undefined => {
    const known = underWay.get(path)
    if (known) return known
    if (!pauses.may(path)) return undefined
    if (path !== '/') {
      if (underWay.size >= underWayMax || others.isFull()) {
        onOutcome('refused')
        return undefined
      }
      others.count()
    }
    const drawing = draw(path, shell).finally(() => underWay.delete(path))
    underWay.set(path, drawing)
    return drawing
  }

  return {
    async find({ path, shell }) {
      const before = kept.get(path)
      const known = before?.shell === shell ? before : undefined
      const ageMs = known ? nowMs() - known.drawnAtMs : 0
      if (known?.of.deref() === market() && ageMs <= sameMsMax) return known
      const drawing = start(path, shell)
      const page = drawing && (await withinMs(drawing, waitMsMax, () => onOutcome('late')))
      return page ?? (known && ageMs <= oldMsMax ? known : undefined)
    },
    close: thread.close,
  }
}

/** Another number for each market that follows another. */
function numberMarkets(): (market: object) => number {
  let last: WeakRef<object> | undefined
  let number = 0
  return (market) => {
    if (last?.deref() !== market) {
      last = new WeakRef(market)
      number += 1
    }
    return number
  }
}

/** The thread of the build that a page is drawn into: a build that took the place of another has code of its own. */
function keepThread(openThread: () => PageThread) {
  let kept: { readonly build: string; readonly thread: PageThread } | undefined
  return {
    of(shell: string): PageThread {
      const build = toBuild(shell)
      if (kept?.build !== build) {
        void kept?.thread.close()
        kept = { build, thread: openThread() }
      }
      return kept.thread
    },
    async close(): Promise<void> {
      await kept?.thread.close()
    },
  }
}

/** The head of a page differs by page and by the market; which scripts it begins with by the build alone. */
function toBuild(shell: string): string {
  return [...shell.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(([, file]) => file).join(' ')
}
