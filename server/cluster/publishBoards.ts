import { Failure } from '@chainboard/core'
import { findLastStep, insertBoard, saveBoardStatus } from '../store/boards.ts'
import type { Store, Tx } from '../store/store.ts'
import type { Board, BoardEvent, LeaderState, Publication } from './board.ts'
import { encodeBoard, encodeEvents, encodeState } from './encodeBoard.ts'

/** How often the leader writes how it stands. */
const stateEveryMs = 1_000
/** Waits while the database does not take what is published. */
const retryMs = { first: 250, most: 2_000 }

export type PublisherDeps = {
  /** With the fence of the leader. */
  readonly store: Store
  readonly epoch: number
  /** Aborted when this leader leads no more: nothing is published from then on. */
  readonly ended: AbortSignal
  readonly channel: string
  /** The board as it is now. */
  readonly board: () => Board
  readonly state: () => LeaderState
  /** What was published before this leader began. */
  readonly begin: { readonly seq: number; readonly lastPlace: number }
  /** After every publication, when it is stored. */
  readonly onPublished: (publication: Publication) => void
  readonly onState: (state: LeaderState) => void
  /** Told of a bug, which ends publishing. */
  readonly onFault: (error: unknown) => void
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: { warn(facts: object, text: string): void }
}

export type Publisher = {
  /** Another board is wanted, with these events in it. Those of one call stay in their order. */
  publish(events: readonly Omit<BoardEvent, 'place'>[]): void
  /** Resolves when a board of now, or a later one, is stored, or publishing has ended. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/**
 * Publishes the boards of one leader, one at a time: what comes meanwhile is in the next one. An event is told when it is stored, never
 * before, so that no server has told what the next leader does not know of.
 */
export function publishBoards(deps: PublisherDeps): Publisher {
  const stopping = new AbortController()
  const signal = AbortSignal.any([stopping.signal, deps.ended])
  const wish = createWish()
  const pending = createPending(deps.begin.lastPlace)
  let { seq } = deps.begin
  let states = 0

  const writeState = async (): Promise<(tx: Tx) => Promise<void>> => {
    const state = deps.state()
    deps.onState(state)
    states += 1
    const status = { epoch: deps.epoch, number: states, ...(await encodeState(state)) }
    return (tx) => saveBoardStatus(tx, status)
  }
  const writeNext = async () => {
    const [{ events, lastPlace }, board] = [pending.next(), deps.board()]
    const publication = { seq: seq + 1, epoch: deps.epoch, board, events }
    const step = { seq: seq + 1, epoch: deps.epoch, lastPlace, events: await encodeEvents(events) }
    // How the leader stands is never older than the board.
    const saveState = await writeState()
    const body = await encodeBoard(board)
    await untilStored(deps, signal, async (tx) => {
      // A commit whose answer was lost: in this epoch nobody else writes.
      if ((await findLastStep(tx))?.seq === step.seq) return
      await insertBoard(tx, deps.channel, step, body)
      await saveState(tx)
    })
    if (signal.aborted) return
    seq += 1
    pending.settle({ events, lastPlace })
    deps.onPublished(publication)
  }
  const keepPublishing = async () => {
    while (!signal.aborted) {
      await wish.grant(async () => {
        if (!signal.aborted) await writeNext()
      })
    }
  }
  const keepStanding = async () => {
    while (!signal.aborted) {
      await untilStored(deps, signal, await writeState())
      await deps.pause(stateEveryMs, signal)
    }
  }
  signal.addEventListener('abort', () => void wish.make(), { once: true })
  const ended = Promise.all([keepPublishing(), keepStanding()])
    .then(() => undefined, deps.onFault)
    .finally(wish.end)
  const publish: Publisher['publish'] = (events) => {
    pending.add(events)
    void wish.make()
  }
  return {
    publish,
    flush: wish.make,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

type Step = { readonly events: readonly BoardEvent[]; readonly lastPlace: number }

/** Events that wait to be published, each with its place. @param begin the place of the last one before them */
function createPending(begin: number) {
  let [newestPlace, storedPlace] = [begin, begin]
  let waiting: BoardEvent[] = []
  return {
    add: (events: readonly Omit<BoardEvent, 'place'>[]): void => {
      for (const event of events) {
        newestPlace += 1
        waiting.push({ ...event, place: newestPlace })
      }
    },
    /** Those of the next board. */
    next: (): Step => ({ events: [...waiting], lastPlace: waiting.at(-1)?.place ?? storedPlace }),
    /** They are stored. */
    settle: ({ events, lastPlace }: Step): void => {
      storedPlace = lastPlace
      waiting = waiting.slice(events.length)
    },
  }
}

/** What is wanted again and again, and done for all who wanted it until it began. */
function createWish() {
  let made = Promise.withResolvers<void>()
  let waiting: (() => void)[] = []
  let isOver = false
  return {
    /** Resolves when what is begun from now on is done. */
    make: (): Promise<void> => {
      if (isOver) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      made.resolve()
      return promise
    },
    /** Waits for a wish, and does the work for it. Those who waited continue also when it fails. */
    grant: async (work: () => Promise<void>): Promise<void> => {
      await made.promise
      made = Promise.withResolvers()
      const granted = waiting
      waiting = []
      await work().finally(() => {
        for (const resolve of granted) resolve()
      })
    },
    /** Nothing is done any more. */
    end: () => {
      isOver = true
      for (const resolve of waiting) resolve()
    },
  }
}

/** Tries again until it is stored, or publishing ends. The fence says when another server leads; then it ends soon. */
async function untilStored(
  { store, pause, log }: PublisherDeps,
  signal: AbortSignal,
  write: (tx: Tx) => Promise<void>,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await store.write(write)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (failures === 0 && !signal.aborted) log.warn({ err: error }, 'The board could not be published; the server retries')
      await pause(Math.min(retryMs.most, retryMs.first * 2 ** Math.min(failures, 16)), signal)
    }
  }
}
