import { Worker } from 'node:worker_threads'
import { Failure } from '@chainboard/core'
import type { FromPages, PackedPage, PagePlace, SiteAnswer, ToPages } from './pageThread.ts'

/** `shell`: the page without, which `path` is drawn into. `market` numbers what it is drawn from. */
export type Wanted = { readonly path: string; readonly shell: string; readonly market: number }

export type PageThread = {
  /**
   * @returns undefined when the site has no such page
   * @throws Failure `not-ready` when the page cannot be drawn, or takes too long
   */
  draw(wanted: Wanted): Promise<PackedPage | undefined>
  close(): Promise<void>
}

type ThreadParts = PagePlace & {
  /** Answers a path of the site as anybody gets it; undefined when it does not. */
  readonly ask: (path: string) => Promise<SiteAnswer | undefined>
  readonly drawMsMax: number
  /** An answer that takes longer does not come: its page fails, and the thread lives on for all others. */
  readonly answerMsMax: number
  /** Of the thread's memory. */
  readonly megabytesMax: number
}

/** Of it for new objects, as much as the main thread has. */
const youngMegabytesMax = 24

type Waiting = { readonly resolve: (page: PackedPage | undefined) => void; readonly reject: (why: Failure) => void }

/**
 * A thread that draws pages. A page that throws fails alone; one that hangs ends the thread, with whatever else it was about to draw.
 * The next page starts another.
 */
export function openPageThread({ file, origin, ask, drawMsMax, answerMsMax, megabytesMax }: ThreadParts): PageThread {
  let running: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined
  let lastId = 0

  const start = () => {
    const place: PagePlace = { file, origin }
    const worker = new Worker(new URL('./pageThread.ts', import.meta.url), {
      workerData: place,
      resourceLimits: { maxOldGenerationSizeMb: megabytesMax, maxYoungGenerationSizeMb: youngMegabytesMax },
    })
    const thread = { worker, waiting: new Map<number, Waiting>() }
    const post = (word: ToPages) => worker.postMessage(word)
    const onWord = (word: FromPages) => {
      if (word.kind === 'ask') {
        const answer = (found?: SiteAnswer) => post({ kind: 'answer', id: word.id, answer: found })
        const late = setTimeout(answer, answerMsMax)
        return void ask(word.path)
          .then(answer, () => answer(undefined))
          .finally(() => clearTimeout(late))
      }
      const waiting = thread.waiting.get(word.id)
      thread.waiting.delete(word.id)
      if (word.kind === 'drawn') waiting?.resolve(word.page)
      else waiting?.reject(notDrawn(word.why))
    }
    const onEnd = (why: string) => {
      if (running === thread) running = undefined
      for (const { reject } of thread.waiting.values()) reject(notDrawn(why))
      thread.waiting.clear()
    }
    worker.on('message', onWord)
    worker.on('error', (error) => onEnd(error instanceof Error ? (error.stack ?? error.message) : String(error)))
    worker.once('exit', () => onEnd('The thread ended'))
    // It keeps no process alive that has ended otherwise.
    worker.unref()
    running = thread
    return thread
  }

  return {
    async draw(wanted) {
      const thread = running ?? start()
      const { worker, waiting } = thread
      lastId += 1
      const id = lastId
      const { promise, resolve, reject } = Promise.withResolvers<PackedPage | undefined>()
      waiting.set(id, { resolve, reject })
      const timer = setTimeout(() => {
        reject(notDrawn(`It took more than ${drawMsMax} ms`))
        // It takes a while to end: the next page is not its own any more.
        if (running === thread) running = undefined
        void worker.terminate()
      }, drawMsMax)
      const word: ToPages = { kind: 'draw', id, ...wanted }
      worker.postMessage(word)
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(id)
      })
    },
    async close() {
      await running?.worker.terminate()
    },
  }
}

function notDrawn(why: string): Failure {
  return new Failure('not-ready', `A page was not drawn: ${why}`)
}
