import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Failure } from '@chainboard/core'
import { type ShareLimits, shareLimits } from './shareLimits.ts'
import type { ShareOrder } from './shareThread.ts'

/** Draws pictures one after the other. */
export type ShareThread = {
  /**
   * Starts the thread where none runs.
   * @returns a PNG
   * @throws Failure `not-ready` when it cannot be drawn, or takes too long
   */
  draw(order: ShareOrder): Promise<Uint8Array>
  isRunning(): boolean
  close(): Promise<void>
}

/** Of its memory for new objects, as much as the main thread has. */
const youngMegabytesMax = 24

type Limits = Pick<ShareLimits, 'drawMsMax' | 'stopMsMax' | 'idleMs' | 'megabytesMax' | 'pngBytesMax'>

/** Starts nothing yet: until the first picture is asked for, neither the font nor the renderer is in memory. */
export function openShareThread(limits: Limits = shareLimits, file = new URL('./shareThread.ts', import.meta.url)): ShareThread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const start = (): Worker => {
    const started = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytesMax, maxYoungGenerationSizeMb: youngMegabytesMax },
    })
    // It keeps no process alive that has ended otherwise.
    started.unref()
    started.on('exit', () => {
      if (worker === started) worker = undefined
    })
    // The drawing under way hears of it; without one nobody misses the thread.
    started.on('error', () => undefined)
    return started
  }
  const stop = async () => {
    clearTimeout(idle)
    const stopping = worker
    worker = undefined
    if (stopping) await Promise.race([stopping.terminate(), sleep(limits.stopMsMax, undefined, { ref: false })])
  }
  const drawNow = async (order: ShareOrder): Promise<Uint8Array> => {
    clearTimeout(idle)
    worker ??= start()
    try {
      const png = await hear(worker, order, limits.drawMsMax)
      if (png.byteLength > limits.pngBytesMax) throw notDrawn(`It has ${png.byteLength} bytes`)
      idle = setTimeout(() => void stop(), limits.idleMs).unref()
      return png
    } catch (error) {
      // The next picture begins with another thread, once this one has ended.
      await stop()
      throw error
    }
  }
  return {
    draw: (order) => {
      const drawing = turn.then(() => drawNow(order))
      turn = drawing.catch(() => undefined)
      return drawing
    },
    isRunning: () => worker !== undefined,
    close: stop,
  }
}

async function hear(worker: Worker, order: ShareOrder, drawMsMax: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const onError = (error: unknown) => reject(notDrawn(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  const onExit = () => reject(notDrawn('The thread ended'))
  const timer = setTimeout(() => reject(notDrawn(`It took more than ${drawMsMax} ms`)), drawMsMax)
  worker.once('message', resolve).once('error', onError).once('exit', onExit)
  worker.postMessage(order)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', onError).off('exit', onExit)
  }
}

function notDrawn(why: string): Failure {
  return new Failure('not-ready', `A picture was not drawn: ${why}`)
}
