import { Failure } from '@chainboard/core'
import { type News, readNews } from '../store/boards.ts'
import type { Store } from '../store/store.ts'
import type { BoardEvent, LeaderState } from './board.ts'
import type { BoardKeeper } from './boardKeeper.ts'
import { createBoardReader, decodeEvents, decodeState } from './encodeBoard.ts'

/** How often a server looks by itself: a word of the leader may be lost with a connection. */
const lookEveryMs = 1_000

export type FollowBoardsDeps = {
  readonly store: Store
  readonly keeper: BoardKeeper
  /** After every word of the leader on how it stands. */
  readonly onState: (state: LeaderState) => void
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
}

export type BoardFollower = {
  /** Looks now; with a look under way, once more after it. Never throws. */
  look(): Promise<void>
  stop(): Promise<void>
}

/** Takes what is published until stopped, looking every second, and whenever it is told to. */
export function followBoards(deps: FollowBoardsDeps): BoardFollower {
  const { keeper, pause, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const readBoard = createBoardReader()
  let status = ''
  let isUnread = false
  let trouble: string | undefined
  let flight: Promise<void> | undefined
  let again = false

  const take = async ({ board: body, steps, status: state }: News) => {
    const board = body && (await readBoard(body))
    if (body && !board && !isUnread)
      log.warn(
        { form: body.form },
        'The leader runs another version, and this server cannot read its prices: upgrade this server',
      )
    isUnread = body !== undefined && !board
    const events: BoardEvent[] = []
    if (board) for (const step of steps) events.push(...(await decodeEvents(step.events)))
    const decoded = state && (await decodeState(state))
    // Nothing is awaited from here on: who asks in between would find a board that the leader's state knows nothing of.
    if (state) status = state.mark
    if (state && decoded) keeper.noteState(decoded, state.ageMs)
    if (body && board) keeper.take({ seq: body.number, epoch: body.epoch, board, events })
    if (decoded) deps.onState(decoded)
  }
  const lookOnce = async () => {
    try {
      await take(await readNews(deps.store, { seq: keeper.seq(), status }))
      trouble = undefined
    } catch (error) {
      const text = error instanceof Failure ? error.message : 'a bug'
      const level = error instanceof Failure ? 'warn' : 'error'
      if (text !== trouble) log[level]({ err: error }, 'The board cannot be read; the server keeps the last one')
      trouble = text
    }
  }
  const run = async () => {
    do {
      again = false
      await lookOnce()
    } while (again && !signal.aborted)
    flight = undefined
  }
  const look = () => {
    again = true
    flight ??= run()
    return flight
  }
  const keeping = (async () => {
    while (!signal.aborted) {
      await pause(lookEveryMs, signal)
      if (!signal.aborted) await look()
    }
  })()
  return {
    look,
    stop: async () => {
      stopping.abort()
      await keeping
      await flight
    },
  }
}
